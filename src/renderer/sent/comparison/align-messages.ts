import { alignItems, areSimilarTexts } from '../../../shared/model/comparison/align'
import type { TextChange } from '../../../shared/model/comparison/text-diff'
import type { SentMessage } from '../../../shared/model/run/sent'
import { comparableText, messageIdentity } from '../messages/message-content'

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

/**
 * Aligns the messages of two requests, in order: equal ones first; between those, a removed and an added one that
 * are similar count as changed. After `timeout` ms it gives up: all of `before` is removed, all of `after` added.
 */
export function alignMessages(
  before: readonly SentMessage[],
  after: readonly SentMessage[],
  timeout: number,
): readonly AlignedMessage[] {
  const likeness = { identityOf: messageIdentity, isSimilar }
  return alignItems(before, after, likeness, timeout).items.map((one): AlignedMessage => {
    // Of two equal messages the later one has the current entry ids.
    if (one.type === 'same') return { type: 'same', messages: one.after }
    return one.type === 'changed' ? one : { type: one.type, message: one.item }
  })
}

/** Returns true where one message is likely to be the other after a change. */
function isSimilar(a: SentMessage, b: SentMessage): boolean {
  if (a.role !== b.role) return false
  if (a.role === 'system' || a.role === 'developer') return true
  if (a.entryIds.some((id) => b.entryIds.includes(id))) return true
  if (a.callId !== undefined && a.callId === b.callId) return true
  if (a.text !== '' && a.text === b.text) return true
  return areSimilarTexts(comparableText(a), comparableText(b))
}
