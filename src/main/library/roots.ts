import type { SourceId } from '../../shared/model/conversation'

/** A place where a history system keeps its conversations. */
export interface LibraryRoot {
  readonly source: SourceId
  /** Absolute; need not exist. */
  readonly path: string
}
