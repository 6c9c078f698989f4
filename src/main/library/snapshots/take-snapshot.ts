import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { ZipWriter } from '../../disk/pack/zip-writer'
import { isNotFound } from '../../disk/reading/read'
import { liesInFolder, realPathOrNone } from '../../disk/reading/real-path'
import { moveToFreeName, temporaryName, withTemporary } from '../../disk/writing/atomic'
import { checkMembers } from './check-snapshot'
import { type FileToCopy, type FoundToCopy, filesToCopy } from './files-to-copy'
import {
  filePieces,
  type SnapshotProgress,
  snapshotError,
  snapshotName,
  sumsName,
  sumsText,
} from './snapshot-form'

/** Dependencies of a snapshot. */
export interface SnapshotDeps {
  /** On which a packed file is what it is. */
  readonly disk: Disk
  /** The chibi home. */
  readonly home: string
  /** The folder of Skein's own files. */
  readonly userFolder: string
  /** In Unix milliseconds. */
  readonly now: () => number
}

/** A snapshot that was taken and checked. */
export interface TakenSnapshot {
  readonly file: string
  readonly files: number
  /** Of all files together. */
  readonly bytes: number
  /** Of the snapshot. */
  readonly packedBytes: number
  /** Names in the home of what no copy can be made of. */
  readonly leftOut: readonly string[]
}

/** What Skein keeps that nothing brings back. Keys are not among it: they are in the keychain's care. */
const ownParts: ReadonlySet<string> = new Set(['settings.json', 'imports', 'backups', 'home.json'])

/** So often a conversation is copied anew that another program rotated or renamed meanwhile. */
const mostTries = 5

/**
 * Writes all files of a home, and Skein's own settings, imports and backups, into one new zip archive in a folder; reads it back
 * and compares every byte's digest before it gets its name. Files that grow are taken as far as they were when they were opened;
 * a context in which files got other names meanwhile is copied again, so that no line is missing. Nothing of the home is changed.
 *
 * Durable on return. After a failure or a stop no file has the name. Holds some 300 bytes for each file.
 *
 * @param folder outside of the home
 * @throws AppError `not-found` there is no home, `bad-argument`, `busy` it is changed all the time, `exists`, `disk-full`, `io`;
 *   the signal's reason
 */
export async function takeSnapshot(
  deps: SnapshotDeps,
  folder: string,
  progress: (now: SnapshotProgress) => void,
  signal: AbortSignal,
): Promise<TakenSnapshot> {
  const { disk, home, userFolder } = deps
  const target = path.join(folder, snapshotName(deps.now()))
  try {
    if ((await disk.stat(home))?.kind !== 'directory')
      throw new AppError('not-found', `There is no home at ${home}.`)
    await mustLieOutside(disk, folder, [home, userFolder])
    const temporary = temporaryName(target)
    let taken: Omit<TakenSnapshot, 'file' | 'packedBytes'> | undefined
    let packedBytes = 0
    await withTemporary(disk, temporary, async () => {
      const file = await disk.open(temporary, 'create-new')
      const zip = new ZipWriter(file, temporary)
      try {
        taken = await copyInto(zip, deps, progress, signal)
        await zip.finish()
        await file.sync()
        packedBytes = (await file.stat()).sizeBytes
      } finally {
        await file.close()
      }
      await checkMembers(disk, temporary, zip.members(), progress, signal)
      signal.throwIfAborted()
      await moveToFreeName(disk, temporary, target)
    })
    await disk.syncFolder(folder)
    if (taken === undefined) throw new Error('nothing was copied')
    return { file: target, packedBytes, ...taken }
  } catch (error) {
    signal.throwIfAborted()
    throw snapshotError(error)
  }
}

