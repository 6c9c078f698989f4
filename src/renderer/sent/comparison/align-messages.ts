import { diffArrays } from 'diff'
import type { SentMessage } from '../../../shared/model/run/sent'
import { comparableText, messageIdentity } from '../messages/message-content'
import type { TextChange } from './text-diff'

/** What became of messages. */
export type MessageChange =
  /** As they were, one after another. */
  | { readonly type: 'same'; readonly messages: readonly SentMessage[] }
  | { readonly type: 'removed'; readonly message: SentMessage }
  | { readonly type: 'added'; readonly message: SentMessage }
  | {
      readonly type: 'changed'
      readonly before: SentMessage
      readonly after: SentMessage
      readonly change: TextChange
    }

/** The same before their words are compared. */
export type AlignedMessage =
  | Exclude<MessageChange, { readonly type: 'changed' }>
  | { readonly type: 'changed'; readonly before: SentMessage; readonly after: SentMessage }

/** Looking for equal ones takes the square of those that differ. */
const maxEditLength = 4_000
/** How far ahead a message looks for the one that it became. */
const reach = 12
/** Characters at each end that tell whether two texts are of one. */
const endCharacters = 4_000

/**
 * Which messages of a request became which of another one, in order. Equal ones are found first; of those between them, a
 * removed and an added one that are akin are one that changed. After `timeout` milliseconds it is given up, and all of one
 * became all of the other.
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
  // As numbers: texts of many kilobytes would be compared again and again.
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
    // Of equal ones the later knows more: where its entries stand now.
    return { type: added ? 'added' : 'same', messages: is }
  })
}

/** Messages between two equal ones: each added one is looked for among the removed ones, in order. */
function pair(
  removed: readonly SentMessage[],
  added: readonly SentMessage[],
): readonly AlignedMessage[] {
  const paired: AlignedMessage[] = []
  let old = 0
  for (const message of added) {
    const within = removed.slice(old, old + reach)
    const found = within.findIndex((one) => isAkin(one, message))
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
  // What went stands before what came, where they have nothing to do with one another.
  const tail = paired.findLastIndex(({ type }) => type !== 'added') + 1
  return [...paired.slice(0, tail), ...rest, ...paired.slice(tail)]
}

/** Whether a message is likely to be another one that was changed. */
function isAkin(a: SentMessage, b: SentMessage): boolean {
  if (a.role !== b.role) return false
  if (a.role === 'system' || a.role === 'developer') return true
  if (a.entryIds.some((id) => b.entryIds.includes(id))) return true
  if (a.callId !== undefined && a.callId === b.callId) return true
  if (a.text !== '' && a.text === b.text) return true
  const [one, other] = [comparableText(a), comparableText(b)]
  const longer = Math.max(one.length, other.length)
  return longer > 0 && commonEnds(one, other) * 2 >= Math.min(longer, 2 * endCharacters)
}

/** Characters that two texts have in common at their start and at their end. */
function commonEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length, endCharacters)
  let start = 0
  while (start < most && a.charCodeAt(start) === b.charCodeAt(start)) start++
  let end = 0
  const rest = Math.min(a.length - start, b.length - start, endCharacters)
  while (end < rest && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++
  return start + end
}
