import { recordOrder } from './record-order'
import type { DocumentShape, FoundElement } from './shape'

/**
 * The lines of a conversation's record file as stretches of its document: first the conversation without its records, then
 * each record, then what stands behind them in the document (`{...}` again), each with a line feed.
 *
 * Another value among the conversations is one line, in square brackets. Where the document ends inside of the
 * conversation, what is left behind the last whole record is a last line without a line feed.
 */
export interface Cut {
  readonly sizeBytes: number
  /** Of each line: where it begins in the record file. */
  readonly lineStarts: Float64Array
  /** Of each line: where its stretch begins in the document. */
  readonly starts: Float64Array
  /** Of each line: how long its stretch is. */
  readonly lengths: Float64Array
  /** By line: the bytes before its stretch, where there are any. */
  readonly before: ReadonlyMap<number, Uint8Array>
  /** By line: the bytes behind its stretch, where there are any. */
  readonly behind: ReadonlyMap<number, Uint8Array>
  /** The last line has no line feed. */
  readonly isTorn: boolean
}

/** A line before it has its place: a stretch, and the text before and behind it. */
type Line = readonly [start: number, end: number, before?: string, behind?: string]

/** Cuts an element into the lines of its record file. */
export function cutElement(shape: DocumentShape, element: FoundElement): Cut {
  const { isConversation, isTorn, records } = element
  const { first, last } = linesAround(shape, element)
  const lines: Line[] = [first]
  for (const at of isConversation ? recordOrder(records, leafOf(shape, element)) : []) {
    const record = records[at]
    if (record !== undefined) lines.push([record.start, record.end])
  }
  if (last !== undefined) lines.push(last)
  return cutOf(lines, isTorn)
}

/** Returns the size of an element's record file, for a fraction of what cutting it takes: the order of its lines makes no difference. */
export function cutBytes(shape: DocumentShape, element: FoundElement): number {
  const { isConversation, isTorn, records } = element
  const { first, last } = linesAround(shape, element)
  let bytes = bytesOf(first) + (last === undefined ? 0 : bytesOf(last))
  for (const record of isConversation ? records : []) bytes += record.end - record.start + 1
  return isTorn ? bytes - 1 : bytes
}

/** With its line feed. */
function bytesOf([start, end, before = '', behind = '']: Line): number {
  return Buffer.byteLength(before) + (end - start) + Buffer.byteLength(behind) + 1
}

/** The line before the records and that behind them; another value is one line. */
function linesAround(
  { records }: DocumentShape,
  { start, end, isConversation, isTorn, headEnd, tailStart, tailDepth, restStart }: FoundElement,
): { readonly first: Line; readonly last: Line | undefined } {
  if (!isConversation) return { first: [start, end, '[', isTorn ? '' : ']'], last: undefined }
  const holders = records.split('.')
  const first: Line = [start, headEnd, '', '}'.repeat(holders.length)]
  if (tailStart === undefined) return { first, last: isTorn ? [restStart, end] : undefined }
  const around = holders.slice(0, tailDepth).map((name) => `{${JSON.stringify(name)}:`)
  return { first, last: [tailStart, end, `${around.join('')}{`] }
}

/** Returns the time of the last record in reading order that has one, in Unix seconds; undefined where none has. */
export function lastTimeIn(shape: DocumentShape, element: FoundElement): number | undefined {
  const order = recordOrder(element.records, leafOf(shape, element))
  for (let number = order.length - 1; number >= 0; number--) {
    const time = element.records[order[number] ?? 0]?.time
    if (time !== undefined) return time
  }
  return undefined
}

function leafOf(shape: DocumentShape, { facts }: FoundElement): string | undefined {
  const leaf = shape.leaf === undefined ? undefined : facts[shape.leaf]
  return typeof leaf === 'string' ? leaf : undefined
}

function cutOf(lines: readonly Line[], isTorn: boolean): Cut {
  const count = lines.length
  const cut = {
    lineStarts: new Float64Array(count),
    starts: new Float64Array(count),
    lengths: new Float64Array(count),
    before: new Map<number, Uint8Array>(),
    behind: new Map<number, Uint8Array>(),
  }
  let at = 0
  for (const [number, [start, end, before = '', behind = '']] of lines.entries()) {
    cut.lineStarts[number] = at
    cut.starts[number] = start
    cut.lengths[number] = end - start
    const [first, last] = [Buffer.from(before), Buffer.from(behind)]
    if (first.length > 0) cut.before.set(number, first)
    if (last.length > 0) cut.behind.set(number, last)
    const isLast = number === count - 1
    at += first.length + (end - start) + last.length + (isLast && isTorn ? 0 : 1)
  }
  return { ...cut, sizeBytes: at, isTorn }
}
