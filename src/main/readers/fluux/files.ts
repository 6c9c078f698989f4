import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import {
  type FoundName,
  findRoot,
  isGarbled,
  missingWords,
  sortedNamesIn,
  sourceFileOf,
  statNames,
  statSource,
} from '../common/found-files'
import { refOfFile } from '../common/one-file'
import type { SourceFile, SourceRef } from '../common/reader'

/** The agent's folder for archives, inside a JID's. */
const archives = 'sessions'
/** Names of conversations in a JID's folder: its profile, notes and knowledge are none. */
const ownName = /^history\.(?:jsonl(?:\.gz|\.zst)?|md)$/i
const archiveName = /^[^.].*\.(?:jsonl(?:\.gz|\.zst)?|md)$/is

/**
 * Lists the conversations under a root, by JID and name: the agent's memory, the folder of one JID (it holds its
 * history or archives), that of its archives, or one file of any name. The active session comes before the archives.
 *
 * A folder may look like several of these, as a memory does that also holds a file of such a name: then it is read as
 * each of them.
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed; what else is there is listed before
 */
export async function* listFluuxFiles(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  if (top.type === 'file') return yield refOfRoot(top.folder, top.found)
  const names = await sortedNamesIn(disk, root)
  const taken = new Set<string>()
  const isArchives = path.basename(root) === archives
  const jids = await jidsAmong(names, root, disk, signal)
  const parts = [
    () => (isArchives ? archivesIn(root, taken, disk, signal) : []),
    () => refsOf({ root, folder: '', jid: nameOf(root), skipOwn: isArchives }, taken, disk, signal),
    ...jids.map((jid) => () => refsOf({ root, folder: jid, jid }, taken, disk, signal)),
  ]
  let failure: unknown
  for (const part of parts)
    try {
      yield* part()
    } catch (error) {
      signal.throwIfAborted()
      failure ??= error
    }
  if (failure !== undefined) throw failure
}

/** Returns the JID of a conversation's key. */
export function jidOf(key: string): string {
  return key.split('/', 1)[0] ?? key
}

/** Returns true for a conversation in the agent's folder for archives, whatever the root is. */
export function isArchived({ root, files }: Pick<SourceRef, 'root' | 'files'>): boolean {
  return files.some(({ file }) => path.basename(path.dirname(path.join(root, file))) === archives)
}

/** Folders, and what may be some. */
async function jidsAmong(
  names: readonly string[],
  root: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const others = names.filter((name) => !name.startsWith('.') && name !== archives)
  const found = await statNames(disk, root, others, signal)
  return found.flatMap(({ name, stat }) =>
    stat === undefined || stat.kind === 'directory' ? [name] : [],
  )
}

/** The place of a JID's files. */
interface JidFolder {
  readonly root: string
  /** Relative to the root. */
  readonly folder: string
  readonly jid: string
  /** Files in the folder itself are listed elsewhere. */
  readonly skipOwn?: boolean
}

/** None where the folder is none of a JID. */
async function* refsOf(
  { root, folder, jid, skipOwn = false }: JidFolder,
  taken: Set<string>,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  await mustBeFound(disk, root, folder)
  const own = skipOwn ? [] : await filesIn(disk, root, folder, ownName, signal)
  yield* withKeys({ root, jid, isArchive: false }, own, taken)
  const inside = await filesIn(disk, root, path.posix.join(folder, archives), archiveName, signal)
  yield* withKeys({ root, jid, isArchive: true }, inside, taken)
}

/** The root is the folder of a JID's archives. */
async function* archivesIn(
  root: string,
  taken: Set<string>,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const files = await filesIn(disk, root, '', archiveName, signal)
  yield* withKeys({ root, jid: nameOf(path.dirname(root)), isArchive: true }, files, taken)
}

/** A folder of a garbled name found as if it were not there. @throws AppError `unreadable` */
async function mustBeFound(disk: Disk, root: string, folder: string): Promise<void> {
  if (!isGarbled(folder) || (await statSource(disk, path.join(root, folder))) !== undefined) return
  const words = `${folder} cannot be read: it ${missingWords(folder)}.`
  throw new AppError('unreadable', words, { detail: path.join(root, folder) })
}

interface JidFiles {
  readonly root: string
  readonly jid: string
  readonly isArchive: boolean
}

function* withKeys(
  { root, jid, isArchive }: JidFiles,
  files: readonly SourceFile[],
  taken: Set<string>,
): Generator<SourceRef> {
  for (const file of files) {
    const name = path.posix.basename(file.file)
    // Two files may differ in how they are written alone, an archive may have any name, and a JID that of the root.
    const keys = [keyOf(jid, name, isArchive), `${jid}/${name}`, `${jid}/${archives}/${name}`]
    const key = keys.find((one) => !taken.has(one)) ?? `${nameOf(root)}/${file.file}`
    taken.add(key)
    yield refOfFile('fluux', root, key, file)
  }
}

/** The root is one file. */
function refOfRoot(folder: string, found: FoundName): SourceRef {
  const isArchive = path.basename(folder) === archives
  const jid = nameOf(isArchive ? path.dirname(folder) : folder)
  const { name } = found
  return refOfFile('fluux', folder, keyOf(jid, name, isArchive), sourceFile(name, found))
}

/** The active session is its JID's conversation; the others have their names, documents with their extension. */
function keyOf(jid: string, name: string, isArchive: boolean): string {
  const stem = stemOf(name)
  return !isArchive && stem.toLowerCase() === 'history' ? jid : `${jid}/${stem}`
}

/** The name without the extensions of lines. */
function stemOf(name: string): string {
  return name.replace(/\.jsonl(?:\.gz|\.zst)?$/i, '')
}

/** Keys are never empty, as the name of the file system's own root is. */
function nameOf(folder: string): string {
  return path.basename(folder) || 'fluux'
}

async function filesIn(
  disk: Disk,
  root: string,
  folder: string,
  pattern: RegExp,
  signal: AbortSignal,
): Promise<readonly SourceFile[]> {
  const whole = path.join(root, folder)
  const names = (await sortedNamesIn(disk, whole)).filter((name) => pattern.test(name))
  const found = await statNames(disk, whole, names, signal)
  return found.map((one) => sourceFile(path.posix.join(folder, one.name), one))
}

function sourceFile(file: string, one: FoundName): SourceFile {
  return { ...sourceFileOf(file, one), ...(/\.md$/i.test(file) ? { isDocument: true } : {}) }
}
