import type {
  ConversationDetails,
  ConversationSummary,
  LibraryKey,
} from '../../shared/model/conversation/conversation'
import type { SourceId } from '../../shared/model/conversation/sources'
import type { SourceDrift } from '../../shared/model/drift/drift'
import type { LostAndFound } from '../../shared/model/lost'
import type { SearchableConversation } from '../../shared/model/search'
import type { Disk } from '../disk/interface/disk'
import type { TitleStore } from '../store/given-titles'
import type { Store } from '../store/store'
import type { Counter } from './count/counter'
import type { LibraryRowChange } from './list/change-feed'
import type { LibraryPage } from './list/pages'
import type { Histories } from './sources/histories'

/**
 * The list of every conversation that can be shown: a home's contexts and other systems' histories. Reading never
 * writes to them.
 */
export interface Library {
  /**
   * Most recently updated first. The cursor names the last row of the page before.
   *
   * The first page does not wait for all: the first time it comes from the cache, and what has changed since is reported
   * as changes; without a cache, what cannot be read in a moment is put in order by the times of its files, and its rows
   * are read when their page is asked for. Where not all are found in a moment (`rowsAfterMs`), pages have what is found, with
   * provisional rows of what was not read; the others come as changes, a few times a second, and so does what is read.
   * Within a page the order is exact. @throws AppError `unreadable`
   */
  list(cursor: string | undefined, limit: number): Promise<LibraryPage>
  /** Every row as it is on the disk now, newest first; with `counted`, what was not counted is. @throws AppError `unreadable` */
  all(counted: boolean, signal?: AbortSignal): Promise<readonly ConversationSummary[]>
  find(key: LibraryKey): Promise<ConversationSummary | undefined>
  /** Every conversation as search knows it, as it is on the disk now. @throws AppError `unreadable` */
  searchables(signal?: AbortSignal): Promise<readonly SearchableConversation[]>
  /** One of them; undefined where there is none any more. @throws AppError `unreadable` */
  searchable(key: LibraryKey): Promise<SearchableConversation | undefined>
  /** As the last look found it, without asking the disk; undefined where none was found. */
  searchableAsFound(key: LibraryKey): Promise<SearchableConversation | undefined>
  /** Counts the whole conversation. @throws AppError `not-found`, `unreadable` */
  details(key: LibraryKey, signal?: AbortSignal): Promise<ConversationDetails>
  /**
   * Lists what is lost: damaged lines as far as they were counted, what cannot be read, what is gone, and lines that no
   * conversation has.
   *
   * @param again false where the last scan is enough @throws AppError `unreadable`
   */
  lost(again?: boolean, signal?: AbortSignal): Promise<LostAndFound>
  /**
   * Sums up what the histories of each source have that its reader does not know, as far as they were counted. Counts
   * nothing. @throws AppError `unreadable`
   */
  drift(signal?: AbortSignal): Promise<readonly SourceDrift[]>
  /** Stops listing a conversation whose files are gone. */
  forget(key: LibraryKey): Promise<void>
  /** Checks one conversation again and reports it when it changed: after a run of ours, or when it grew. */
  refresh(key: string): Promise<void>
  /**
   * Counts what has not been counted and is not larger than `limitBytes`, the newest first, and reports changes. What changes
   * later is counted again, until the signal aborts.
   */
  countAll(limitBytes: number, signal: AbortSignal): Promise<void>
  /** Lets everything go; the cache is written on return. */
  close(): Promise<void>
}

/** The sources of a library, its cache and its listeners. */
export interface LibraryOptions {
  readonly disk: Disk
  /** Undefined where other systems' histories alone are listed. */
  readonly store: Store | undefined
  /** As people write it: `~/.chibi`. */
  readonly shownHome: string
  readonly histories?: Histories
  /** Where the cache is kept; made when there is something to keep. Nothing is cached without one. */
  readonly cacheFolder?: string
  /** Counts whole conversations; in this thread where none is given. The caller closes it, after the library. */
  readonly counter?: Counter
  /** True where a root of a source was not scanned completely: what was not found there does not count as gone. */
  readonly isPartial?: (source: SourceId) => boolean
  /** Titles and tags that were given in Skein; without it there are none. */
  readonly titles?: Pick<TitleStore, 'look' | 'of' | 'tagsOf' | 'isPinned' | 'colorOf' | 'isHidden'>
  /** Whether a run of ours is writing there now. */
  readonly isRunning: (key: string) => boolean
  readonly changed: (change: LibraryRowChange) => void
  /** Called once, after the first scan, with the contexts whose answer a crash cut off. */
  readonly interrupted?: (names: readonly string[]) => void
  readonly note?: (words: string) => void
  /** False for a single use, as by the command line. */
  readonly watched?: boolean
  /**
   * Time after which a list without a cache gives rows though not all conversations are found, in ms; where it is absent, the
   * list waits for all.
   */
  readonly rowsAfterMs?: number | undefined
}
