import type { BackupReason } from '../../../shared/model/backup/backup'
import type {
  ConversationKey,
  LibraryKey,
  LockState,
} from '../../../shared/model/conversation/conversation'
import type { SourceId } from '../../../shared/model/conversation/sources'
import type { SearchFile } from '../../../shared/model/search'
import type { ConversationCount } from '../count/count-by-reading'

/** Facts from a short read of a conversation; they are valid while its stamp is the same. */
export interface ConversationFacts {
  /** The title that people see. */
  readonly title: string
  readonly project: string | null
  /** ISO 8601 in UTC, or null where unknown. */
  readonly created: string | null
  readonly updated: string | null
}

/** A person's notes beside a conversation. */
export interface ConversationNotes {
  readonly todos?: string
  readonly goals?: string
  readonly summary?: string
  /** What a person should know of it, one sentence each. */
  readonly notices?: readonly string[]
}

/** A conversation as its source lists it, by names, sizes and times alone; the rest is read on demand. */
export interface ConversationListing {
  readonly source: SourceId
  readonly key: LibraryKey
  /** The source's own name for it. */
  readonly ownKey: ConversationKey
  /** Another one whenever a file of it came, went, was replaced or changed; undefined where that cannot be known. */
  readonly stamp: string | undefined
  /** Those that hold it, in reading order, as search reads them; none where it cannot be read. */
  readonly files: readonly SearchFile[]
  /** See `SearchableConversation.tree`. */
  readonly tree?: unknown
  readonly bytes: number
  /** Unix milliseconds. */
  readonly updatedAtMs: number | undefined
  readonly lock: LockState
  /** Why it cannot be read, for people. */
  readonly unreadable: string | undefined
  /** Parts of it that cannot be read, as far as the listing knows: a sentence each. */
  readonly missing: readonly string[]
  /** Why it is read from a backup, where it is. */
  readonly backup?: BackupReason | undefined
  /** Where it lies, as people write it. */
  readonly shownPlace: string
  /** Its title in a file beside its own, where listing it has read one. */
  readonly storedTitle?: string | undefined
  /** Its facts, where listing it has told them: a short read is not needed. */
  readonly facts?: ConversationFacts | undefined
  /** A short read. @throws AppError `not-found`, `unreadable` */
  readFacts(signal?: AbortSignal): Promise<ConversationFacts>
  /** Reads all of it. @throws AppError `not-found`, `unreadable` */
  count(signal?: AbortSignal): Promise<ConversationCount>
  readNotes(): Promise<ConversationNotes>
}

/** A function that is called with conversations as they are found. */
export type FoundListings = (some: readonly ConversationListing[]) => void

/** A source of conversations on the disk: a home's contexts, or other systems' histories. */
export interface ConversationSource {
  /** True where a conversation of this key belongs to this source. */
  holds(key: LibraryKey): boolean
  /**
   * Lists all of them now. @throws AppError `unreadable`
   *
   * @param found is called with each part of them as soon as it is known
   */
  list(signal?: AbortSignal, found?: FoundListings): Promise<readonly ConversationListing[]>
  /** One as it is now; undefined where there is none. */
  find(key: LibraryKey): Promise<ConversationListing | undefined>
  /** Calls `changed` when some came, went or changed. Returns a disposer. */
  watch(changed: () => void): () => void
}
