import type { EntryId } from '../../../shared/model/conversation/entry'
import type { ChatMessage } from './provider'

/** A message, and the entries that it was made of; none for the prompt's. */
export interface TracedMessage {
  readonly message: ChatMessage
  readonly entryIds: readonly EntryId[]
}
