import { entryTimeMs } from '../../../shared/model/basics/time'
import { branchSummaryOf } from '../../../shared/model/conversation/branch-summary'
import {
  callUserMessage,
  type Entry,
  isAnchor,
  runErrorType,
  shownText,
  speakerOf,
} from '../../../shared/model/conversation/entry'
import { rowKey, type TranscriptRow } from '../../../shared/model/conversation/transcript'
import { findCopies, type RowCopies } from '../entries/copies'
import { personOf } from '../entries/people'
import { type PlacedReactions, placeReactions, reactionOf } from '../entries/reactions'
import { isToolCallEntry, isToolResultEntry, pairTools } from '../entries/tool-pairs'
import { type Item, isOfAnswer } from './items'

/** Options for building items: what is known beyond the rows. */
export interface ItemOptions {
  /** True where rows before these are not loaded: items that depend on them wait. */
  readonly hasBefore: boolean
  /** Item keys that rows had before their own, by row key. */
  readonly shownAs: ReadonlyMap<string, string>
  /** Indices of the rows at which pages begin, ascending: reactions and copies look no further than a page. */
  readonly pageStarts?: readonly number[]
}

/**
 * Builds the items of a transcript's rows, in file order. O(rows · log rows) with reactions, else O(rows).
 *
 * An item depends on the rows before it (a call's result, the speaker, the day). So with `hasBefore` the first rows
 * up to the first certain one are held back: an item never changes when the page before it arrives.
 */
export function buildItems(rows: readonly TranscriptRow[], options: ItemOptions): Item[] {
  const { pageStarts = [] } = options
  const held = options.hasBefore ? countHeld(rows) : 0
  const copies = findCopies(rows, pageStarts)
  const around: Around = {
    pairs: pairTools(rows),
    reactions: placeReactions(rows, pageStarts, (index) => !copies.rows.has(index)),
    copies,
    shownAs: options.shownAs,
  }
  const items: Item[] = []
  let previous: Item | undefined
  let dayOf: number | undefined

  rows.forEach((row, index) => {
    const item = itemOf(row, index, previous, around)
    if (item === undefined) return
    const atMs = timeOf(row)
    const day = atMs === undefined ? undefined : new Date(atMs).setHours(0, 0, 0, 0)
    const isNewDay = day !== undefined && day !== dayOf
    dayOf = day ?? dayOf
    const merged = mergedSeam(previous, item)
    if (merged !== undefined) {
      if (index >= held) items[items.length - 1] = merged
      previous = merged
      return
    }
    const placed = isNewDay && 'isHead' in item ? { ...item, isHead: true } : item
    previous = placed
    if (index < held) return
    if (isNewDay && atMs !== undefined) items.push({ type: 'day', key: `day:${item.key}`, atMs })
    items.push(placed)
  })
  return items
}

/** Returns the time of a row in Unix ms. */
function timeOf(row: TranscriptRow): number | undefined {
  return row.type === 'entry' ? entryTimeMs(row.entry.timestamp) : undefined
}

/**
 * Counts the rows at the start whose items depend on the rows before: one row, a run of anchors with what chibi repeats
 * after it, or a batch of calls; with the reactions before it, which may have no item.
 */
function countHeld(rows: readonly TranscriptRow[]): number {
  let held = 0
  const skip = (is: (entry: Entry) => boolean) => {
    for (let row = rows[held]; row?.type === 'entry' && is(row.entry); row = rows[held]) held++
  }
  skip((entry) => reactionOf(entry) !== undefined)
  const reactions = held
  skip(isAnchor)
  if (held === reactions) {
    skip(isToolCallEntry)
    skip(isToolResultEntry)
  }
  return Math.max(held, reactions + 1)
}

/** The facts that an item depends on, besides the item before it. */
interface Around {
  readonly pairs: ReturnType<typeof pairTools>
  readonly reactions: PlacedReactions
  readonly copies: RowCopies
  readonly shownAs: ReadonlyMap<string, string>
}

function itemOf(
  row: TranscriptRow,
  index: number,
  previous: Item | undefined,
  around: Around,
): Item | undefined {
  const { pairs, reactions, copies } = around
  const own = rowKey(row)
  const key = around.shownAs.get(own) ?? own
  if (row.type === 'damaged') return { type: 'damaged', key, damaged: row.damaged }
  const { entry } = row
  // After a reaction in between, the entry answers that.
  const isAnswer = reactions.folded.has(index - 1)
  const isHead = !isOfAnswer(previous) || isAnswer
  if (isToolCallEntry(entry)) {
    const result = pairs.resultOf.get(own)
    const text = callUserMessage(entry)?.words
    const found = result === undefined ? {} : { result }
    return text === undefined
      ? { type: 'tool', key, call: entry, isHead, ...found }
      : { type: 'agent', key, entry, text, isHead, ...found }
  }
  if (isToolResultEntry(entry))
    // Shown with its call.
    return pairs.paired.has(own) ? undefined : { type: 'tool', key, result: entry, isHead }
  if (entry.entry_type === runErrorType) return { type: 'error', key, entry }
  if (entry.entry_type === reasoningType) return { type: 'reasoning', key, entry, isHead }
  if (entry.entry_type === documentType) return { type: 'document', key, entry }
  if (isAnchor(entry) || isSeam(entry)) {
    const repeated = copies.after.get(index)
    return {
      type: 'seam',
      key,
      entries: [entry],
      ...(repeated === undefined ? {} : { copies: repeated }),
    }
  }
  // Shown with the seam, or with the message.
  if (copies.rows.has(index) || reactions.folded.has(index)) return undefined
  if (reactionOf(entry) !== undefined)
    return { type: 'reaction', key, entry, isTargetHere: reactions.apart.has(index) }
  const on = reactions.on.get(index)
  const withReactions = on === undefined ? {} : { reactions: on }
  const speaker = speakerOf(entry)
  if (speaker === 'user') {
    const text = shownText(entry)
    return {
      type: 'user',
      key,
      entry,
      text,
      isHead: !continuesPerson(previous, entry),
      ...withReactions,
    }
  }
  if (speaker === 'agent')
    return { type: 'agent', key, entry, text: entry.content, isHead, ...withReactions }
  return { type: 'other', key, entry }
}

/** The type of a page that the source kept whole, such as an archive from before it wrote lines. */
const documentType = 'document'
/** The type of what a model thought, as other systems keep it. */
const reasoningType = 'reasoning'

/** Seconds after which a person in a room is named again. */
const burstSeconds = 300

/** Returns true where a person in a room writes on right after their previous message. */
function continuesPerson(previous: Item | undefined, entry: Entry): boolean {
  if (previous?.type !== 'user' || previous.entry.from !== entry.from) return false
  const { timestamp } = previous.entry
  if (personOf(entry.from) === undefined || timestamp === null || entry.timestamp === null)
    return false
  return Math.abs(entry.timestamp - timestamp) <= burstSeconds
}

function isSeam(entry: Entry): boolean {
  const { entry_type } = entry
  if (entry_type === 'system_prompt_changed' || entry_type === 'control_transfer') return true
  return entry.metadata?.branch_summary !== undefined && branchSummaryOf(entry) !== undefined
}

function mergedSeam(previous: Item | undefined, item: Item): Item | undefined {
  if (previous?.type !== 'seam' || item.type !== 'seam') return undefined
  if (![...previous.entries, ...item.entries].every(isAnchor)) return undefined
  // The copies are between the two anchors.
  if (previous.copies !== undefined) return undefined
  return {
    ...previous,
    ...item,
    key: previous.key,
    entries: [...previous.entries, ...item.entries],
  }
}
