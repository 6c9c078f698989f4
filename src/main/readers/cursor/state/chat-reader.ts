import type { Databases } from '../../../sqlite/databases'
import { isDamaged } from '../../common/rows/database-file'
import { hasLost } from '../../common/rows/row-list'
import {
  type SchemaAnswer,
  type SchemaQuery,
  type SchemaReader,
  schemaReader,
  type TableSchema,
} from '../../common/rows/table-schema'
import { chatOverviewQueries, hasChats, stateTables, walkQuery } from './chat-sql'

/** The chats of a database at one moment, and which of them were written since another. */
export interface ChatOverview {
  readonly state: string
  /** By id: the rowid of its record. Cursor writes a row anew, under a greater one. */
  readonly records: ReadonlyMap<string, number>
  readonly greatest: number
  /** Chats with messages that were written since. */
  readonly written: ReadonlySet<string>
  /** Why the database is not whole, as the end of a sentence. */
  readonly fault?: string | undefined
}

/** Reads the rows of chats by their keys; where the index of keys is damaged, among all rows, which are looked through once. */
export interface ChatReader {
  /** @param seen rows behind it count as written since; all of them without it. @throws SqliteError */
  overview(path: string, seen: number | undefined): Promise<ChatOverview>
  /**
   * Reads rows of some chats.
   *
   * @param queries makes the queries; `rows` are those of the chats where no index finds them
   * @throws SqliteError
   */
  read(
    path: string,
    chats: readonly string[],
    queries: (schema: TableSchema, rows: readonly number[] | undefined) => readonly SchemaQuery[],
  ): Promise<SchemaAnswer>
}

/** Result of looking through all rows. */
interface Walk {
  readonly overview: ChatOverview
  /** By chat: all of its rows. */
  readonly rows: ReadonlyMap<string, readonly number[]>
  /** Rows that were not found: nothing tells whose they are. */
  readonly lost: SchemaAnswer['lost']
}

const mostTries = 3

/** Creates a reader of the chats in the editor's databases, which remembers the rows of those whose index is damaged. */
export function chatRowReader(databases: Databases): ChatReader {
  const byKey = schemaReader(databases, stateTables)
  const pastDamage = schemaReader(databases, { ...stateTables, isReadPastDamage: true })
  const walks = new Map<string, Walk>()

  async function overview(path: string, seen: number | undefined): Promise<ChatOverview> {
    const known = walks.get(path)
    if (known !== undefined) {
      const { state } = await pastDamage.read(path, () => [])
      if (state === known.overview.state) return known.overview
      walks.delete(path)
    }
    try {
      return await overviewByKey(byKey, path, seen)
    } catch (error) {
      if (!isDamaged(error)) throw error
      return (await walked(path)).overview
    }
  }

  async function walked(path: string): Promise<Walk> {
    const walk = walks.get(path) ?? (await walkThrough(pastDamage, path))
    walks.set(path, walk)
    return walk
  }

  const read: ChatReader['read'] = async (path, chats, queries) => {
    for (let tries = 1; ; tries++) {
      if (!walks.has(path))
        try {
          return await byKey.read(path, (schema) => queries(schema, undefined))
        } catch (error) {
          if (!isDamaged(error) || (await isIndexWhole(path))) throw error
        }
      const walk = await walked(path)
      const rows = chats.flatMap((chat) => walk.rows.get(chat) ?? [])
      const answer = await pastDamage.read(path, (schema) => queries(schema, rows))
      if (answer.state === walk.overview.state || tries === mostTries)
        return { ...answer, lost: walk.lost }
      walks.delete(path)
    }
  }

  /** Damage may be of a row alone. */
  async function isIndexWhole(path: string): Promise<boolean> {
    try {
      await overviewByKey(byKey, path, undefined)
      return true
    } catch (error) {
      if (!isDamaged(error)) throw error
      return false
    }
  }

  return { overview, read }
}

async function overviewByKey(
  reader: SchemaReader,
  path: string,
  seen: number | undefined,
): Promise<ChatOverview> {
  const { schema, state, answers, fault } = await reader.read(path, (known) =>
    chatOverviewQueries(known, seen),
  )
  const [records, [[last] = []] = [], written] = answers.map(({ rows }) => rows)
  const greatest = typeof last === 'number' ? last : 0
  // Rows were numbered anew, or the newest are gone: nothing says which are new.
  if (seen !== undefined && greatest < seen && hasChats(schema))
    return overviewByKey(reader, path, undefined)
  return {
    state,
    greatest,
    fault,
    records: new Map(
      (records ?? []).map(([id, rowid]): [string, number] => [String(id), Number(rowid)]),
    ),
    written: new Set((written ?? []).map(([id]) => String(id)).filter((id) => id !== '')),
  }
}

async function walkThrough(reader: SchemaReader, path: string): Promise<Walk> {
  const { state, answers, lost } = await reader.read(path, (schema) => [walkQuery(schema)])
  const records = new Map<string, number>()
  const rows = new Map<string, number[]>()
  for (const [rowid, record, chat] of answers[0]?.rows ?? []) {
    const id = String(record ?? chat)
    if (id === '') continue
    if (record !== null) records.set(id, Number(rowid))
    const own = rows.get(id)
    if (own === undefined) rows.set(id, [Number(rowid)])
    else own.push(Number(rowid))
  }
  const fault = hasLost({ lost })
    ? 'is damaged: not all of its rows can be read'
    : 'is damaged: its index of keys cannot be read, and chats were found without it'
  const written = new Set(rows.keys())
  return { overview: { state, records, greatest: 0, written, fault }, rows, lost }
}