async function copyInto(
  zip: ZipWriter,
  { disk, home, userFolder }: SnapshotDeps,
  progress: (now: SnapshotProgress) => void,
  signal: AbortSignal,
): Promise<Omit<TakenSnapshot, 'file' | 'packedBytes'>> {
  const contexts = path.join(home, 'contexts')
  const own = () => filesToCopy(disk, userFolder, 'skein', signal, (name) => ownParts.has(name))
  const rest = () => filesToCopy(disk, home, 'home', signal, (name) => name !== 'contexts')
  const ofContext = (name: string) => () =>
    filesToCopy(disk, path.join(contexts, name), `home/contexts/${name}`, signal)
  const namesNow = async () => [...(await namesIn(disk, contexts))].sort()

  let totalBytes = 0
  for (const list of [own, rest, ...(await namesNow()).map(ofContext)])
    for (const { stat } of (await list()).files) totalBytes += stat.sizeBytes
  let bytes = 0
  const copied = (more: number) => {
    bytes += more
    progress({ phase: 'copying', bytes: Math.min(bytes, totalBytes), totalBytes })
  }

  const leftOut: string[] = []
  const copy = async (list: () => Promise<FoundToCopy>) => {
    leftOut.push(...(await copySteadily(zip, disk, list, copied, signal)))
  }
  await copy(own)
  await copy(rest)
  // Contexts come and go under other names while others are copied.
  const done = new Set<string>()
  for (let round = 0; ; round++) {
    const names = await namesNow()
    const gone = [...done].filter((name) => !names.includes(name))
    for (const name of gone) {
      done.delete(name)
      zip.drop(membersBelow(zip, `home/contexts/${name}/`))
    }
    const missing = names.filter((name) => !done.has(name))
    if (missing.length === 0) break
    if (round === mostTries) throw changing('Its contexts get new names')
    for (const name of missing) {
      await copy(ofContext(name))
      done.add(name)
    }
  }

  const written = zip.members()
  const sums = Buffer.from(sumsText(written))
  await zip.add(sumsName, piecesOf(sums))
  return {
    files: written.length - 1,
    bytes: written.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) - sums.length,
    leftOut,
  }
}

/** Copies files until their names lead to the same files before and after; gives the names of what has no copy. */
async function copySteadily(
  zip: ZipWriter,
  disk: Disk,
  list: () => Promise<FoundToCopy>,
  copied: (bytes: number) => void,
  signal: AbortSignal,
): Promise<readonly string[]> {
  for (let tries = 0; tries < mostTries; tries++) {
    const { files, leftOut } = await list()
    const names = new Set(files.map(({ name }) => name))
    if ((await copyFiles(zip, disk, files, copied, signal)) && isSame(files, (await list()).files))
      return leftOut
    zip.drop(names)
  }
  throw changing('It is changed all the time')
}

function changing(words: string): AppError {
  return new AppError('busy', `${words} while it is copied. Try again when nothing runs in it.`)
}

/** True where all were there. */
async function copyFiles(
  zip: ZipWriter,
  disk: Disk,
  files: readonly FileToCopy[],
  copied: (bytes: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  for (const { path: from, name } of files) {
    signal.throwIfAborted()
    try {
      const file = await disk.open(from, 'read')
      try {
        const { sizeBytes } = await file.stat()
        copied((await zip.add(name, filePieces(file, sizeBytes, signal))).sizeBytes)
      } finally {
        await file.close()
      }
    } catch (error) {
      if (isNotFound(error)) return false
      throw error
    }
  }
  return true
}

function isSame(before: readonly FileToCopy[], after: readonly FileToCopy[]): boolean {
  const identities = new Map(before.map(({ name, stat }) => [name, stat.identity]))
  return (
    before.length === after.length &&
    after.every(({ name, stat }) => identities.get(name) === stat.identity)
  )
}

function membersBelow(zip: ZipWriter, folder: string): ReadonlySet<string> {
  return new Set(zip.members().flatMap(({ name }) => (name.startsWith(folder) ? [name] : [])))
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return await disk.list(folder)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

/** A snapshot among what it holds would be in the next one. @throws AppError `not-found`, `bad-argument` */
async function mustLieOutside(
  disk: Disk,
  folder: string,
  places: readonly string[],
): Promise<void> {
  const real = await realPathOrNone(disk, folder)
  if (real === undefined || (await disk.stat(real))?.kind !== 'directory')
    throw new AppError('not-found', `There is no folder at ${folder}.`)
  for (const place of places) {
    const around = await realPathOrNone(disk, place)
    if (around !== undefined && liesInFolder(around, real))
      throw new AppError(
        'bad-argument',
        `${folder} is in ${place}, which the snapshot holds. Name a folder elsewhere.`,
      )
  }
}
