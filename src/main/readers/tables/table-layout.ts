import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { SqlAnswer } from '../../sqlite/database'
import { isDamaged } from '../common/rows/database-file'
import type {
  SchemaAnswer,
  SchemaQuery,
  SchemaReader,
  TableSchema,
} from '../common/rows/table-schema'
import {
  lostValue,
  missingBytes,
  textLine,
  type ValueLine,
  valueLine,
} from '../common/rows/value-lines'
import {
  type ConversationTables,
  headsQuery,
  messagesQuery,
  rowidsQuery,
} from './conversation-tables'

/** A conversation as a file of lines: its own row first, then its messages in order. */
export interface TableLayout {
  readonly id: string
  readonly lines: readonly ValueLine[]
  /** So many messages. */
  readonly messages: number
  readonly sizeBytes: number
  /** Unix milliseconds of the newest change; 0 where no row tells one. */
  readonly mtimeMs: number
  /** Another text whenever any row of the conversation may be another. */
  readonly stamp: string
  /** As on the first line; undefined where messages have outlived it. */
  readonly row: JsonObject | undefined
  /** The reason why some of it cannot be read, as a sentence without its full stop. */
  readonly fault: string | undefined
}

/** Layouts, and the rows that they may lack. */
export interface LaidOut extends Pick<SchemaAnswer, 'lost'> {
  readonly found: ReadonlyMap<string, TableLayout>
}

/**
 * Reads the rows of some conversations but for their data, and lays out the lines; conversations that are not there are left
 * out. Of one alone also where rows of it are damaged in part.
 *
 * @throws SqliteError
 */
export async function layOutTables(
  reader: SchemaReader,
  tables: ConversationTables,
  path: string,
  ids: readonly string[],
): Promise<LaidOut> {
  try {
    const { answers, lost } = await reader.read(path, (schema) => [
      headsQuery(schema, tables, ids),
      messagesQuery(schema, tables, { ids }),
    ])
    return { found: layoutsFrom(tables, answers[0], answers[1]), lost }
  } catch (error) {
    const [id, ...others] = ids
    if (!isDamaged(error) || id === undefined || others.length > 0) throw error
    return layOutDamaged(reader, tables, path, id)
  }
}

/** What lies beside a row, such as a long text in it, may be all that is damaged: each row is read by itself. */
async function layOutDamaged(
  reader: SchemaReader,
  tables: ConversationTables,
  path: string,
  id: string,
): Promise<LaidOut> {
  const read = async (query: (schema: TableSchema) => SchemaQuery) => {
    try {
      const { answers, lost } = await reader.read(path, (schema) => [query(schema)])
      return { answer: answers[0], lost }
    } catch (error) {
      if (!isDamaged(error)) throw error
      return undefined
    }
  }
  const heads = await read((schema) => headsQuery(schema, tables, [id]))
  const { answers, lost } = await reader.read(path, (schema) => [rowidsQuery(schema, tables, id)])
  const readRows = async (rowids: readonly number[]): Promise<readonly Row[]> => {
    const found = await read((schema) => messagesQuery(schema, tables, { rowids }))
    if (found !== undefined) return found.answer?.rows ?? []
    const half = Math.ceil(rowids.length / 2)
    if (half === rowids.length) return [[id, rowids[0] ?? 0, null, '{}', null, 0, null]]
    return [...(await readRows(rowids.slice(0, half))), ...(await readRows(rowids.slice(half)))]
  }
  const rowids = (answers[0]?.rows ?? []).map(([rowid]) => Number(rowid))
  const rows = rowids.length === 0 ? [] : await readRows(rowids)
  const fault = 'rows of this session are on damaged pages of the database'
  const found = layoutsFrom(tables, heads?.answer, { rows, isCut: false })
  return { found: new Map([...found].map(([key, one]) => [key, { ...one, fault }])), lost }
}

type Row = SqlAnswer['rows'][number]

interface FoundRows {
  head:
    | { readonly row: string; readonly sums: string | null; readonly changedMs: number }
    | undefined
  readonly messages: FoundMessage[]
}

interface FoundMessage {
  readonly rowid: number
  /** Undefined for one whose row cannot be read. */
  readonly id: string | undefined
  /** As JSON. */
  readonly row: string
  readonly bytes: number
  readonly isAnswer: boolean
  readonly changedMs: number
}

function layoutsFrom(
  tables: ConversationTables,
  heads: SqlAnswer | undefined,
  messages: SqlAnswer | undefined,
): ReadonlyMap<string, TableLayout> {
  const found = new Map<string, FoundRows>()
  const rowsOf = (id: string): FoundRows => {
    const rows = found.get(id) ?? { head: undefined, messages: [] }
    found.set(id, rows)
    return rows
  }
  for (const [id, row, sums, changed] of heads?.rows ?? [])
    rowsOf(String(id)).head = {
      row: String(row),
      sums: typeof sums === 'string' ? sums : null,
      changedMs: Number(changed) || 0,
    }
  for (const [key, rowid, id, row, bytes, isAnswer, changed] of messages?.rows ?? [])
    rowsOf(String(key)).messages.push({
      rowid: Number(rowid),
      id: id === null ? undefined : String(id),
      row: String(row),
      bytes: bytes === null ? missingBytes : Number(bytes),
      isAnswer: isAnswer === 1,
      changedMs: Number(changed) || 0,
    })
  return new Map([...found].map(([id, rows]) => [id, layOut(tables, id, rows)]))
}

function layOut(
  { heads, messages: { table } }: ConversationTables,
  id: string,
  { head, messages }: FoundRows,
): TableLayout {
  const lines: ValueLine[] = []
  if (head !== undefined) lines.push(textLine(`{"record":"${heads.table}","row":${head.row}}`))
  const lastAnswer = messages.findLast(({ isAnswer }) => isAnswer)
  const taken = new Set<string>()
  let previous: string | null = null
  for (const message of messages) {
    // Nothing keeps two rows from having one id.
    const isOwn = message.id !== undefined && !taken.has(message.id)
    const own = isOwn ? message.id : `${message.id ?? ''}@${message.rowid}`
    taken.add(own)
    const sums = message === lastAnswer && head?.sums != null ? `,"sums":${head.sums}` : ''
    const link = JSON.stringify({ id: own, previous }).slice(1, -1)
    const before = `{"record":"${table}",${link},"row":${message.row}${sums},"data":`
    lines.push(
      message.id === undefined
        ? textLine(`${before}${lostValue}}`)
        : valueLine(before, { name: String(message.rowid), bytes: message.bytes }, '}'),
    )
    previous = own
  }
  const times = messages.map(({ changedMs }) => changedMs)
  return {
    id,
    lines,
    messages: messages.length,
    sizeBytes: lines.reduce((sum, { bytes }) => sum + bytes, 0),
    mtimeMs: times.reduce((newest, time) => Math.max(newest, time), head?.changedMs ?? 0),
    stamp: createHash('sha256')
      .update(JSON.stringify([head, messages]))
      .digest('hex')
      .slice(0, 16),
    row: head === undefined ? undefined : (JSON.parse(head.row) as JsonObject), // SQLite's own JSON
    fault: undefined,
  }
}
