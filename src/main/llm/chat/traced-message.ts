import type { EntryId } from '../../../shared/model/conversation/entry'
import type { ChatMessage } from './provider'

/** A message, and the entries that it was made of; the prompt's message has none. */
export interface TracedMessage {
  readonly message: ChatMessage
  readonly entryIds: readonly EntryId[]
}
