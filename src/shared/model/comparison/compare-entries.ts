import { type Entry, shownText, speakerOf } from '../conversation/entry'
import { alignItems, areSimilarTexts } from './align'
import { compareTexts, type TextChange } from './text-diff'

/** Change of one entry between two conversations, or a run of equal entries. */
export type EntryChange =
  /** The same number of entries of both, in pairs. */
  | { readonly type: 'same'; readonly before: readonly Entry[]; readonly after: readonly Entry[] }
  | { readonly type: 'removed'; readonly entry: Entry }
  | { readonly type: 'added'; readonly entry: Entry }
  | {
      readonly type: 'changed'
      readonly before: Entry
      readonly after: Entry
      readonly change: TextChange
    }

/** Comparison of the entries of two conversations. */
interface EntryComparison {
  readonly changes: readonly EntryChange[]
  /** False where they differ too much to find what is equal: every entry is removed, added or changed then. */
  readonly isComplete: boolean
}

/**
 * Compares the entries of two conversations, in order, as requests are compared: by kind, speaker and text; ids and times
 * do not count. `timeout` is in ms and bounds each comparison of two texts, not the whole; without one the outcome is the
 * same on every machine, and two long texts that share little may take a second.
 */
export function compareEntries(
  before: readonly Entry[],
  after: readonly Entry[],
  timeout = Number.POSITIVE_INFINITY,
): EntryComparison {
  const { items, isComplete } = alignItems(before, after, { identityOf, isSimilar }, timeout)
  const changes = items.map((one): EntryChange => {
    if (one.type === 'same') return one
    if (one.type !== 'changed') return { type: one.type, entry: one.item }
    const texts = [comparableEntryText(one.before), comparableEntryText(one.after)] as const
    return { ...one, change: compareTexts(...texts, timeout) }
  })
  return { changes, isComplete }
}

/** Returns an entry as one text for comparison: thoughts and text, then what came along, a line each. */
export function comparableEntryText(entry: Entry): string {
  const { reasoning, images, attachments, reaction } = entry.metadata ?? {}
  const along = Object.entries({ images, attachments, reaction }).flatMap(([name, value]) =>
    value === undefined ? [] : [`[${name}: ${JSON.stringify(value)}]`],
  )
  const thoughts =
    typeof reasoning === 'string' && reasoning !== '' ? [`[thoughts: ${reasoning}]`] : []
  return [...thoughts, shownText(entry), ...along].filter((text) => text !== '').join('\n')
}

function identityOf(entry: Entry): string {
  return JSON.stringify([...kindOf(entry), comparableEntryText(entry)])
}

function isSimilar(before: Entry, after: Entry): boolean {
  if (JSON.stringify(kindOf(before)) !== JSON.stringify(kindOf(after))) return false
  const texts = [comparableEntryText(before), comparableEntryText(after)] as const
  return areSimilarTexts(...texts) || shareWords(...texts)
}

/** Characters of a text by whose words it is known again, and the share of words that two have to have in common. */
const wordCharacters = 4_000
const wordShare = 0.4

/** Returns true where two texts share so many words that one is likely to be the other said in another way. */
function shareWords(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)]
  let shared = 0
  for (const word of left) if (right.has(word)) shared += 1
  return shared > 0 && (2 * shared) / (left.size + right.size) >= wordShare
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.slice(0, wordCharacters).match(/[\p{L}\p{N}]+/gu) ?? [])
}

/** Names what an entry is, who says it, and for calls and results the tool. */
function kindOf(entry: Entry): readonly string[] {
  const tool = entry.entry_type === 'tool_call' ? entry.to : ''
  return [entry.entry_type, speakerOf(entry) ?? '', tool]
}
