import type { EntryBranch } from '../../shared/model/query/query-fields'
import type { SearchableConversation } from '../../shared/model/search'
import { mapConcurrent } from '../disk/pacing/map-concurrent'
import { isLeftEntry, type LeftEntries, nothingLeft } from '../library/search'

/** Branches of some conversations, as far as they could be read. */
export interface KnownBranches {
  /** Undefined where they are not known. */
  readonly of: (conversation: SearchableConversation) => LeftEntries | undefined
  /** Conversations whose branches cannot be read, a sentence each. */
  readonly notices: readonly string[]
}

/** Who reads the branches of a conversation: `SearchWorkers` in the program. */
interface BranchReader {
  /** Conversations that are read at the same time. */
  readonly width: number
  leftEntries(conversation: SearchableConversation, signal?: AbortSignal): Promise<LeftEntries>
}

/** Branches inside of conversations: read when they are asked for, once for each state of a conversation. */
export class BranchBook {
  private readonly workers: BranchReader
  /** A conversation that has changed is another object. */
  private readonly known = new WeakMap<SearchableConversation, LeftEntries>()

  constructor(workers: BranchReader) {
    this.workers = workers
  }

  /** Reads the branches of conversations that are not known yet, in threads. An abort ends it early. */
  async read(
    conversations: Iterable<SearchableConversation>,
    signal: AbortSignal | undefined,
  ): Promise<KnownBranches> {
    const notices: string[] = []
    const unknown = [...new Set(conversations)].filter((one) => this.of(one) === undefined)
    await mapConcurrent(
      unknown,
      async (conversation) => {
        if (signal?.aborted) return
        try {
          this.known.set(conversation, await this.workers.leftEntries(conversation, signal))
        } catch (error) {
          if (signal?.aborted) return
          const why = error instanceof Error ? error.message : String(error)
          notices.push(`The branches of ${conversation.title} are not known: ${why}`)
        }
      },
      this.workers.width,
    )
    return { of: (conversation) => this.of(conversation), notices }
  }

  /** Returns what is known of a conversation by now. */
  of(conversation: SearchableConversation): LeftEntries | undefined {
    return conversation.tree === undefined ? nothingLeft : this.known.get(conversation)
  }
}

/** Returns the branch of an entry; undefined where its conversation's are not known. */
export function branchOf(
  left: LeftEntries | undefined,
  file: string,
  {
    offset,
    field,
    entryId,
  }: { readonly offset: number; readonly field: string; readonly entryId: string },
): EntryBranch | undefined {
  if (left === undefined) return undefined
  // A damaged line is opened by its place.
  return isLeftEntry(left, file, offset, field === 'damaged' ? undefined : entryId)
    ? 'left'
    : 'current'
}
