import type { JsonObject } from '../../../../shared/model/basics/json-object'
import { isDamaged } from '../../common/rows/database-file'
import { hasLost } from '../../common/rows/row-list'
import { bubbleFactsFrom, factKeys, wordsOfChat } from './bubble-facts'
import { type ChatLayout, layOutChat } from './chat-layout'
import type { ChatOverview, ChatReader } from './chat-reader'
import { chatRowsFrom } from './chat-rows'
import { bubbleQuery, chatQueries } from './chat-sql'

/** A chat without its lines. */
export interface ListedChat extends Omit<ChatLayout, 'lines'> {
  /** A person's first words, where the chat has no name. */
  readonly words: string | undefined
  /** It has lines: an empty tab has none. */
  readonly isEmpty: boolean
}

/** The chats of a database at one moment. */
export interface ChatListing {
  readonly chats: readonly ListedChat[]
  /** Chats whose rows could not be read, with the reason as the end of a sentence. */
  readonly unread: ReadonlyMap<string, string>
  /** Why the database is not whole, as the end of a sentence. */
  readonly fault: string | undefined
}

/** Chats read at once: a query must be short, or a busy writer overtakes it. */
const batch = 50
/** The chats that were written last are read again with every change. */
const mostRecent = 8

interface Remembered extends Omit<ChatOverview, 'written' | 'fault'> {
  readonly chats: ReadonlyMap<string, ListedChat>
}

/**
 * Creates a function that lists the chats of a database and remembers them: the first list reads the length of every
 * message; later ones only of chats that were written since. @throws SqliteError
 */
export function chatLister(reader: ChatReader): (path: string) => Promise<ChatListing> {
  const remembered = new Map<string, Remembered>()
  return async (path) => {
    const before = remembered.get(path)
    const now = await reader.overview(path, before?.greatest)
    const { fault } = now
    const chats = new Map(before?.chats)
    if (before?.state === now.state) return { chats: [...chats.values()], unread: new Map(), fault }
    const recent = newestOf(now.records)
    const isSame = (id: string) =>
      chats.has(id) &&
      !recent.has(id) &&
      !now.written.has(id) &&
      now.records.has(id) &&
      before?.records.get(id) === now.records.get(id)
    const ids = new Set([...now.records.keys(), ...now.written, ...chats.keys()])
    const unread = await readInto(
      chats,
      reader,
      path,
      [...ids].filter((id) => !isSame(id)),
    )
    const { state, records, greatest } = now
    // What could not be read is tried again.
    if (unread.size === 0) remembered.set(path, { state, chats, records, greatest })
    return { chats: [...chats.values()], unread, fault }
  }
}

/** A chat with its lines. */
export interface LaidChat extends ChatLayout, Pick<ListedChat, 'words'> {
  /** Pages of the database are damaged, and may have had rows of it. */
  readonly mayLack: boolean
}

/**
 * Lays out some chats; those of which nothing is there are left out.
 *
 * @throws SqliteError
 */
export async function layOutChats(
  reader: ChatReader,
  path: string,
  ids: readonly string[],
): Promise<readonly LaidChat[]> {
  const answer = await reader.read(path, ids, (schema, rows) => chatQueries(schema, ids, rows))
  const chats = chatRowsFrom(answer.answers[0], answer.answers[1])
  const keys = chats.flatMap(factKeys)
  const told = await reader.read(path, ids, (schema, rows) => [bubbleQuery(schema, keys, rows)])
  const facts = bubbleFactsFrom(told.answers[0])
  const mayLack = hasLost(answer)
  return chats.map((rows) => {
    return { ...layOutChat(rows, facts), words: wordsOfChat(rows, facts), mayLack }
  })
}

async function readInto(
  chats: Map<string, ListedChat>,
  reader: ChatReader,
  path: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const unread = new Map<string, string>()
  const readSome = async (some: readonly string[]) => {
    const found = await layOutChats(reader, path, some)
    for (const id of some) chats.delete(id)
    for (const { lines, mayLack: _, ...chat } of found)
      chats.set(chat.id, { ...chat, row: listedMembers(chat.row), isEmpty: lines.length === 0 })
  }
  for (let at = 0; at < ids.length; at += batch) {
    const some = ids.slice(at, at + batch)
    try {
      await readSome(some)
    } catch (error) {
      if (!isDamaged(error)) throw error
      // A damaged page is of one chat or two: the others can be read.
      for (const id of some)
        await readSome([id]).catch((fault: unknown) => {
          if (!isDamaged(fault)) throw fault
          unread.set(id, fault.message)
          chats.delete(id)
        })
    }
  }
  return unread
}

/** Summaries and the like are large, and a list shows none. */
function listedMembers(row: JsonObject): JsonObject {
  const { latestConversationSummary: _summary, todos: _todos, ...listed } = row
  return listed
}

function newestOf(records: ReadonlyMap<string, number>): ReadonlySet<string> {
  const sorted = [...records].sort(([, a], [, b]) => b - a)
  return new Set(sorted.slice(0, mostRecent).map(([id]) => id))
}
