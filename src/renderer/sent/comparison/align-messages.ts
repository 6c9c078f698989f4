import { diffArrays } from 'diff'
import type { SentMessage } from '../../../shared/model/run/sent'
import { comparableText, messageIdentity } from '../messages/message-content'
import type { TextChange } from './text-diff'

/** Change of one message between two requests, or a run of equal ones. */
export type MessageChange =
  /** Equal messages that follow one another. */
  | { readonly type: 'same'; readonly messages: readonly SentMessage[] }
  | { readonly type: 'removed'; readonly message: SentMessage }
  | { readonly type: 'added'; readonly message: SentMessage }
  | {
      readonly type: 'changed'
      readonly before: SentMessage
      readonly after: SentMessage
      readonly change: TextChange
    }

/** Change of one message before the texts of changed ones are compared. */
export type AlignedMessage =
  | Exclude<MessageChange, { readonly type: 'changed' }>
  | { readonly type: 'changed'; readonly before: SentMessage; readonly after: SentMessage }

/** Limit of the search for equal messages: its cost grows with the square of what differs. */
const maxEditLength = 4_000
/** Most removed messages that an added one is compared with. */
const reach = 12
/** Characters at each end by which the similarity of two texts is judged. */
const endCharacters = 4_000

/**
 * Aligns the messages of two requests, in order: equal ones first; between those, a removed and an added one that
 * are similar count as changed. After `timeout` ms it gives up: all of `before` is removed, all of `after` added.
 */
export function alignMessages(
  before: readonly SentMessage[],
  after: readonly SentMessage[],
  timeout: number,
): readonly AlignedMessage[] {
  const aligned: AlignedMessage[] = []
  let removed: readonly SentMessage[] = []
  let added: readonly SentMessage[] = []
  const settle = () => {
    aligned.push(...pair(removed, added))
    removed = []
    added = []
  }
  for (const step of steps(before, after, timeout)) {
    if (step.type === 'same') {
      settle()
      aligned.push({ type: 'same', messages: step.messages })
    } else if (step.type === 'removed') removed = [...removed, ...step.messages]
    else added = [...added, ...step.messages]
  }
  settle()
  return aligned
}

interface Step {
  readonly type: 'same' | 'removed' | 'added'
  readonly messages: readonly SentMessage[]
}

function steps(
  before: readonly SentMessage[],
  after: readonly SentMessage[],
  timeout: number,
): readonly Step[] {
  // As numbers, or long texts would be compared many times.
  const numbers = new Map<string, number>()
  const numbered = (messages: readonly SentMessage[]) =>
    messages.map((message) => {
      const key = messageIdentity(message)
      const number = numbers.get(key) ?? numbers.size
      numbers.set(key, number)
      return number
    })
  const found = diffArrays(numbered(before), numbered(after), { maxEditLength, timeout })
  if (found === undefined)
    return [
      { type: 'removed', messages: before },
      { type: 'added', messages: after },
    ]
  let old = 0
  let now = 0
  return found.map(({ count, added, removed }): Step => {
    const was = before.slice(old, old + count)
    const is = after.slice(now, now + count)
    if (!added) old += count
    if (!removed) now += count
    if (removed) return { type: 'removed', messages: was }
    // Of two equal messages the later one has the current entry ids.
    return { type: added ? 'added' : 'same', messages: is }
  })
}

/** Pairs the messages between two equal ones: each added one with a similar removed one, in order. */
function pair(
  removed: readonly SentMessage[],
  added: readonly SentMessage[],
): readonly AlignedMessage[] {
  const paired: AlignedMessage[] = []
  let old = 0
  for (const message of added) {
    const within = removed.slice(old, old + reach)
    const found = within.findIndex((one) => isSimilar(one, message))
    const before = within[found]
    if (before === undefined) {
      paired.push({ type: 'added', message })
      continue
    }
    paired.push(
      ...within.slice(0, found).map((one) => ({ type: 'removed', message: one }) as const),
    )
    paired.push({ type: 'changed', before, after: message })
    old += found + 1
  }
  const rest = removed.slice(old).map((message) => ({ type: 'removed', message }) as const)
  // Unpaired removed messages come before unpaired added ones.
  const tail = paired.findLastIndex(({ type }) => type !== 'added') + 1
  return [...paired.slice(0, tail), ...rest, ...paired.slice(tail)]
}

/** Returns true where one message is likely to be the other after a change. */
function isSimilar(a: SentMessage, b: SentMessage): boolean {
  if (a.role !== b.role) return false
  if (a.role === 'system' || a.role === 'developer') return true
  if (a.entryIds.some((id) => b.entryIds.includes(id))) return true
  if (a.callId !== undefined && a.callId === b.callId) return true
  if (a.text !== '' && a.text === b.text) return true
  const [one, other] = [comparableText(a), comparableText(b)]
  const longer = Math.max(one.length, other.length)
  return longer > 0 && commonEnds(one, other) * 2 >= Math.min(longer, 2 * endCharacters)
}

/** Counts the characters that two texts share at their start and at their end. */
function commonEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length, endCharacters)
  let start = 0
  while (start < most && a.charCodeAt(start) === b.charCodeAt(start)) start++
  let end = 0
  const rest = Math.min(a.length - start, b.length - start, endCharacters)
  while (end < rest && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++
  return start + end
}
