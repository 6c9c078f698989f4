import type {
  ContextSideFiles,
  ConversationDetails,
  ConversationSummary,
} from '../../../shared/model/conversation/conversation'
import type { ConversationCount } from '../count/count-by-reading'
import type { ConversationNotes } from './conversation-source'

/** The notes of a conversation; of a context also its side files. */
export interface SideNotes extends ConversationNotes {
  readonly beside?: ContextSideFiles
}

/**
 * Returns the details of a conversation that was counted, for the right pane.
 *
 * @param folder as people write it
 */
export function detailsOf(
  summary: ConversationSummary,
  folder: string,
  count: ConversationCount,
  { todos, goals, summary: written, notices = [], beside }: SideNotes,
): ConversationDetails {
  const contextSummary = written ?? beside?.keptSummary
  return {
    summary,
    folder,
    partitions: count.partitions,
    models: [...count.models],
    lines: count.lines,
    blank: count.blank,
    damaged: count.damaged,
    strays: [...count.strays],
    notices: [...count.unread, ...count.notices, ...notices],
    ...(todos === undefined ? {} : { todos }),
    ...(goals === undefined ? {} : { goals }),
    ...(contextSummary === undefined ? {} : { contextSummary }),
    ...(beside === undefined ? {} : { beside }),
  }
}
