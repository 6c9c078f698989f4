import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { SearchResult } from '../../shared/model/search'
import type { Branching } from '../library/branch/branching'
import type { Families } from '../library/families'
import type { Library } from '../library/library'
import type { Histories } from '../library/sources/histories'
import type { Transcripts } from '../library/transcripts'
import type { Runs } from '../llm/run/runs'
import type { Titling } from '../llm/titles'
import type { SearchOptions } from '../search/search'
import type { TitleStore } from '../store/given-titles'
import type { Store } from '../store/store'

/** Search over everything that the library lists. */
export interface HomeSearch {
  /**
   * Finds entries and titles as they are on the disk now, what was just appended too. An abort, or closing the home,
   * ends it with what was found. @throws AppError `unreadable`
   */
  query(text: string, options: SearchOptions): Promise<SearchResult>
  /** Begins to build the index and keeps it up to date from then on. */
  buildInBackground(): void
}

/** Everything that belongs to the home that is open; another home gets another one. */
export interface OpenHome {
  readonly store: Store
  readonly library: Library
  readonly histories: Histories
  readonly transcripts: Transcripts
  readonly runs: Runs
  readonly branching: Branching
  readonly families: Families
  readonly search: HomeSearch
  readonly titling: Titling
  readonly tags: Pick<TitleStore, 'changeTags'>
  /** Why it is not known whether a title or tags were given to a conversation, in words; undefined where it is. */
  titleFault(key: LibraryKey): string | undefined
  /** A conversation has another title, or other tags: its row is told, and its family and search follow. */
  titled(key: LibraryKey): Promise<void>
  /** Begins to count the conversations, once, and to build the search index; counts are told as changes of the library. */
  countInBackground(): void
}

/** Gives the open home to handlers. @throws AppError `not-found` while no home is open */
export type CurrentHome = () => OpenHome
