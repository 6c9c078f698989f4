import type { WrittenLines } from '../../../records/lines/line-file'
import type { SqlValue } from '../../../sqlite/engine'
import { isDamaged } from '../../common/rows/database-file'
import type { SchemaReader } from '../../common/rows/table-schema'
import type { Generation, TableName } from './generations'
import { type RowValues, rowsOfLines, type SessionLine, writeLine } from './session-lines'
import { rowsById } from './session-sql'

/** Rows asked for by one query. */
const mostRows = 5000

/**
 * Reads the rows of some lines and writes the lines. It ends before a line whose rows are gone or others than when the lines
 * were laid out. A row on a damaged page is written as one that cannot be read, and there is a fault.
 *
 * @throws SqliteError for every other reason
 */
export async function linesFromRows(
  reader: SchemaReader,
  container: string,
  generation: Generation,
  lines: readonly SessionLine[],
): Promise<WrittenLines> {
  try {
    const { messages, parts } = rowsOfLines(lines)
    const wanted = [
      ...piecesOf(generation.messages, messages),
      ...(generation.parts === undefined ? [] : piecesOf(generation.parts, parts)),
    ]
    return written(generation, lines, await valuesOf(reader, container, wanted))
  } catch (error) {
    if (!isDamaged(error)) throw error
    const fault = `the database ${error.message}`
    const [line] = lines
    if (lines.length === 1 && line !== undefined) {
      const { bytes } = written(
        generation,
        lines,
        await damagedValues(reader, container, generation, line),
      )
      return { bytes, fault }
    }
    // The lines beside the damaged page can be read.
    const half = Math.ceil(lines.length / 2)
    const first = await linesFromRows(reader, container, generation, lines.slice(0, half))
    if (first.isChanged === true) return first
    const second = await linesFromRows(reader, container, generation, lines.slice(half))
    const bytes = Buffer.concat([first.bytes, second.bytes])
    return { ...second, bytes, fault: first.fault ?? second.fault }
  }
}

type Values = ReadonlyMap<string, RowValues>

async function valuesOf(
  reader: SchemaReader,
  container: string,
  wanted: readonly Piece[],
  columns: 'all' | 'object' = 'all',
): Promise<Values> {
  const { answers } = await reader.read(container, (schema) =>
    wanted.map(({ table, rowids }) => rowsById(schema, table, rowids, columns)),
  )
  const values = new Map<string, RowValues>()
  for (const [at, { table }] of wanted.entries())
    for (const [rowid, object, data] of answers[at]?.rows ?? [])
      values.set(`${table} ${rowid}`, { object: bytesIn(object) ?? nothing, data: bytesIn(data) })
  return values
}

function written(
  generation: Generation,
  lines: readonly SessionLine[],
  values: Values,
): WrittenLines {
  const done: Buffer[] = []
  for (const line of lines) {
    const one = writeLine(generation, line, (table, rowid) => values.get(`${table} ${rowid}`))
    if (one?.length !== line.bytes) {
      const fault = 'the session was changed while it was read'
      return { bytes: Buffer.concat(done), fault, isChanged: true }
    }
    done.push(one)
  }
  return { bytes: Buffer.concat(done), fault: undefined }
}

/** Reads each row of a line by itself. */
async function damagedValues(
  reader: SchemaReader,
  container: string,
  generation: Generation,
  line: SessionLine,
): Promise<Values> {
  const values = new Map<string, RowValues>()
  const rows = [
    ...(line.type === 'message' ? [{ table: generation.messages, row: line.row }] : []),
    ...(line.type === 'message' ? line.parts : line.type === 'part' ? [line.row] : []).flatMap(
      (row) => (generation.parts === undefined ? [] : [{ table: generation.parts, row }]),
    ),
  ]
  for (const { table, row } of rows) {
    const wanted = [{ table, rowids: [row.rowid] }]
    const name = `${table} ${row.rowid}`
    const read = async (columns: 'all' | 'object') =>
      (await valuesOf(reader, container, wanted, columns).catch(notDamaged))?.get(name)
    values.set(name, (await read('all')) ?? unreadable(row.bytes, (await read('object'))?.object))
  }
  return values
}

function notDamaged(error: unknown): undefined {
  if (!isDamaged(error)) throw error
  return undefined
}

/** Takes the room of a row whose data cannot be read, so that all bytes behind it stay where they are. */
function unreadable(bytes: number, object: Uint8Array = emptyObject): RowValues {
  const words = unreadableData.length <= bytes - object.length ? unreadableData : ''
  return { object, data: Buffer.from(words.padEnd(Math.max(0, bytes - object.length))) }
}

const emptyObject = Buffer.from('{}')
/** Shown as an entry of a kind that nobody knows, at its place. */
const unreadableData = '{"type":"unreadable"}'

const nothing = new Uint8Array(0)

function bytesIn(value: SqlValue | undefined): Uint8Array | null {
  return value instanceof Uint8Array ? value : null
}

interface Piece {
  readonly table: TableName
  readonly rowids: readonly number[]
}

function piecesOf(table: TableName, rowids: readonly number[]): readonly Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < rowids.length; at += mostRows)
    pieces.push({ table, rowids: rowids.slice(at, at + mostRows) })
  return pieces
}
