import path from 'node:path'
import type { Disk, FileStat } from '../../disk/disk'
import { inTurn } from '../../disk/in-turn'
import { isNotFound } from '../../disk/read'
import { unreadable } from '../json-lines'
import type { SourceFile, SourceRef } from '../reader'

/** The agent's folder for archives, inside a JID's. */
const archives = 'sessions'
/** What a JID's folder holds besides: profile, notes and knowledge are no conversations. */
const ownName = /^history\.(?:jsonl(?:\.gz|\.zst)?|md)$/i
const archiveName = /^[^.].*\.(?:jsonl(?:\.gz|\.zst)?|md)$/is

/**
 * The conversations under a root, by JID and name: the agent's memory, the folder of one JID (it holds its history or
 * archives), that of its archives, or one file of any name. The active session goes before the archives.
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed; those of the other JIDs are told before
 */
export async function* listFiles(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const stat = await statOf(disk, root)
  if (stat?.kind === 'file') yield refOfFile(root, stat)
  if (stat?.kind !== 'directory') return
  const names = await namesIn(disk, root)
  if (names.some((name) => ownName.test(name)) || (await hasArchives(disk, root, names)))
    return yield* refsOf(root, '', nameOf(root), disk, signal)
  if (path.basename(root) === archives) {
    const files = await filesIn(disk, root, '', archiveName, signal)
    return yield* withKeys({ root, jid: nameOf(path.dirname(root)), isArchive: true }, files)
  }
  let failure: unknown
  for (const jid of names.filter((name) => !name.startsWith('.')))
    try {
      yield* refsOf(root, jid, jid, disk, signal)
    } catch (error) {
      signal.throwIfAborted()
      failure ??= error
    }
  if (failure !== undefined) throw failure
}

/** The JID that a key is of. */
export function jidOf(key: string): string {
  return key.split('/', 1)[0] ?? key
}

/** @param folder of the JID, relative to the root */
async function* refsOf(
  root: string,
  folder: string,
  jid: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const taken = new Set<string>()
  const own = await filesIn(disk, root, folder, ownName, signal)
  yield* withKeys({ root, jid, isArchive: false }, own, taken)
  const inside = await filesIn(disk, root, path.posix.join(folder, archives), archiveName, signal)
  yield* withKeys({ root, jid, isArchive: true }, inside, taken)
}

interface Whose {
  readonly root: string
  readonly jid: string
  readonly isArchive: boolean
}

function* withKeys(
  { root, jid, isArchive }: Whose,
  files: readonly SourceFile[],
  taken = new Set<string>(),
): Generator<SourceRef> {
  for (const file of files) {
    const name = path.posix.basename(file.file)
    // Two files may differ in how they are written alone, and an archive may have any name.
    const keys = [keyOf(jid, name, isArchive), `${jid}/${name}`, `${jid}/${archives}/${name}`]
    const key = keys.find((one) => !taken.has(one))
    if (key === undefined) continue
    taken.add(key)
    yield refOf(root, key, file)
  }
}

function refOfFile(whole: string, stat: FileStat): SourceRef {
  const folder = path.dirname(whole)
  const isArchive = path.basename(folder) === archives
  const jid = nameOf(isArchive ? path.dirname(folder) : folder)
  const name = path.basename(whole)
  return refOf(folder, keyOf(jid, name, isArchive), sourceFile(name, stat))
}

/** The active session is its JID's conversation; the others have their names, documents with what tells them as such. */
function keyOf(jid: string, name: string, isArchive: boolean): string {
  const stem = stemOf(name)
  return !isArchive && stem.toLowerCase() === 'history' ? jid : `${jid}/${stem}`
}

/** The name without what says how lines are written. */
function stemOf(name: string): string {
  return name.replace(/\.jsonl(?:\.gz|\.zst)?$/i, '')
}

/** Keys are never empty, as the name of the file system's own root is. */
function nameOf(folder: string): string {
  return path.basename(folder) || 'fluux'
}

async function hasArchives(disk: Disk, root: string, names: readonly string[]): Promise<boolean> {
  if (!names.includes(archives)) return false
  return (await statOf(disk, path.join(root, archives)))?.kind === 'directory'
}

async function filesIn(
  disk: Disk,
  root: string,
  folder: string,
  pattern: RegExp,
  signal: AbortSignal,
): Promise<readonly SourceFile[]> {
  const whole = path.join(root, folder)
  const names = (await namesIn(disk, whole)).filter((name) => pattern.test(name))
  const stats = await inTurn(names, async (name) => {
    signal.throwIfAborted()
    // One that nothing can be told of is listed all the same: reading it says why.
    return disk.stat(path.join(whole, name)).catch(() => unknownFile)
  })
  return names.flatMap((name, at) => {
    const stat = stats[at]
    return stat?.kind === 'file' ? [sourceFile(path.posix.join(folder, name), stat)] : []
  })
}

/** Sorted; none where no folder is. */
async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return [...(await disk.list(folder))].sort()
  } catch (error) {
    if (isNotFound(error)) return []
    throw unreadable(folder, error)
  }
}

async function statOf(disk: Disk, place: string): Promise<FileStat | undefined> {
  try {
    return await disk.stat(place)
  } catch (error) {
    throw unreadable(place, error)
  }
}

const unknownFile = { kind: 'file', sizeBytes: 0, mtimeMs: undefined } as const

type FoundFile = Pick<FileStat, 'sizeBytes'> & {
  readonly mtimeMs: number | undefined
  readonly identity?: string
}

function sourceFile(file: string, stat: FoundFile): SourceFile {
  const { sizeBytes: bytes, mtimeMs, identity } = stat
  const known = identity === undefined ? {} : { identity }
  return { file, bytes, mtimeMs, ...known, ...(/\.md$/i.test(file) ? { isDocument: true } : {}) }
}

function refOf(root: string, key: string, file: SourceFile): SourceRef {
  const { bytes, mtimeMs: updatedAtMs } = file
  return { source: 'fluux', root, key, files: [file], bytes, updatedAtMs }
}
