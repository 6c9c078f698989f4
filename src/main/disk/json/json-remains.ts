import type { AcceptValue } from './json-accept'
import { decodeJsonLine } from './json-line'

/** The values of a line, and what of a damaged one is in none of them. */
export interface LineWithRemains<T> {
  readonly values: readonly T[]
  /** As it is, each piece on a line of its own; undefined where nothing is left. */
  readonly remains: string | undefined
}

/** Decodes one line with all that it holds. Never throws. It blocks, as `decodeJsonLine` does. */
export function decodeWithRemains<T extends object>(
  line: string,
  accept: AcceptValue<T>,
): LineWithRemains<T> {
  const records: string[] = []
  const noting: AcceptValue<T> = (value, text, position) => {
    const found = accept(value, text, position)
    if (typeof found !== 'string' && position !== 'line') records.push(text)
    return found
  }
  const bytes = Buffer.from(line)
  const decoded = decodeJsonLine({ bytes, offset: 0, length: bytes.length, ended: true }, noting)
  if (decoded.type === 'damaged')
    return { values: decoded.recovered, remains: remainsOf(line, records) }
  return { values: decoded.type === 'value' ? [decoded.value] : [], remains: undefined }
}

/** @param records parts of the line, in their order there */
function remainsOf(line: string, records: readonly string[]): string | undefined {
  const parts: string[] = []
  let from = 0
  for (const record of records) {
    const at = line.indexOf(record, from)
    if (at < 0) continue
    parts.push(line.slice(from, at))
    from = at + record.length
  }
  parts.push(line.slice(from))
  // Zero bytes are what a power failure leaves.
  const left = parts.map((part) => part.replace(/\0+|^\ufeff/g, '').trim()).filter(Boolean)
  return left.length === 0 ? undefined : left.join('\n')
}
