import { z } from 'zod'
import {
  callUserMessage,
  type Entry,
  isCallUser,
  isWrittenByPerson,
  runErrorType,
  speakerOf,
} from '../conversation/entry'
import { isFailedResult } from '../conversation/tool-results'

/**
 * End of a conversation: with an answer; with an error, of a run or of a tool; or unfinished: with a message, a call or a result
 * that nobody answered, or with an answer that was stopped.
 */
export const ConversationEnd = z.enum(['answered', 'failed', 'unfinished'])
export type ConversationEnd = z.infer<typeof ConversationEnd>

/** Returns how a conversation ends with one more entry. Entries that nobody speaks, and what a program put in, change nothing. */
export function endAfter(before: ConversationEnd | null, entry: Entry): ConversationEnd | null {
  const { entry_type: type, metadata } = entry
  if (type === runErrorType) return 'failed'
  if (type === 'tool_result') return isFailedResult(entry) ? 'failed' : 'unfinished'
  // chibi's model ends its turn so, with words for the person or without.
  if (isCallUser(entry) && callUserMessage(entry) === undefined) return 'answered'
  if (type === 'tool_call') return 'unfinished'
  const speaker = speakerOf(entry)
  if (speaker === 'user') return isWrittenByPerson(entry) ? 'unfinished' : before
  if (speaker !== 'agent') return before
  if (metadata?.error !== undefined && metadata.error !== false) return 'failed'
  if (metadata?.interrupted === undefined) return 'answered'
  return metadata.interrupted === 'failed' ? 'failed' : 'unfinished'
}
