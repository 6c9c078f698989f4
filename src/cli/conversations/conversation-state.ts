import type { ConversationSummary } from '../../shared/model/conversation/conversation'

/** State of a conversation in lists. */
export type ConversationState = 'ok' | 'locked' | 'damaged' | 'unreadable'

/** Returns the state that matters most: an unreadable conversation may be in use as well. */
export function stateOf({
  unreadable,
  lock,
  damaged,
}: Pick<ConversationSummary, 'unreadable' | 'lock' | 'damaged'>): ConversationState {
  if (unreadable !== undefined) return 'unreadable'
  if (lock.state === 'held') return 'locked'
  return (damaged ?? 0) > 0 ? 'damaged' : 'ok'
}
