import type { DiskFile, FileStat } from '../../../disk/interface/disk'
import { bytesFile } from '../../../records/interface/bytes-file'
import type { SqlAnswer } from '../../../sqlite/database'
import type { SqlValue } from '../../../sqlite/engine'
import { isDamaged } from '../../common/rows/database-file'
import type { SchemaAnswer, SchemaReader } from '../../common/rows/table-schema'
import { firstBytes, firstMessages, firstParts } from './first-rows-sql'
import { type Generation, generationsOf } from './generations'
import type { SessionBegun } from './record-names'
import { layOutLines, type RowValues, writeLine } from './session-lines'
import { headRow } from './session-sql'

/** First messages that are longer are read a line at a time, by the session's own record file. */
const mostBytes = 4 * 1024 * 1024
const queriesOfGeneration = 4

/**
 * Makes the record file of a session's beginning: the lines of its row and of its first messages, as its own record file has
 * them. Undefined where it has no messages, they are long, or the database is damaged. @throws SqliteError
 */
export async function beginningFile(
  reader: SchemaReader,
  { container, found, target }: BeginningPlace,
  begun: SessionBegun,
): Promise<DiskFile | undefined> {
  const read = await readFirst(reader, container, begun)
  if (read === undefined || read.lost !== undefined) return undefined
  const each = generationsOf(read.schema).map((generation, at) => ({
    generation,
    answers: read.answers.slice(at * queriesOfGeneration, (at + 1) * queriesOfGeneration),
  }))
  const isLong = ({ answers: [, bytes] }: { readonly answers: readonly SqlAnswer[] }) =>
    Number(bytes?.rows[0]?.[0] ?? 0) > mostBytes
  if (each.some(isLong)) return undefined
  // As where all is read: the newest generation that has messages, with the row of another where it has none itself.
  const own = each.find(({ answers: [, , messages] }) => (messages?.rows.length ?? 0) > 0)
  if (own === undefined) return undefined
  const older = each.slice(0, each.indexOf(own)).map(headIn)
  const head = [headIn(own), ...older].find((one) => one !== undefined)
  return bytesFile(target, linesOf(own.generation, head, own.answers), found)
}

interface BeginningPlace {
  readonly container: string
  readonly found: FileStat
  readonly target: string
}

function headIn({ answers: [heads] }: { readonly answers: readonly SqlAnswer[] }) {
  const head = heads?.rows[0]?.[1]
  return typeof head === 'string' ? head : undefined
}

async function readFirst(
  reader: SchemaReader,
  container: string,
  { session, messages }: SessionBegun,
): Promise<SchemaAnswer | undefined> {
  const wanted = { session, most: messages, mostBytes }
  try {
    return await reader.read(container, (schema) =>
      generationsOf(schema).flatMap((generation) => [
        headRow(schema, generation, session),
        firstBytes(schema, generation, wanted),
        firstMessages(schema, generation, wanted),
        firstParts(schema, generation, wanted),
      ]),
    )
  } catch (error) {
    if (!isDamaged(error)) throw error
    return undefined
  }
}

function linesOf(
  generation: Generation,
  head: string | undefined,
  [, , messages, parts]: readonly SqlAnswer[],
): Buffer {
  const values = new Map<string, RowValues>()
  const sized = (table: string | undefined, answer: SqlAnswer | undefined) =>
    (answer?.rows ?? []).map(([rowid = null, id = null, object, data]) => {
      const row = { object: bytesIn(object) ?? new Uint8Array(0), data: bytesIn(data) }
      values.set(`${table} ${rowid}`, row)
      return [rowid, id, row.object.length, row.data?.length ?? 'null'.length]
    })
  const laidOut = layOutLines(
    { generation, head, leaf: undefined },
    sized(generation.messages, messages),
    sized(generation.parts, parts),
  )
  const written = laidOut.map((line) =>
    writeLine(generation, line, (table, rowid) => values.get(`${table} ${rowid}`)),
  )
  return Buffer.concat(written.flatMap((line) => line ?? []))
}

function bytesIn(value: SqlValue | undefined): Uint8Array | null {
  return value instanceof Uint8Array ? value : null
}
