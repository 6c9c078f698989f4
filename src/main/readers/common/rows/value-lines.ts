import type { JsonObject } from '../../../../shared/model/basics/json-object'
import { withoutLineEnds } from '../../../records/lines/composed-line'
import type { SizedLine, WrittenLines } from '../../../records/lines/line-file'
import { isDamaged } from './database-file'

/** A line of text, with the value of one row in it or none. */
export interface ValueLine extends SizedLine {
  readonly before: string
  /** The row's name, and how many bytes its value has; a missing value is written as `null`, which has four. */
  readonly value?: { readonly name: string; readonly bytes: number }
  readonly after: string
}

/** A function that reads values by the names of their rows; null for one that is there and empty. */
export type ReadValues = (
  names: readonly string[],
) => Promise<ReadonlyMap<string, Uint8Array | null>>

/** Returns a line of text alone. */
export function textLine(text: string): ValueLine {
  const before = `${text}\n`
  return { before, after: '', bytes: Buffer.byteLength(before) }
}

/** Returns a line with a value in the middle. @param after without a line feed */
export function valueLine(
  before: string,
  value: { readonly name: string; readonly bytes: number },
  after: string,
): ValueLine {
  const bytes = Buffer.byteLength(before) + value.bytes + Buffer.byteLength(after) + 1
  return { before, value, after: `${after}\n`, bytes }
}

/**
 * Writes lines. Values stand in them as the database has them, line ends as spaces: what is no JSON makes a damaged line, and
 * nothing of it is lost. It ends before a line whose row is gone or another one than when the lines were laid out. A value on
 * a damaged page is written as one that could not be read (`isLostValue`), and there is a fault.
 *
 * @throws SqliteError for every other reason
 */
export async function writeValueLines(
  lines: readonly ValueLine[],
  readValues: ReadValues,
): Promise<WrittenLines> {
  try {
    const values = await readValues(lines.flatMap(({ value }) => value?.name ?? []))
    return writeAll(lines, values)
  } catch (error) {
    if (!isDamaged(error)) throw error
    const fault = `the database ${error.message}`
    if (lines.length <= 1) return { ...writeAll(lines, lostValues(lines)), fault }
    // The lines beside the damaged page can be read.
    const half = Math.ceil(lines.length / 2)
    const first = await writeValueLines(lines.slice(0, half), readValues)
    if (first.isChanged === true) return first
    const second = await writeValueLines(lines.slice(half), readValues)
    const bytes = Buffer.concat([first.bytes, second.bytes])
    return { ...second, bytes, fault: first.fault ?? second.fault }
  }
}

/** Takes the room of values that cannot be read, so that all bytes behind them stay where they are. */
function lostValues(lines: readonly ValueLine[]): ReadonlyMap<string, Uint8Array> {
  return new Map(
    lines.flatMap(({ value }): readonly (readonly [string, Uint8Array])[] => {
      if (value === undefined) return []
      const words = lostValue.length <= value.bytes ? lostValue : ''
      return [[value.name, Buffer.from(words.padEnd(value.bytes))]]
    }),
  )
}

/** The JSON that stands in place of a value that could not be read. */
export const lostValue = '{"unreadable":true}'

/** Returns true for what stands in place of a value that could not be read. */
export function isLostValue(value: JsonObject): boolean {
  return value.unreadable === true && Object.keys(value).length === 1
}

const changedFault = 'the conversation was changed while it was read'

function writeAll(
  lines: readonly ValueLine[],
  values: ReadonlyMap<string, Uint8Array | null>,
): WrittenLines {
  const written: Uint8Array[] = []
  for (const { before, value, after } of lines) {
    const found = value === undefined ? undefined : values.get(value.name)
    const bytes = found === null ? missing : found
    if (bytes?.length !== value?.bytes)
      return { bytes: Buffer.concat(written), fault: changedFault, isChanged: true }
    written.push(Buffer.from(before))
    if (bytes !== undefined) written.push(withoutLineEnds(bytes))
    written.push(Buffer.from(after))
  }
  return { bytes: Buffer.concat(written), fault: undefined }
}

const missing = Buffer.from('null')
/** Bytes of a missing value. */
export const missingBytes = missing.length
