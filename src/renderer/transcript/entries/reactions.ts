import { visibleText } from '../../../shared/model/basics/visible'
import { type Entry, speakerOf } from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import { cutText } from '../../ui/format/cut-text'

/** Facts of a reaction: its message, and all emojis that its sender now has there; none after a removal. */
export interface ReactionFacts {
  readonly messageId: string
  readonly emojis: readonly string[]
}

/** Reads the reaction that an entry is; undefined for any other entry. */
export function reactionOf(entry: Entry): ReactionFacts | undefined {
  const reaction = entry.metadata?.reaction
  if (typeof reaction !== 'object' || reaction === null || speakerOf(entry) !== 'user')
    return undefined
  const { message_id: messageId, emojis } = reaction as Readonly<Record<string, unknown>>
  if (typeof messageId !== 'string' || !Array.isArray(emojis)) return undefined
  return emojis.every((emoji) => typeof emoji === 'string') ? { messageId, emojis } : undefined
}

/** Places of the reactions of a transcript; rows are given by their index. */
export interface PlacedReactions {
  /** Reactions shown under a message, in file order. */
  readonly on: ReadonlyMap<number, readonly Entry[]>
  /** Reactions shown only under their message, without an item of their own. */
  readonly folded: ReadonlySet<number>
  /** Reactions whose message is here, but which have an item of their own. */
  readonly apart: ReadonlySet<number>
}

/** Most reactions of one message: all are shown with its source. Further ones have items. */
const mostOnOne = 500

const none: PlacedReactions = { on: new Map(), folded: new Set(), apart: new Set() }

/**
 * Finds the message of each reaction: the last one of that id before it, else the first one after it. O(rows · log rows).
 *
 * A page that arrives must not move what is on the screen, so pages decide: a reaction in the page of its message is
 * shown only under it; one to a message of an earlier page keeps the item that may be on the screen already, and is shown
 * under the message too, which is laid out with it; one to a message of a later page has its item only.
 *
 * @param pageStarts the rows at which pages begin, ascending
 * @param isShown whether a row of a message has an item of its own
 */
export function placeReactions(
  rows: readonly TranscriptRow[],
  pageStarts: readonly number[],
  isShown: (index: number) => boolean,
): PlacedReactions {
  const reactions = reactionsAmong(rows)
  if (reactions.length === 0) return none
  const messages = messagesById(rows, isShown)
  const on = new Map<number, Entry[]>()
  const folded = new Set<number>()
  const apart = new Set<number>()
  for (const { index, entry, messageId } of reactions) {
    const [start, end] = pageAround(pageStarts, index, rows.length)
    const target = targetOf(messages.get(messageId) ?? [], index, start, end)
    if (target === undefined) continue
    const sitting = on.get(target) ?? []
    const hasRoom = target < end && sitting.length < mostOnOne
    ;(hasRoom && target >= start ? folded : apart).add(index)
    if (!hasRoom) continue
    sitting.push(entry)
    on.set(target, sitting)
  }
  return { on, folded, apart }
}

interface Reaction {
  readonly index: number
  readonly entry: Entry
  readonly messageId: string
}

function reactionsAmong(rows: readonly TranscriptRow[]): readonly Reaction[] {
  return rows.flatMap((row, index) => {
    const facts = row.type === 'entry' ? reactionOf(row.entry) : undefined
    if (facts === undefined || row.type !== 'entry') return []
    return [{ index, entry: row.entry, messageId: facts.messageId }]
  })
}

function messagesById(
  rows: readonly TranscriptRow[],
  isShown: (index: number) => boolean,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  rows.forEach((row, index) => {
    if (row.type !== 'entry' || !isShown(index)) return
    const id = row.entry.metadata?.msg_id
    const speaker = speakerOf(row.entry)
    if (typeof id !== 'string' || (speaker !== 'user' && speaker !== 'agent')) return
    if (reactionOf(row.entry) !== undefined) return
    const known = found.get(id)
    if (known === undefined) found.set(id, [index])
    else known.push(index)
  })
  return found
}

/** Prefers a message of the reaction's own page, so that other pages change nothing. */
function targetOf(
  messages: readonly number[],
  index: number,
  start: number,
  end: number,
): number | undefined {
  const after = countBelow(messages, index)
  const before = messages[after - 1]
  if (before !== undefined && before >= start) return before
  const next = messages[after]
  if (next !== undefined && next < end) return next
  return before ?? next
}

function pageAround(
  pageStarts: readonly number[],
  index: number,
  end: number,
): readonly [number, number] {
  const next = countBelow(pageStarts, index + 1)
  return [pageStarts[next - 1] ?? 0, pageStarts[next] ?? end]
}

/** Counts the numbers below a limit; they are ascending. O(log n). */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? limit) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** Summary of the reactions to one message. */
export interface ReactionSummary {
  /** In the order of their first appearance. */
  readonly chips: readonly ReactionChip[]
  /** Number of emojis beyond the limit of chips. */
  readonly more: number
  readonly removed: readonly RemovedReaction[]
}

/** Emoji under a message, with its senders. */
export interface ReactionChip {
  /** The emoji as visible text. */
  readonly emoji: string
  /** Senders as the file names them. */
  readonly from: readonly string[]
}

/** Removal of reactions by a sender. */
export interface RemovedReaction {
  readonly from: string
  readonly emojis: readonly string[]
  /** Unix seconds. */
  readonly timestamp: number | null
}

/** Most chips under one message. */
const mostChips = 24
/** Most removals that are listed: the last ones. */
const mostRemoved = 50

/** Sums up the reactions to one message, in file order: each of a sender's replaces the one before. */
export function summaryOfReactions(entries: readonly Entry[]): ReactionSummary {
  const current = new Map<string, ReadonlySet<string>>()
  const order = new Set<string>()
  const removed: RemovedReaction[] = []
  for (const entry of entries) {
    const emojis = new Set(
      reactionOf(entry)
        ?.emojis.slice(0, mostChips * 2)
        .map(emojiText),
    )
    const gone = [...(current.get(entry.from) ?? [])].filter((emoji) => !emojis.has(emoji))
    // A removal without its reaction is listed too: the reaction is in a page that is not loaded.
    if (gone.length > 0 || emojis.size === 0)
      removed.push({ from: entry.from, emojis: gone, timestamp: entry.timestamp })
    for (const emoji of emojis) order.add(emoji)
    current.set(entry.from, emojis)
  }
  const senders = new Map<string, string[]>()
  for (const [from, emojis] of current)
    for (const emoji of emojis) senders.set(emoji, [...(senders.get(emoji) ?? []), from])
  const chips = [...order].flatMap((emoji) => {
    const from = senders.get(emoji)
    return from === undefined ? [] : [{ emoji, from }]
  })
  return {
    chips: chips.slice(0, mostChips),
    more: Math.max(0, chips.length - mostChips),
    removed: removed.slice(-mostRemoved),
  }
}

/** Longest emoji, in UTF-16 units: a family with skin tones has about 25. */
const emojiUnits = 28

/** Returns an emoji as a short visible text, whatever the line has there. */
export function emojiText(text: string): string {
  const { shown, isCut } = cutText(text, 1, emojiUnits)
  const trimmed = visibleText(shown).trim()
  const seen = /[^\p{C}\p{Z}\p{M}]/u.test(trimmed) ? trimmed : codePoints(shown)
  return isCut ? `${seen}…` : seen
}

function codePoints(text: string): string {
  const points = [...text].map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase()}`)
  return points.length === 0 ? 'nothing' : points.join(' ')
}
