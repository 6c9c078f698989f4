import { createHash } from 'node:crypto'
import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import {
  type GivenImage,
  type ImageType,
  imagesFault,
  imageTypeOf,
  type KeptImage,
  shownImageName,
} from '../../../shared/model/conversation/images'
import type { Disk } from '../../disk/interface/disk'
import { isNameTaken, readSmallFile } from '../../disk/reading/read'
import { createFile, replaceFile } from '../../disk/writing/atomic'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { toWriteError } from '../core/errors'
import { contextPaths, homePaths, isContextName } from '../core/home-paths'

/** The context that images belong to. */
export interface ImageOwner {
  readonly disk: Disk
  readonly home: string
  readonly context: string
}

/** Of a context, below its folder. */
const folderName = 'attachments'

/**
 * Stores the images of a message in the context's folder, each under the SHA-256 of its bytes; one that is there
 * already is not written again. The type is found from the first bytes. Durable on return; a file whose entry is never
 * written does no harm.
 *
 * @throws AppError `bad-argument` for what is no image, or too large; `disk-full`, `read-only`, `io`
 */
export async function keepImages(
  place: ImageOwner,
  images: readonly GivenImage[],
): Promise<readonly KeptImage[]> {
  checkImages(images)
  const kept: KeptImage[] = []
  try {
    if (images.length > 0) await prepareFolder(place)
    for (const image of images) kept.push(await keepImage(place, image))
  } catch (error) {
    throw toWriteError('The message', error)
  }
  return kept
}

/** A file of a message or an answer as it is stored. */
export interface KeptFile {
  /** Below the context's folder, with slashes: `attachments/<sha256>.wav`. */
  readonly file: string
  readonly sha256: string
}

/**
 * Stores a file of a message or an answer in the context's folder, under the SHA-256 of its bytes. Durable on return.
 *
 * @param ending of its name, without the dot; letters and digits alone
 *
 * @throws AppError `disk-full`, `read-only`, `io`
 */
export async function keepFile(
  place: ImageOwner,
  bytes: Uint8Array,
  ending: string,
): Promise<KeptFile> {
  const sha256 = digestOf(bytes)
  const file = `${folderName}/${sha256}.${ending}`
  try {
    await prepareFolder(place)
    await write(place.disk, path.join(contextPaths(place.home, place.context).folder, file), bytes)
  } catch (error) {
    throw toWriteError('A file', error)
  }
  return { file, sha256 }
}

/**
 * Checks that images can be sent with a message.
 *
 * @throws AppError `bad-argument` where they cannot go with a message, in words
 */
export function checkImages(images: readonly GivenImage[]): void {
  const fault = imagesFault(images)
  if (fault !== undefined) throw new AppError('bad-argument', `${fault} Nothing was sent.`)
}

/**
 * Reads an image of a context by its name in an entry: `attachments/<sha256>.png`. One that is not in the context's
 * own folder is searched in the others of its home: the entries of a branch are copies, and a file under its digest is
 * the same wherever it is. Undefined for any other name, and where no file of that content exists.
 *
 * @throws DiskError
 */
export async function findImage(
  place: ImageOwner,
  file: string,
): Promise<{ readonly type: ImageType; readonly bytes: Uint8Array } | undefined> {
  const bytes = await findBytes(place, file)
  const type = bytes === undefined ? undefined : imageTypeOf(bytes)
  return bytes === undefined || type === undefined ? undefined : { type, bytes }
}

async function findBytes(
  { disk, home, context }: ImageOwner,
  file: string,
): Promise<Uint8Array | undefined> {
  const sha256 = digestIn(file)
  if (sha256 === undefined || !isContextName(context)) return undefined
  const own = await readIn({ disk, home, context }, file, sha256)
  if (own !== undefined) return own
  const { contexts } = homePaths(home)
  const names = (await disk.stat(contexts))?.kind === 'directory' ? await disk.list(contexts) : []
  for (const name of [...names].sort()) {
    if (name === context || !isContextName(name)) continue
    const found = await readIn({ disk, home, context: name }, file, sha256).catch(() => undefined)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Copies images and text files that entries name into the context's own folder, where another context of the home has them: so a
 * branch keeps them when its parent is removed. The context's lock is held.
 *
 * @throws DiskError, AppError
 */
export async function copyAttachments(place: ImageOwner, files: readonly string[]): Promise<void> {
  const { disk, home, context } = place
  for (const file of new Set(files)) {
    const target = path.join(contextPaths(home, context).folder, file)
    if (digestIn(file) === undefined || (await disk.stat(target)) !== undefined) continue
    const found = await findBytes(place, file)
    if (found === undefined) continue
    await prepareFolder(place)
    await write(disk, target, found)
  }
}

async function keepImage(
  { disk, home, context }: ImageOwner,
  { name, bytes }: GivenImage,
): Promise<KeptImage> {
  const type = imageTypeOf(bytes)
  if (type === undefined) throw new AppError('bad-argument', 'This file is not an image.')
  const sha256 = digestOf(bytes)
  const file = `${folderName}/${sha256}.${type.ending}`
  const target = path.join(contextPaths(home, context).folder, file)
  await write(disk, target, bytes)
  const shown = wellFormed(shownImageName(name))
  return { file, mime: type.mime, bytes: bytes.length, name: shown, sha256 }
}

/** A folder that is a link would have images written elsewhere. */
async function prepareFolder({ disk, home, context }: ImageOwner): Promise<void> {
  const { folder } = contextPaths(home, context)
  const wanted = path.join(folder, folderName)
  await makeDurableFolder(disk, wanted)
  const real = path.join(await disk.realPath(folder), folderName)
  if ((await disk.realPath(wanted)) !== real)
    throw new AppError('io', `The message was not saved: ${folderName} leads out of "${context}".`)
}

async function write(disk: Disk, target: string, bytes: Uint8Array): Promise<void> {
  try {
    await createFile(disk, target, bytes)
  } catch (error) {
    if (!isNameTaken(error)) throw error
    // Of another content it would be one that was damaged: the name is the digest of what belongs there.
    const there = await readSmallFile(disk, target).catch(() => undefined)
    if (there === undefined || digestOf(there) !== digestOf(bytes))
      await replaceFile(disk, target, bytes)
    // A crash may have come between its name and the folder's sync.
    else await disk.syncFolder(path.dirname(target))
  }
}

async function readIn(
  { disk, home, context }: ImageOwner,
  file: string,
  sha256: string,
): Promise<Uint8Array | undefined> {
  const { folder } = contextPaths(home, context)
  const target = path.join(folder, file)
  if ((await disk.stat(target))?.kind !== 'file') return undefined
  const real = await disk.realPath(target)
  // A link to a file of the person's is none of the conversation's.
  if (real !== path.join(await disk.realPath(folder), ...file.split('/'))) return undefined
  const bytes = await readSmallFile(disk, real)
  return bytes !== undefined && digestOf(bytes) === sha256 ? bytes : undefined
}

const kept = /^attachments\/([0-9a-f]{64})\.(?:png|jpg|gif|webp|txt|pdf)$/

function digestIn(file: string): string | undefined {
  return kept.exec(file)?.[1]
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
