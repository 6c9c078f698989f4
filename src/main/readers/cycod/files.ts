import path from 'node:path'
import type { Disk, FileStat } from '../../disk/disk'
import { inTurn } from '../../disk/in-turn'
import { isNotFound } from '../../disk/read'
import { unreadable } from '../json-lines'
import type { SourceRef } from '../reader'

/** cycod's own folders for conversations, below `.cycod`: everything in them that can be one is. */
const ownFolders = ['history', 'exceptions']
const anyName = /^[^.].*\.jsonl(?:\.gz|\.zst)?$/i
/** Crashes write their file into the folder that was worked in, `/save` too: other files may lie there. */
const cycodName = /^(?:exception-)?chat-history.*\.jsonl(?:\.gz|\.zst)?$/i

/**
 * The conversations under a root, by folder and name: cycod's own folder, a folder of its files, or one file of any name.
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed
 */
export async function* listFiles(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const stat = await statOf(disk, root)
  if (stat?.kind === 'file')
    yield refOf(path.dirname(root), path.basename(root), stemOf(root), stat)
  if (stat?.kind !== 'directory') return
  const keys = new Set<string>()
  for (const folder of ['', ...ownFolders]) {
    const names = await namesIn(disk, path.join(root, folder))
    const stats = await inTurn(names, async (name) => {
      signal.throwIfAborted()
      // One that nothing can be told of is listed all the same: reading it says why.
      return disk.stat(path.join(root, folder, name)).catch(() => unknownFile)
    })
    for (const [at, name] of names.entries()) {
      const file = path.posix.join(folder, name)
      const found = stats[at]
      if (found?.kind !== 'file') continue
      const stem = stemOf(name)
      // Two folders may hold files of one name, such as copies.
      const key = keys.has(stem) ? path.posix.join(folder, stem) : stem
      keys.add(key)
      yield refOf(root, file, key, found)
    }
  }
}

/** When a conversation began, by its file's name: `chat-history-1754437000000`. Unix seconds; it is the only time in the format. */
export function createdAtOf(key: string): number | undefined {
  const ms = /(?:^|-)(\d{13})(?!\d)/.exec(key)?.[1]
  return ms === undefined ? undefined : Number(ms) / 1000
}

/** The name without what says how it is written. */
function stemOf(file: string): string {
  return path.parse(file.replace(/\.(?:gz|zst)$/i, '')).name
}

async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  const pattern = ownFolders.includes(path.basename(folder)) ? anyName : cycodName
  try {
    return (await disk.list(folder)).filter((name) => pattern.test(name)).sort()
  } catch (error) {
    if (isNotFound(error)) return []
    throw unreadable(folder, error)
  }
}

const unknownFile = { kind: 'file', sizeBytes: 0, mtimeMs: undefined } as const

type FoundFile = Pick<FileStat, 'sizeBytes'> & {
  readonly mtimeMs: number | undefined
  readonly identity?: string
}

async function statOf(disk: Disk, root: string): Promise<FileStat | undefined> {
  try {
    return await disk.stat(root)
  } catch (error) {
    throw unreadable(root, error)
  }
}

function refOf(root: string, file: string, key: string, stat: FoundFile): SourceRef {
  const { sizeBytes: bytes, mtimeMs, identity } = stat
  const known = identity === undefined ? {} : { identity }
  const files = [{ file, bytes, mtimeMs, ...known }]
  return { source: 'cycod', root, key, files, bytes, updatedAtMs: mtimeMs }
}
