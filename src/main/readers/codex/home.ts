import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { FirstFailure } from '../common/first-failure'
import { isFolder, sortedNamesIn, statNames } from '../common/found-files'
import type { BackupRule } from '../known/backup-rule'

const threadFolders = ['sessions', 'archived_sessions']
/** Folders that hold rollouts or such folders: the two, years, months and days. */
const folderName = /^(?:sessions|archived_sessions|\d{4}|\d{2})$/
/** Matches the name of a thread’s file. */
export const rolloutName = /^rollout-.*\.jsonl(?:\.gz|\.zst)?$/is
/** Of `sessions/2026/11/29`, with one to spare. */
const deepest = 5

/** Rollouts, plain and packed, and the list of titles; the database that has titles too is not among them. */
export const codexBackup: BackupRule = {
  folders: threadFolders,
  levels: 5,
  isWanted: (file) => rolloutName.test(path.posix.basename(file)),
  isBeside: (name) => name === 'session_index.jsonl',
}

/**
 * Lists the folders with rollouts from a folder down, each with their sorted names.
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed; what else is there is listed before
 */
export async function* rolloutFolders(
  disk: Disk,
  folder: string,
  signal: AbortSignal,
  depth = 0,
): AsyncGenerator<{ readonly folder: string; readonly names: readonly string[] }> {
  signal.throwIfAborted()
  const all = await sortedNamesIn(disk, folder)
  const names = all.filter((name) => rolloutName.test(name))
  if (names.length > 0) yield { folder, names }
  if (depth === deepest) return
  const below = await statNames(
    disk,
    folder,
    all.filter((name) => folderName.test(name)),
    signal,
  )
  const failure = new FirstFailure()
  for (const one of below)
    if (isFolder(one))
      yield* failure.in(rolloutFolders(disk, path.join(folder, one.name), signal, depth + 1))
    else failure.passedBy(one)
  failure.throw()
}

/** Returns Codex's own folder for a root that is it, a folder inside its `sessions`, or a file there. */
export function codexHomeOf(root: string): string {
  const parts = root.split(path.sep)
  const at = parts.findLastIndex((part) => threadFolders.includes(part))
  return at <= 0 ? root : parts.slice(0, at).join(path.sep) || path.sep
}

/** Returns the id of a rollout's thread, by its name; undefined where the name has none. */
export function threadIdOf(name: string): string | undefined {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(rolloutStem(name))?.[1]
}

/** Returns the name of a rollout without its extensions. */
export function rolloutStem(name: string): string {
  return path.posix.basename(name).replace(/\.jsonl(?:\.gz|\.zst)?$/i, '')
}

/** Returns true for the name of a rollout that is packed. */
export function isPackedName(name: string): boolean {
  return /\.(?:gz|zst)$/i.test(name)
}
