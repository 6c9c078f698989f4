import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import {
  type FoundName,
  findRoot,
  inListedFile,
  sourceFileOf,
  statNames,
} from '../common/found-files'
import { refOfFile } from '../common/one-file'
import type { SourceFile, SourceRef } from '../common/reader'
import { readHead } from './head'
import { codexHomeOf, isPackedName, rolloutFolders, rolloutStem, threadIdOf } from './home'
import { readThreadTitles, type ThreadTitles } from './titles'

/**
 * Lists the threads under a root, by folder and name: Codex's own folder, one inside of it, or one file.
 *
 * A rollout that lies there plain and packed, or in `sessions` and in `archived_sessions`, is one thread.
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed; what else is there is listed before
 */
export async function* listThreads(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  const titles = await readThreadTitles(codexHomeOf(root), disk, signal)
  if (top.type === 'file') return yield* theFile(top.folder, top.found, titles, disk, signal)
  const chosen = new Map<string, SourceFile>()
  let failure: unknown
  try {
    for await (const { folder, names } of rolloutFolders(disk, root, signal))
      for (const one of await statNames(disk, folder, names, signal)) {
        const file = sourceFileOf(placeOf(root, path.join(folder, one.name)), one)
        const stem = rolloutStem(one.name)
        const before = chosen.get(stem)
        if (before === undefined || isBetter(file, before)) chosen.set(stem, file)
      }
  } catch (error) {
    signal.throwIfAborted()
    failure = error
  }
  const keys = new Set<string>()
  for (const [stem, file] of chosen) {
    const id = threadIdOf(stem)
    const key = id === undefined || keys.has(id) ? stem : id
    keys.add(key)
    yield refOf(root, key, file, titles)
  }
  if (failure !== undefined) throw failure
}

/** A file of any name, where its first lines are a rollout's. */
async function* theFile(
  folder: string,
  found: FoundName,
  titles: ThreadTitles,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const { name } = found
  const isNamedSo = /^rollout-/i.test(name)
  const head = isNamedSo
    ? 'not read'
    : await inListedFile(disk, path.join(folder, name), (one) => readHead(one, signal))
  if (head === undefined) return
  const key = threadIdOf(name) ?? rolloutStem(name)
  yield refOf(folder, key, sourceFileOf(name, found), titles)
}

/** The plain form is the one that is written; of two plain ones the longer, since the other was a copy of its beginning. */
function isBetter(file: SourceFile, before: SourceFile): boolean {
  const packed = isPackedName(file.file)
  if (packed !== isPackedName(before.file)) return !packed
  return !packed && file.bytes > before.bytes
}

function refOf(root: string, key: string, file: SourceFile, titles: ThreadTitles): SourceRef {
  const storedTitle = titles.get(key)
  const ref = refOfFile('codex', root, key, file)
  return storedTitle === undefined ? ref : { ...ref, storedTitle }
}

/** Returns a path as places name it: relative to the root, with slashes. */
export function placeOf(root: string, whole: string): string {
  return path.relative(root, whole).split(path.sep).join('/')
}
