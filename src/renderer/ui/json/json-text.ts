import type { JsonScalar } from './json-nodes'

/** Text of a JSON tree, as its row shows it. */
interface JsonText {
  readonly text: string
  /** Its beginning, on one line. */
  readonly start: string
  /** True where `start` is not all of it. */
  readonly isCut: boolean
  /** True for one that opens: it is cut, or has lines. */
  readonly opens: boolean
}

/** Characters of a text that are shown on its row. */
const shortText = 160

/** Decodes a text of a JSON tree. Undefined for a number or a word. */
export function jsonTextOf({ raw }: JsonScalar): JsonText | undefined {
  if (!raw.startsWith('"')) return undefined
  const text = String(JSON.parse(raw))
  const isCut = text.length > shortText
  return {
    text,
    start: text.slice(0, shortText).replaceAll('\n', '⏎'),
    isCut,
    opens: isCut || text.includes('\n'),
  }
}
