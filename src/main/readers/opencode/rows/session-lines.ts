import { pushAll } from '../../../../shared/model/basics/long-lists'
import type { SqlValue } from '../../../sqlite/engine'
import type { TableName } from './generations'
import {
  headLine,
  leafLine,
  messageFrameBytes,
  partFrameBytes,
  pieces,
  type SessionSums,
} from './session-sums'

/** A row of a message or part: how long its object and data are. */
interface SizedRow {
  readonly rowid: number
  readonly bytes: number
}

/** A line of a session's record file. */
export type SessionLine =
  | { readonly type: 'text'; readonly text: string; readonly bytes: number }
  | {
      readonly type: 'message'
      readonly row: SizedRow
      /** The id of the message before it, as JSON. */
      readonly previous: string
      readonly parts: readonly SizedRow[]
      readonly bytes: number
    }
  /** A part whose message is not there. */
  | { readonly type: 'part'; readonly row: SizedRow; readonly bytes: number }

/** The values of a row, as bytes: its object, and its data. */
export interface RowValues {
  readonly object: Uint8Array
  /** Null is written as such. */
  readonly data: Uint8Array | null
}

/**
 * Lays out the lines of a session: its own row, each message with its parts, parts without a message, and where it is now.
 *
 * @param messages in order; columns rowid, id as JSON, bytes of the object, bytes of the data
 * @param parts by their ids; columns rowid, the message's id as JSON, bytes of the object, bytes of the data
 */
export function layOutLines(
  { generation, head, leaf }: Pick<SessionSums, 'generation' | 'head' | 'leaf'>,
  messages: readonly (readonly SqlValue[])[],
  parts: readonly (readonly SqlValue[])[],
): readonly SessionLine[] {
  const partsOf = new Map<string, SizedRow[]>()
  for (const [rowid, message, object, data] of parts) {
    const row = sized(rowid, object, data)
    const known = partsOf.get(String(message))
    if (known === undefined) partsOf.set(String(message), [row])
    else known.push(row)
  }
  const lines: SessionLine[] = head === undefined ? [] : [textLine(headLine(generation, head))]
  const frame = messageFrameBytes(generation)
  let previous = 'null'
  for (const [rowid, id, object, data] of messages) {
    const row = sized(rowid, object, data)
    const own = partsOf.get(String(id)) ?? []
    // Of two messages with one id the first has the parts.
    partsOf.delete(String(id))
    const partBytes = own.reduce((sum, part) => sum + part.bytes + partFrameBytes, 0)
    const bytes = frame + Buffer.byteLength(previous) + row.bytes + partBytes
    lines.push({ type: 'message', row, previous, parts: own, bytes })
    previous = String(id)
  }
  for (const rest of partsOf.values())
    for (const row of rest) lines.push({ type: 'part', row, bytes: row.bytes + partFrameBytes })
  if (leaf !== undefined) lines.push(textLine(leafLine(leaf)))
  return lines
}

/** Lists the rows that some lines are made of. */
export function rowsOfLines(lines: readonly SessionLine[]): {
  readonly messages: readonly number[]
  readonly parts: readonly number[]
} {
  const messages: number[] = []
  const parts: number[] = []
  for (const line of lines) {
    if (line.type === 'message') {
      messages.push(line.row.rowid)
      pushAll(
        parts,
        line.parts.map(({ rowid }) => rowid),
      )
    } else if (line.type === 'part') parts.push(line.row.rowid)
  }
  return { messages, parts }
}

/**
 * Writes a line. Data stands in it as the database has it, line ends as spaces: what is no JSON makes a damaged line, and
 * nothing of it is lost.
 *
 * @param valuesOf undefined where the row is gone
 */
export function writeLine(
  generation: SessionSums['generation'],
  line: SessionLine,
  valuesOf: (table: TableName, rowid: number) => RowValues | undefined,
): Buffer | undefined {
  if (line.type === 'text') return Buffer.from(line.text)
  const out: Uint8Array[] = []
  const put = (table: TableName | undefined, rowid: number, between: string): boolean => {
    const values = table === undefined ? undefined : valuesOf(table, rowid)
    if (values === undefined) return false
    out.push(values.object, Buffer.from(between), dataOf(values))
    return true
  }
  const { messages, parts } = generation
  if (line.type === 'part') {
    out.push(Buffer.from(pieces.partRow))
    if (!put(parts, line.row.rowid, pieces.data)) return undefined
    out.push(Buffer.from(`${pieces.partEnd}\n`))
    return Buffer.concat(out)
  }
  out.push(Buffer.from(`${pieces.begin(generation)}${line.previous}${pieces.row}`))
  if (!put(messages, line.row.rowid, pieces.data)) return undefined
  out.push(Buffer.from(pieces.parts))
  for (const [at, { rowid }] of line.parts.entries()) {
    // One byte before each part, so that a part takes the same room wherever it is.
    out.push(Buffer.from(`${at === 0 ? ' ' : ','}${pieces.partRow}`))
    if (!put(parts, rowid, pieces.data)) return undefined
    out.push(Buffer.from(pieces.partEnd))
  }
  out.push(Buffer.from(pieces.end))
  return Buffer.concat(out)
}

function sized(
  rowid: SqlValue | undefined,
  object: SqlValue | undefined,
  data: SqlValue | undefined,
): SizedRow {
  return { rowid: Number(rowid), bytes: Number(object) + Number(data) }
}

function textLine(text: string): SessionLine {
  return { type: 'text', text, bytes: Buffer.byteLength(text) }
}

const missing = Buffer.from('null')
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20

function dataOf({ data }: RowValues): Uint8Array {
  if (data === null) return missing
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (!bytes.includes(lineFeed) && !bytes.includes(carriageReturn)) return bytes
  // Between the values of JSON they mean nothing, and inside of one they cannot be.
  return bytes.map((byte) => (byte === lineFeed || byte === carriageReturn ? space : byte))
}
