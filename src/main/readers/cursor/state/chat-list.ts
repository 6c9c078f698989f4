import type { JsonObject } from '../../../../shared/model/basics/json-object'
import { isDamaged } from '../../common/rows/database-file'
import type { SchemaReader } from '../../common/rows/table-schema'
import { bubbleFactsFrom, factKeys, wordsOfChat } from './bubble-facts'
import { type ChatLayout, layOutChat } from './chat-layout'
import { chatRowsFrom } from './chat-rows'
import { bubbleQuery, chatOverviewQueries, chatQueries, hasChats } from './chat-sql'

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
}

/** Chats read at once: a query must be short, or a busy writer overtakes it. */
const batch = 50
/** The chats that were written last are read again with every change. */
const mostRecent = 8

interface Remembered {
  readonly state: string
  readonly chats: ReadonlyMap<string, ListedChat>
  /** By id: the rowid of its record. Cursor writes a row anew, under a greater one. */
  readonly records: ReadonlyMap<string, number>
  readonly greatest: number
}

/**
 * Creates a function that lists the chats of a database and remembers them: the first list reads the length of every
 * message; later ones only of chats that were written since. @throws SqliteError
 */
export function chatLister(reader: SchemaReader): (path: string) => Promise<ChatListing> {
  const remembered = new Map<string, Remembered>()
  return async (path) => {
    const before = remembered.get(path)
    const now = await overview(reader, path, before)
    const chats = new Map(before?.chats)
    if (before?.state === now.state) return { chats: [...chats.values()], unread: new Map() }
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
    return { chats: [...chats.values()], unread }
  }
}

/**
 * Lays out some chats; those of which nothing is there are left out.
 *
 * @throws SqliteError
 */
export async function layOutChats(
  reader: SchemaReader,
  path: string,
  ids: readonly string[],
): Promise<readonly (ChatLayout & Pick<ListedChat, 'words'>)[]> {
  const { answers } = await reader.read(path, (schema) => chatQueries(schema, ids))
  const chats = chatRowsFrom(answers[0], answers[1])
  const keys = chats.flatMap(factKeys)
  const told = await reader.read(path, (schema) => [bubbleQuery(schema, keys)])
  const facts = bubbleFactsFrom(told.answers[0])
  return chats.map((rows) => ({ ...layOutChat(rows, facts), words: wordsOfChat(rows, facts) }))
}

interface Overview extends Omit<Remembered, 'chats'> {
  /** Chats with messages that were written since. */
  readonly written: ReadonlySet<string>
}

async function overview(
  reader: SchemaReader,
  path: string,
  before: Remembered | undefined,
): Promise<Overview> {
  const seen = before?.greatest
  const { schema, state, answers } = await reader.read(path, (known) =>
    chatOverviewQueries(known, seen),
  )
  const [records, [[last] = []] = [], written] = answers.map(({ rows }) => rows)
  const greatest = typeof last === 'number' ? last : 0
  // Rows were numbered anew, or the newest are gone: nothing says which are new.
  if (seen !== undefined && greatest < seen && hasChats(schema))
    return overview(reader, path, undefined)
  return {
    state,
    greatest,
    records: new Map(
      (records ?? []).map(([id, rowid]): [string, number] => [String(id), Number(rowid)]),
    ),
    written: new Set((written ?? []).map(([id]) => String(id)).filter((id) => id !== '')),
  }
}

async function readInto(
  chats: Map<string, ListedChat>,
  reader: SchemaReader,
  path: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const unread = new Map<string, string>()
  const readSome = async (some: readonly string[]) => {
    const found = await layOutChats(reader, path, some)
    for (const id of some) chats.delete(id)
    for (const { lines, ...chat } of found)
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
