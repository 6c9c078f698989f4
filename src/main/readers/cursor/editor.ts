import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { type Disk, DiskError, type FileStat } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import { readSmallText } from '../../disk/reading/read'
import { textIn } from '../common/drafts'
import { sourceFileOf } from '../common/found-files'
import { unreadableSource } from '../common/json-lines'
import { refOfFile } from '../common/one-file'
import { perFileCache } from '../common/per-file-cache'
import type { SourceRef } from '../common/reader'
import { readListLines } from '../common/rows/list-file'
import {
  type FactsElsewhere,
  type FoundChat,
  type FoundCursorChats,
  joinedChats,
  namesOrFault,
  placeOfChat,
  refOfChat,
} from './found'
import { pathOfUri } from './lines/file-uri'
import { cursorChatName, cursorFormat, listName, tabFormat } from './lines/names'
import type { ListedChatLine } from './state/chat-records'
import type { ListedTab } from './state/tab-records'

/** The name of the editor's databases. */
export const stateName = 'state.vscdb'

/**
 * Finds the chats in the editor's folder of user data: its own database, and those of workspaces.
 *
 * @param base the folder, relative to the root
 */
export async function findEditorChats(
  root: string,
  base: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<FoundCursorChats> {
  const storage = path.posix.join(base, 'workspaceStorage')
  const listed = await namesOrFault(disk, path.join(root, storage))
  const workspaces = await mapConcurrent(listed.names, async (name) => {
    signal.throwIfAborted()
    return readState(root, path.posix.join(storage, name, stateName), disk)
  })
  const own = await readState(root, path.posix.join(base, 'globalStorage', stateName), disk)
  return joinedChats([{ refs: [], faults: listed.faults }, chatsIn([own, ...workspaces])])
}

/** Finds the chats in one of the editor's databases. @param database relative to the root */
export async function findChatsIn(
  root: string,
  database: string,
  disk: Disk,
): Promise<FoundCursorChats> {
  return chatsIn([await readState(root, database, disk)])
}

/** The lists of a database, and the folder that it is of. */
interface StateLists {
  readonly stat: FileStat
  readonly chats: readonly ListedChatLine[]
  readonly others: readonly ListedTab[]
  readonly project: string | undefined
}

/** The content of a database, as far as it can be read. */
interface StateFacts {
  readonly refs: (told: ReadonlyMap<string, FactsElsewhere>) => readonly SourceRef[]
  /** Facts of chats, also of those that lie in another database. */
  readonly told: readonly (readonly [string, FactsElsewhere])[]
  readonly faults: readonly unknown[]
}

function chatsIn(found: readonly StateFacts[]): FoundCursorChats {
  const told = new Map(found.flatMap((one) => [...one.told]))
  return {
    refs: found.flatMap(({ refs }) => refs(told)),
    faults: found.flatMap(({ faults }) => faults),
  }
}

const known = perFileCache<StateLists>()

/** Reads again only what was written since: most workspaces are not open. */
async function readState(root: string, database: string, disk: Disk): Promise<StateFacts> {
  const file = path.join(root, database)
  const none = { refs: () => [], told: [], faults: [] }
  try {
    const stat = await withLog(disk, file)
    if (stat === undefined) return none
    const lists = await known.get(disk, file, stat, () => readLists(disk, file, stat))
    return factsOf(root, database, lists)
  } catch (error) {
    if (!(error instanceof DiskError) && !(error instanceof AppError)) throw error
    return { ...none, faults: [unreadableSource(file, error)] }
  }
}

async function readLists(disk: Disk, file: string, stat: FileStat): Promise<StateLists> {
  return {
    stat,
    chats: await readListLines<ListedChatLine>(disk, {
      container: file,
      format: cursorFormat,
      name: listName,
    }),
    others: await readListLines<ListedTab>(disk, {
      container: file,
      format: tabFormat,
      name: listName,
    }),
    project: await folderOf(disk, path.dirname(file)),
  }
}

function factsOf(
  root: string,
  database: string,
  { chats, others, project }: StateLists,
): StateFacts {
  const whole = chats.flatMap((one): readonly FoundChat[] =>
    'name' in one ? [{ ...one, key: one.id, database, format: cursorFormat }] : [],
  )
  const tabs = others.flatMap((one): readonly FoundChat[] =>
    one.type === 'tab'
      ? [{ ...one, key: one.id ?? `${database}/${one.name}`, database, format: tabFormat }]
      : [],
  )
  const unread = chats.flatMap((one) => ('fault' in one ? [one.id] : []))
  const named = others.flatMap((one): readonly (readonly [string, FactsElsewhere])[] =>
    one.type === 'chat' ? [[one.id, { title: one.title, project }]] : [],
  )
  const own = [...whole, ...tabs].map(({ key }) => [key, { project }] as const)
  const file = path.join(root, database)
  return {
    refs: (told) => [
      ...[...whole, ...tabs].map((chat) => refOfChat(root, chat, told.get(chat.key))),
      ...unread.map((id) => unreadRef(root, database, id)),
    ],
    told: project === undefined ? named : [...own, ...named],
    faults: [
      ...chats.flatMap((one) => ('damage' in one ? [one.damage] : [])),
      ...others.flatMap((one) => (one.type === 'fault' ? [one.fault] : [])),
    ].map((fault) => unreadableSource(file, new DiskError('io', file, `${stateName} ${fault}`))),
  }
}

/** Reading it reports why it cannot be read. */
function unreadRef(root: string, database: string, id: string): SourceRef {
  const place = placeOfChat(root, { database, format: cursorFormat, name: cursorChatName({ id }) })
  return refOfFile('cursor', root, id, sourceFileOf(place, { stat: undefined }))
}

/** Reads the stat of a database with its log, in which what is new lies; undefined where there is none. */
export async function withLog(disk: Disk, file: string): Promise<FileStat | undefined> {
  const stat = await disk.stat(file)
  if (stat?.kind !== 'file') return undefined
  const log = await disk.stat(`${file}-wal`)
  if (log === undefined) return stat
  return {
    ...stat,
    sizeBytes: stat.sizeBytes + log.sizeBytes,
    mtimeMs: Math.max(stat.mtimeMs, log.mtimeMs),
    identity: `${stat.identity} ${log.identity} ${stat.mtimeMs}`,
  }
}

/** The folder that a workspace is of, from the file beside its database. */
async function folderOf(disk: Disk, workspace: string): Promise<string | undefined> {
  const text = await readSmallText(disk, path.join(workspace, 'workspace.json'))
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text)
    const uri = isJsonObject(value) ? (textIn(value.folder) ?? textIn(value.workspace)) : undefined
    return uri === undefined ? undefined : pathOfUri(uri)
  } catch {
    return undefined // Half of it: it is being written.
  }
}
