import { isUtf8 } from 'node:buffer'
import { type EntryDraft, EntryId } from '../../../shared/model/conversation/entry'
import { isBlankText } from '../../disk/pacing/sliced-text'
import { type Sliced, sliceBytes } from '../../disk/pacing/slices'
import type { LineFact } from './line-facts'

const names = ['USER', 'ASSISTANT'] as const
const longestHead = '[ASSISTANT]:  '.length

/**
 * Parses a `transcript.md` (chibi up to 0.8.5): `[USER]: ` and `[ASSISTANT]: ` blocks, each a record, counted from 1,
 * without times. Text before the first block is a record of the type `document`, and so is a page without blocks.
 *
 * Names of tools and other markers are text of their block.
 */
export function* parseLegacyPage(
  whole: Buffer,
  placeName: string,
  context: string,
): Sliced<readonly LineFact[]> {
  const heads = yield* headsIn(whole)
  const facts: LineFact[] = []
  const add = (from: number, textFrom: number, to: number, speaker: Speaker) => {
    const end = endOfText(whole, textFrom, to)
    const line = facts.length + 1
    const place = { file: placeName, line, offset: from, length: end - from }
    const text = whole.subarray(textFrom, end)
    const damaged = isUtf8(text) ? {} : { metadata: { damaged: true } }
    const id = EntryId.parse(`L${line}`)
    const entry = { id, timestamp: null, content: text.toString('utf8'), ...speaker, ...damaged }
    const rows = [{ type: 'entry' as const, entry: { ...entry, ...place } }]
    facts.push({ kind: 'entry', place, ended: true, rows })
  }
  const first = heads[0]?.at ?? whole.length
  const begin = beginOf(whole)
  if (!(yield* isBlankText(whole.subarray(0, first), begin)))
    add(begin, begin, first, { from: '', to: context, entry_type: 'document' })
  for (const [n, { at, name, end }] of heads.entries()) {
    const speaker: Speaker =
      name === 'USER'
        ? { from: 'user', to: context, entry_type: 'message', role: 'user' }
        : { from: context, to: 'user', entry_type: 'message', role: 'agent' }
    const next = heads[n + 1]?.at ?? whole.length
    add(at, end, next, speaker)
    yield next - at
  }
  return facts
}

/** The head of a block, where it begins and where its text does. */
interface Head {
  readonly at: number
  readonly name: (typeof names)[number]
  readonly end: number
}

/**
 * The heads of blocks: where a file begins, or after an empty line. Only there: text can hold the same letters, and text
 * after an empty line that does cannot be distinguished from a block.
 */
function* headsIn(bytes: Buffer): Sliced<readonly Head[]> {
  const heads: Head[] = []
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    const until = Math.min(bytes.length, from + sliceBytes)
    const piece = bytes.subarray(from, Math.min(bytes.length, until + longestHead))
    for (
      let at = piece.indexOf('[');
      at >= 0 && from + at < until;
      at = piece.indexOf('[', at + 1)
    ) {
      const head = headAt(bytes, from + at)
      if (head !== undefined) heads.push(head)
    }
    yield until - from
  }
  return heads
}

function headAt(bytes: Buffer, at: number): Head | undefined {
  const text = bytes.toString('latin1', at, at + longestHead)
  const [head, name] = /^\[(USER|ASSISTANT)\]:(?: |(?=\r?\n)|$)/.exec(text) ?? []
  const known = names.find((one) => one === name)
  if (head === undefined || known === undefined || !isAfterEmptyLine(bytes, at)) return undefined
  return { at, name: known, end: at + head.length }
}

/** Or where the file begins, behind a byte order mark. */
function isAfterEmptyLine(bytes: Buffer, at: number): boolean {
  if (at === 0 || at === beginOf(bytes)) return true
  let before = at - 1
  if (bytes[before] !== 0x0a) return false
  before -= 1
  if (bytes[before] === 0x0d) before -= 1
  while (bytes[before] === 0x20 || bytes[before] === 0x09) before -= 1
  return bytes[before] === 0x0a
}

const byteOrderMark = Buffer.from('\ufeff')

function beginOf(bytes: Buffer): number {
  return bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
}

type Speaker = Pick<EntryDraft, 'from' | 'to' | 'entry_type' | 'role'>

/** Without the empty lines between blocks. */
function endOfText(bytes: Uint8Array, from: number, to: number): number {
  let end = to
  while (end > from && (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) end -= 1
  return end
}
