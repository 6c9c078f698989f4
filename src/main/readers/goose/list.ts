import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import {
  type FoundName,
  findRoot,
  foundIn,
  isFolder,
  sortedNamesIn,
  sourceFileOf,
} from '../common/found-files'
import { refOfFile } from '../common/one-file'
import type { SourceRef } from '../common/reader'
import { conversationsIn, type FoundInDatabase } from '../common/rows/listed-conversations'
import { gooseHead } from './head'
import { gooseTables } from './tables'

/** Folders of sessions, in the program's folder of data, and in the one that holds all of its folders. */
export const gooseFolders: readonly string[] = ['sessions', 'data/sessions']
const databaseName = 'sessions.db'
const fileName = /^[^.].*\.jsonl$/i

/**
 * Lists the sessions under a root: Goose's folder of data, the folder of sessions, or one file. The database has what older files
 * had when it was begun: a session that is in both is listed from the database.
 *
 * @throws AppError `unreadable` the database or a folder cannot be listed; the others are
 */
export async function* listGoose(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  if (top.type === 'file') {
    const { name } = top.found
    if (fileName.test(name)) yield fileRef(top.folder, name, top.found)
    if (!name.endsWith('.db')) return
    const { refs, fault } = await inDatabase(top.folder, name, disk)
    yield* refs
    if (fault !== undefined) throw fault
    return
  }
  const folder = await folderIn(root, disk)
  const { refs, fault } = await inDatabase(root, path.posix.join(folder, databaseName), disk)
  yield* refs
  const listed = new Set(refs.map(({ key }) => key))
  for (const one of await foundIn(disk, root, folder, signal)) {
    if (!fileName.test(one.name) || isFolder(one)) continue
    const ref = fileRef(root, path.posix.join(folder, one.name), one)
    if (!listed.has(ref.key)) yield ref
  }
  if (fault !== undefined) throw fault
}

/** The folder of sessions below a root: `GOOSE_PATH_ROOT` has a folder of data in it. */
async function folderIn(root: string, disk: Disk): Promise<string> {
  for (const folder of gooseFolders) {
    const names = await sortedNamesIn(disk, path.dirname(path.join(root, folder)))
    if (names.includes(path.basename(folder))) return folder
  }
  return ''
}

function inDatabase(root: string, database: string, disk: Disk): Promise<FoundInDatabase> {
  return conversationsIn(
    { source: 'goose', format: gooseTables.id, headOf: gooseHead },
    root,
    database,
    disk,
  )
}

function fileRef(root: string, file: string, one: Omit<FoundName, 'name'>): SourceRef {
  const key = path.posix.basename(file).replace(/\.jsonl$/i, '')
  return { ...refOfFile('goose', root, key, sourceFileOf(file, one)), isLinear: true }
}
