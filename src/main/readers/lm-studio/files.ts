import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { seenFile } from '../common/composed/composing-in-threads'
import { recordFileRef } from '../common/composed/record-file-ref'
import { FirstFailure } from '../common/first-failure'
import { type FoundName, findRoot, foundIn, isFolder, sortedNamesIn } from '../common/found-files'
import type { LookElsewhere, SourceRef } from '../common/reader'
import type { BackupRule } from '../known/backup-rule'
import { studioComposing, studioFormat, studioName } from './records'

const conversationsFolder = 'conversations'
const fileName = /^[^.].*\.conversation\.json$/is
/** Folders are a person's own, and may lie in each other. */
const deepestFolder = 16

/** Conversations, whatever folders a person puts them into. */
export const studioBackup: BackupRule = {
  folders: [conversationsFolder],
  levels: deepestFolder,
  isWanted: (file) => fileName.test(path.posix.basename(file)),
}

/**
 * Lists the conversations under a root: LM Studio's own folder, its folder of conversations or one in it, or one file. One in which
 * nothing was said is none.
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed; what else is there is listed before
 */
export async function* listStudio(
  root: string,
  disk: Disk,
  signal: AbortSignal,
  elsewhere?: LookElsewhere,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  if (top.type === 'file') {
    if (fileName.test(top.found.name)) yield* refOf(top.folder, top.found.name, top.found, disk)
    return
  }
  const isHome = (await sortedNamesIn(disk, root)).includes(conversationsFolder)
  const found: FoundDocument[] = []
  const folder = isHome ? conversationsFolder : ''
  const failure = new FirstFailure()
  const documents = documentsIn(root, folder, 0, failure, disk, signal)
  for await (const one of failure.in(documents)) found.push(one)
  const seen = found.flatMap(({ file, one }) => seenFile(path.join(root, file), one))
  await studioComposing.ahead(seen, signal, elsewhere)
  const keys = new Set<string>()
  for await (const ref of refsOf(root, found, disk)) {
    // A copy of a file in another folder is a conversation of its own.
    const key = keys.has(ref.key) ? `${path.posix.dirname(placeOf(ref))}/${ref.key}` : ref.key
    keys.add(key)
    yield { ...ref, key }
  }
  failure.throw()
}

/** Returns the folder, below the one of all conversations, that a person put a conversation into; null for none. */
export function folderOf(file: string): string | null {
  const folders = path.dirname(file).split(/[\\/]/)
  const own = folders.slice(folders.lastIndexOf(conversationsFolder) + 1)
  return folders.includes(conversationsFolder) && own.length > 0 ? own.join('/') : null
}

interface FoundDocument {
  /** Relative to the root. */
  readonly file: string
  readonly one: FoundName
}

async function* documentsIn(
  root: string,
  folder: string,
  depth: number,
  failure: FirstFailure,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<FoundDocument> {
  for (const one of await foundIn(disk, root, folder, signal)) {
    const file = path.posix.join(folder, one.name)
    if (isFolder(one)) {
      if (depth < deepestFolder)
        yield* failure.in(documentsIn(root, file, depth + 1, failure, disk, signal))
    } else if (fileName.test(one.name)) yield { file, one }
    else failure.passedBy(one)
  }
}

async function* refsOf(
  root: string,
  found: readonly FoundDocument[],
  disk: Disk,
): AsyncGenerator<SourceRef> {
  for (const { file, one } of found) yield* refOf(root, file, one, disk)
}

async function* refOf(
  root: string,
  file: string,
  one: FoundName,
  disk: Disk,
): AsyncGenerator<SourceRef> {
  const by = { source: 'lm-studio', format: studioFormat, name: studioName } as const
  const key = one.name.replace(/\.conversation\.json$/i, '')
  const { ref, about } = await recordFileRef(by, { root, key, file, one }, disk)
  const isDamaged = about?.isDamaged === true || ref.unread !== undefined
  if (about?.messages !== 0 || isDamaged) yield ref
}

function placeOf({ files }: SourceRef): string {
  return files[0]?.file.split('/!')[0] ?? ''
}
