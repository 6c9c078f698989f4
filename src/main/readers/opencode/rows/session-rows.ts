import type { SqlValue } from '../../../sqlite/engine'
import { SqliteError } from '../../../sqlite/sqlite-error'
import type { SchemaReader, TableName } from './schema'
import type { WrittenLines } from './session-file'
import { type RowValues, rowsOfLines, type SessionLine, writeLine } from './session-lines'
import { type Generation, rowsById } from './session-sql'

/** Rows asked for by one query. */
const mostRows = 5000

/**
 * Reads the rows of some lines and writes the lines. It ends before a line whose rows are gone or others than when the lines
 * were laid out, and before one on a damaged page.
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
    return await readThem(reader, container, generation, lines)
  } catch (error) {
    if (!(error instanceof SqliteError) || error.code !== 'damaged') throw error
    const fault = `the database ${error.message}`
    if (lines.length === 1) return { bytes: Buffer.alloc(0), fault }
    // The lines before the damaged page can be read.
    const half = Math.ceil(lines.length / 2)
    const first = await linesFromRows(reader, container, generation, lines.slice(0, half))
    if (first.fault !== undefined) return first
    const second = await linesFromRows(reader, container, generation, lines.slice(half))
    return { bytes: Buffer.concat([first.bytes, second.bytes]), fault: second.fault }
  }
}

async function readThem(
  reader: SchemaReader,
  container: string,
  generation: Generation,
  lines: readonly SessionLine[],
): Promise<WrittenLines> {
  const { messages, parts } = rowsOfLines(lines)
  const wanted = [
    ...piecesOf(generation.messages, messages),
    ...(generation.parts === undefined ? [] : piecesOf(generation.parts, parts)),
  ]
  const { answers } = await reader.read(container, (schema) =>
    wanted.map(({ table, rowids }) => rowsById(schema, table, rowids)),
  )
  const values = new Map<string, RowValues>()
  for (const [at, { table }] of wanted.entries())
    for (const [rowid, object, data] of answers[at]?.rows ?? [])
      values.set(`${table} ${rowid}`, { object: bytesIn(object) ?? nothing, data: bytesIn(data) })
  const written: Buffer[] = []
  for (const line of lines) {
    const one = writeLine(generation, line, (table, rowid) => values.get(`${table} ${rowid}`))
    if (one?.length !== line.bytes)
      return { bytes: Buffer.concat(written), fault: 'the session was changed while it was read' }
    written.push(one)
  }
  return { bytes: Buffer.concat(written), fault: undefined }
}

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
