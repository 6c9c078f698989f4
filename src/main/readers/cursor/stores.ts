import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type Disk, DiskError, type FileStat } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import { sourceFileOf } from '../common/found-files'
import { refOfFile } from '../common/one-file'
import { perFileCache } from '../common/per-file-cache'
import type { SourceRef } from '../common/reader'
import { readListLines } from '../common/rows/list-file'
import { withLog } from './editor'
import { type FoundCursorChats, joinedChats, namesOrFault, placeOfChat, refOfChat } from './found'
import { cursorChatName } from './lines/names'
import { type ListedStore, storeFormat, storeListName } from './store/store-records'

/** The name of the command line's databases, one in the folder of each chat. */
export const storeName = 'store.db'

/**
 * Finds the chats of the command line: folders of chats, in a folder for each project.
 *
 * @param folder of projects, relative to the root
 *
 * @param parents the chats that called others
 */
export async function findStores(
  root: string,
  folder: string,
  parents: ReadonlyMap<string, string>,
  disk: Disk,
  signal: AbortSignal,
): Promise<FoundCursorChats> {
  const projects = await namesOrFault(disk, path.join(root, folder))
  const found = await mapConcurrent(projects.names, async (project) => {
    const place = path.posix.join(folder, project)
    const chats = await namesOrFault(disk, path.join(root, place))
    const refs = await mapConcurrent(chats.names, (name) => {
      signal.throwIfAborted()
      return storeRef(root, path.posix.join(place, name, storeName), parents, disk)
    })
    return { refs: refs.flatMap((ref) => ref ?? []), faults: chats.faults }
  })
  return joinedChats([{ refs: [], faults: projects.faults }, ...found])
}

/** Makes the reference of the chat in a store; undefined for none. @param database relative to the root */
export async function storeRef(
  root: string,
  database: string,
  parents: ReadonlyMap<string, string>,
  disk: Disk,
): Promise<SourceRef | undefined> {
  const file = path.join(root, database)
  const key = path.basename(path.dirname(file))
  const name = cursorChatName({ id: key, parent: parents.get(key) })
  const place = { database, format: storeFormat, name }
  try {
    const stat = await withLog(disk, file)
    if (stat === undefined) return undefined
    const beside = await disk.stat(path.join(path.dirname(file), 'meta.json'))
    const { listed } = await known.get(disk, file, joined(stat, beside), () =>
      readStore(disk, file, joined(stat, beside)),
    )
    if (listed === undefined || listed.isEmpty) return undefined
    return refOfChat(root, { key, ...place, ...listed })
  } catch (error) {
    if (!(error instanceof DiskError) && !(error instanceof AppError)) throw error
    // Reading it reports why.
    return refOfFile(
      'cursor',
      root,
      key,
      sourceFileOf(placeOfChat(root, place), { stat: undefined }),
    )
  }
}

const known = perFileCache<{ readonly stat: FileStat; readonly listed: ListedStore | undefined }>()

async function readStore(disk: Disk, file: string, stat: FileStat) {
  const [listed] = await readListLines<ListedStore>(disk, {
    container: file,
    format: storeFormat,
    name: storeListName,
  })
  return { stat, listed }
}

function joined(stat: FileStat, beside: FileStat | undefined): FileStat {
  if (beside === undefined) return stat
  const { identity, sizeBytes, mtimeMs } = beside
  return { ...stat, identity: `${stat.identity} ${identity} ${sizeBytes} ${mtimeMs}` }
}
