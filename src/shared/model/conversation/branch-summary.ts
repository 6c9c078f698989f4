import { z } from 'zod'
import { type LibraryKey, parseLibraryKey } from './conversation'
import type { Entry, EntryDraft, EntryId } from './entry'

/** Facts on the entry that begins a branch with a summary of the one that was left. */
const BranchSummaryFacts = z.object({
  /** The library key of the conversation whose further course was summarized. */
  key: z.string(),
  /** Messages of it that were summarized. */
  messages: z.int().nonnegative(),
  /** The question that the person wanted to have answered. */
  words: z.string().optional(),
  /** The summary, without the sentence before it. */
  summary: z.string(),
})
type BranchSummaryFacts = z.infer<typeof BranchSummaryFacts>

/** A summary that a model wrote, and what it took. */
interface WrittenSummary extends Pick<BranchSummaryFacts, 'messages' | 'words'> {
  readonly text: string
  readonly model: string
  readonly usage?: unknown
}

/** Sentence before the summary, for the model and for programs that know nothing of summaries. */
const introduction = 'Summary of another branch of this conversation, which was left here:'

/**
 * Makes the entry with which a branch begins after its copies: a message to the model that no person wrote. Programs that know
 * nothing of it send it as any other message.
 *
 * @param left the conversation that was left
 */
export function branchSummaryEntry(
  { text, model, usage, messages, words }: WrittenSummary,
  left: LibraryKey,
  facts: { readonly id: EntryId; readonly context: string; readonly timestamp: number },
): EntryDraft {
  const { source, key } = parseLibraryKey(left)
  const summary: BranchSummaryFacts = {
    key: left,
    messages,
    ...(words === undefined ? {} : { words }),
    summary: text,
  }
  return {
    id: facts.id,
    timestamp: facts.timestamp,
    from: source === 'chibi' ? key : source,
    to: facts.context,
    content: `${introduction}\n\n${text}`,
    entry_type: 'message',
    metadata: {
      injected: true,
      branch_summary: summary,
      model,
      ...(usage === undefined ? {} : { usage }),
    },
    role: 'user',
  }
}

/** Reads the facts of a summary of another branch; undefined for every other entry. */
export function branchSummaryOf({
  metadata,
}: Pick<Entry, 'metadata'>): BranchSummaryFacts | undefined {
  return BranchSummaryFacts.safeParse(metadata?.branch_summary).data
}
