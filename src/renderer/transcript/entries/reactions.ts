import { type Entry, speakerOf } from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import { cutText } from '../../ui/format/cut-text'
import { visibleText } from '../../ui/format/visible-text'

/** What a reaction's line says: to which message, and all that its sender now has there; none: taken back. */
export interface ReactionFacts {
  readonly messageId: string
  readonly emojis: readonly string[]
}

/** The reaction that an entry is; undefined for any other entry. */
export function reactionOf(entry: Entry): ReactionFacts | undefined {
  const told = entry.metadata?.reaction
  if (typeof told !== 'object' || told === null || speakerOf(entry) !== 'user') return undefined
  const { message_id: messageId, emojis } = told as Readonly<Record<string, unknown>>
  if (typeof messageId !== 'string' || !Array.isArray(emojis)) return undefined
  return emojis.every((emoji) => typeof emoji === 'string') ? { messageId, emojis } : undefined
}

/** Where reactions are shown. Rows are named by their index. */
export interface PlacedReactions {
  /** Those that sit on a message, in file order. */
  readonly on: ReadonlyMap<number, readonly Entry[]>
  /** Those that are told by the message alone: they have no row of their own. */
  readonly folded: ReadonlySet<number>
  /** Those whose message is here, and which have a row of their own all the same. */
  readonly apart: ReadonlySet<number>
}

/** Lines of one message at most: all of them are shown with its source. Further reactions have rows. */
const mostOnOne = 500

const none: PlacedReactions = { on: new Map(), folded: new Set(), apart: new Set() }

/**
 * Finds the message of each reaction: the last one of that id before it, else the first one after it. O(rows · log rows).
 *
 * A page that arrives must move nothing that is on the screen, so pages decide: a reaction in the page of its message sits
 * on it alone; one to a message of a page before keeps the row under which it may be on the screen already, and sits on
 * the message as well, which is laid out with it; one to a message of a page after has its row only.
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

/** A message of the reaction's own page if there is one: what comes with other pages changes nothing then. */
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

/** How many of some ascending numbers are below a limit. */
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

/** What stands under a message. */
export interface ReactionSummary {
  /** In the order in which they first came. */
  readonly chips: readonly ReactionChip[]
  /** Emojis that could have chips of their own and have none: a flood is counted. */
  readonly more: number
  readonly removed: readonly RemovedReaction[]
}

export interface ReactionChip {
  /** As it can be shown. */
  readonly emoji: string
  /** Senders as the file names them. */
  readonly from: readonly string[]
}

/** What somebody took back. */
export interface RemovedReaction {
  readonly from: string
  readonly emojis: readonly string[]
  /** Unix seconds. */
  readonly timestamp: number | null
}

/** Chips under one message at most. */
const mostChips = 24
/** Of removals, the last ones are told. */
const mostRemoved = 50

/** What is left of reactions to one message: each of a sender's takes the place of the one before. */
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
    // A removal of what is not here is told as well: what it took back stood in another place.
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

/** UTF-16 units of an emoji at most: a family with skin tones has some 25. */
const emojiUnits = 28

/** An emoji as it can be shown: whatever a line has there, short and to be seen. */
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
