import type { Cursor, TranscriptRow, WayName } from '../../../shared/model/conversation/transcript'
import { appendRows, type PageRun } from './pages'

/** Rows that were appended to a transcript, and the cursor after them. */
export interface AppendedRows {
  readonly key: string
  readonly rows: readonly TranscriptRow[]
  readonly after: Cursor
  /** The way that goes on with them; absent for the one to where the conversation is now. */
  readonly way?: WayName | undefined
}

/** Requests for rows of the open transcript. */
export interface RowRequests {
  /** Returns the number of the latest request that replaces all rows: answers to earlier ones are dropped. */
  latest(): number
  /** Begins a request that replaces all rows, and returns its number. */
  begin(): number
  /** Collects from now on what is appended: it may follow a page that is on its way. Each request collects for itself. */
  collect(): CollectedRows
  add(appended: AppendedRows): void
}

/** Rows that were appended since a request began. */
interface CollectedRows {
  /** Returns a run with the collected rows of the shown way after it, where its end is loaded. */
  after(run: PageRun, shown: WayName | undefined): PageRun
  /** Ends the collecting. */
  end(): void
}

/** Makes the requests of one transcript store. */
export function rowRequests(): RowRequests {
  const collections = new Set<AppendedRows[]>()
  let latest = 0
  return {
    latest: () => latest,
    begin: () => ++latest,
    collect() {
      const meanwhile: AppendedRows[] = []
      collections.add(meanwhile)
      return {
        after: (run, shown) =>
          meanwhile.reduce(
            (sum, { rows, after, way }) =>
              sum.atEnd && way === shown ? appendRows(sum, rows, after) : sum,
            run,
          ),
        end: () => void collections.delete(meanwhile),
      }
    },
    add(appended) {
      for (const meanwhile of collections) meanwhile.push(appended)
    },
  }
}
