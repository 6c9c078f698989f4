import type { Branching } from '../library/branching'
import type { Families } from '../library/families'
import type { Histories } from '../library/histories'
import type { Library } from '../library/library'
import type { Transcripts } from '../library/transcripts'
import type { Runs } from '../llm/runs'
import type { Store } from '../store/store'

/** Everything that belongs to the home that is open; another home gets another one. */
export interface OpenHome {
  readonly store: Store
  readonly library: Library
  readonly histories: Histories
  readonly transcripts: Transcripts
  readonly runs: Runs
  readonly branching: Branching
  readonly families: Families
  /** Begins to count the conversations, once; counts are told as changes of the library. */
  countInBackground(): void
}

/** Gives the open home to handlers. @throws AppError `not-found` while no home is open */
export type CurrentHome = () => OpenHome
