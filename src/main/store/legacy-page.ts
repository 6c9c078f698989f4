import { isUtf8 } from 'node:buffer'
import { type EntryDraft, EntryId } from '../../shared/model/entry'
import type { LineFact } from './line-facts'

/**
 * The head of a block, where a file begins or after an empty line. Only there: words can hold the same letters, and
 * words after an empty line that do cannot be told from a block.
 */
const head = /(?<=^(?:\xef\xbb\xbf)?|\n[ \t]*\r?\n)\[(USER|ASSISTANT)\]:(?: |(?=\r?\n)|$)/g

/**
 * What a `transcript.md` (chibi up to 0.8.5) holds: `[USER]: ` and `[ASSISTANT]: ` blocks, each a record, counted from
 * 1, without times. Text before the first block is a record of the type `document`, and so is a page without any.
 *
 * Nothing else in it is taken for anything: names of tools and other marks are words of the block they stand in.
 */
export function decodeLegacyPage(
  bytes: Uint8Array,
  placeName: string,
  context: string,
): readonly LineFact[] {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // One letter a byte: places are in bytes, and every head is ASCII.
  const letters = whole.toString('latin1')
  const heads = [...letters.matchAll(head)]
  const facts: LineFact[] = []
  const add = (from: number, textFrom: number, to: number, told: Told) => {
    const end = endOfText(whole, textFrom, to)
    const line = facts.length + 1
    const place = { file: placeName, line, offset: from, length: end - from }
    const text = whole.subarray(textFrom, end)
    const damaged = isUtf8(text) ? {} : { metadata: { damaged: true } }
    const id = EntryId.parse(`L${line}`)
    const entry = { id, timestamp: null, content: text.toString('utf8'), ...told, ...damaged }
    const rows = [{ type: 'entry' as const, entry: { ...entry, ...place } }]
    facts.push({ kind: 'entry', place, ended: true, rows })
  }
  const first = heads[0]?.index ?? whole.length
  const begin = letters.startsWith('\xef\xbb\xbf') ? 3 : 0
  if (letters.slice(begin, first).trim() !== '')
    add(begin, begin, first, { from: '', to: context, entry_type: 'document' })
  for (const [at, found] of heads.entries())
    add(
      found.index,
      found.index + found[0].length,
      heads[at + 1]?.index ?? whole.length,
      found[1] === 'USER'
        ? { from: 'user', to: context, entry_type: 'message', role: 'user' }
        : { from: context, to: 'user', entry_type: 'message', role: 'agent' },
    )
  return facts
}

type Told = Pick<EntryDraft, 'from' | 'to' | 'entry_type' | 'role'>

/** Without the empty lines between blocks. */
function endOfText(bytes: Uint8Array, from: number, to: number): number {
  let end = to
  while (end > from && (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) end -= 1
  return end
}
