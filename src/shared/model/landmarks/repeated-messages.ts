import type { Entry } from '../conversation/entry'

/** Most seconds between an anchor and the copies that were written with it. */
const writtenWithin = 2

/** Facts by which a message is known from its copy; `content` may be a fingerprint. */
export interface MessageTraits {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly content: string | number
}

/** Returns true for a message that was written at the time of an anchor. chibi does not repeat `call_user`. */
export function isWrittenWithAnchor(
  entry: Pick<Entry, 'entry_type' | 'timestamp'>,
  anchor: Pick<Entry, 'timestamp'>,
): boolean {
  if (entry.entry_type !== 'message') return false
  if (entry.timestamp === null || anchor.timestamp === null) return false
  return Math.abs(entry.timestamp - anchor.timestamp) <= writtenWithin
}

/**
 * Counts the messages that chibi wrote a second time behind anchors: of those written with the anchors, the longest run from the first
 * one on that repeats as many last messages, in order, with new ids, a person's under the name "user". O(candidates²) at worst.
 *
 * @param candidates messages written with the anchors, right behind them
 * @param messages those before the anchors, the newest last
 */
export function countRepeated(
  candidates: readonly MessageTraits[],
  messages: readonly MessageTraits[],
): number {
  for (let count = Math.min(candidates.length, messages.length); count > 0; count--) {
    const originals = messages.slice(messages.length - count)
    if (originals.every((original, at) => isCopyOf(candidates[at], original))) return count
  }
  return 0
}

function isCopyOf(copy: MessageTraits | undefined, original: MessageTraits): boolean {
  if (copy === undefined || copy.id === original.id) return false
  const isSamePerson = copy.from === original.from || copy.from === 'user'
  return isSamePerson && copy.to === original.to && copy.content === original.content
}
