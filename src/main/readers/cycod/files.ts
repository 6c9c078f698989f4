import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { FirstFailure } from '../common/first-failure'
import {
  type FoundName,
  findRoot,
  sortedNamesIn,
  sourceFileOf,
  statNames,
} from '../common/found-files'
import { refOfFile } from '../common/one-file'
import type { SourceRef } from '../common/reader'
import type { BackupRule } from '../known/backup-rule'

/** cycod's own folders for conversations, below `.cycod`: everything in them that can be one is. */
const ownFolders = ['history', 'exceptions']
const anyName = /^[^.].*\.jsonl(?:\.gz|\.zst)?$/is
/** Crashes write their file into the folder that was worked in, `/save` too: other files may lie there. */
const cycodName = /^(?:exception-)?chat-history.*\.jsonl(?:\.gz|\.zst)?$/is

/** Everything in cycod's own folders, and conversations beside them. */
export const cycodBackup: BackupRule = {
  folders: ownFolders,
  levels: 1,
  isWanted(file, root) {
    const { dir, base } = path.parse(path.join(root, file))
    const isOwn = ownFolders.includes(path.basename(dir))
    return isOwn ? anyName.test(base) : !file.includes('/') && cycodName.test(base)
  },
  isBeside: (name) => cycodName.test(name),
}

/**
 * Lists the conversations under a root, by folder and name: cycod's own folder, a folder of its files, or one file of
 * any name.
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed
 */
export async function* listCycodFiles(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  if (top.type === 'file') {
    const { name } = top.found
    return yield refOf(top.folder, name, stemOf(name), top.found)
  }
  const keys = new Set<string>()
  const failure = new FirstFailure()
  for (const folder of ['', ...ownFolders]) {
    const whole = path.join(root, folder)
    const pattern = ownFolders.includes(path.basename(whole)) ? anyName : cycodName
    const all = await failure.or(sortedNamesIn(disk, whole), [])
    const names = all.filter((name) => pattern.test(name))
    const found = await failure.or(statNames(disk, whole, names, signal), [])
    const stems = new Set<string>()
    for (const one of found) {
      const { name } = one
      const stem = stemOf(name)
      const key = freeKey(keys, folder, name, stems.has(stem) ? name : stem)
      keys.add(key)
      stems.add(stem)
      yield refOf(root, path.posix.join(folder, name), key, one)
    }
  }
  failure.throw()
}

/**
 * Two folders may hold files of one name, such as copies, and one folder files that differ in how they are written alone:
 * the later one has its folder in its key, its whole name, or both.
 */
function freeKey(taken: ReadonlySet<string>, folder: string, name: string, wanted: string): string {
  const keys = [wanted, path.posix.join(folder, wanted), name]
  return keys.find((key) => !taken.has(key)) ?? path.posix.join(folder, name)
}

/**
 * Returns when a conversation began by its file's name, `chat-history-1754437000000`, in Unix seconds; it is the only
 * time in the format.
 */
export function createdAtOf(key: string): number | undefined {
  const ms = /(?:^|[-/])(\d{13})(?!\d)/.exec(key)?.[1]
  return ms === undefined ? undefined : Number(ms) / 1000
}

/** The name without its extensions. */
function stemOf(file: string): string {
  return path.parse(file.replace(/\.(?:gz|zst)$/i, '')).name
}

function refOf(root: string, file: string, key: string, one: FoundName): SourceRef {
  return refOfFile('cycod', root, key, sourceFileOf(file, one))
}
