import type { LibraryKey, LockState } from '../../../shared/model/conversation/conversation'
import type {
  Cursor,
  TranscriptPage,
  TranscriptRow,
} from '../../../shared/model/conversation/transcript'
import { joinCalls } from '../../async/mutex'
import type { Transcripts } from './library-transcripts'

/** The events of a followed transcript. */
export interface FeedEvents {
  /** Rows that are on the disk now and were not reported; of any writer. */
  appended(rows: TranscriptRow[], after: Cursor): void
  /** The position is no longer valid (a file was replaced or cut): read the page again. */
  changed(): void
  lock(lock: LockState): void
}

/** A followed transcript; closed when it leaves the screen. */
export interface TranscriptFeed {
  /** Reads rows after the last reported one; resolves when they are reported. */
  poke(): Promise<void>
  close(): void
}

/** Rows read at once; a burst of more is reported in several events. */
const pageRows = 200

/** The number of times that a page is tried: a rotation takes files from under a reader, and is over in a moment. */
const tries = 3

/**
 * Follows a transcript from a cursor on: the one source of new rows for the app window.
 *
 * It reads them from the disk, also when we wrote them, so that nothing is ever shown that is not there. Pokes run one
 * after the other; those that arrive while one runs are joined into one.
 */
export function followTranscript(
  transcripts: Pick<Transcripts, 'page' | 'lockState' | 'watch'>,
  key: LibraryKey,
  start: Cursor,
  events: FeedEvents,
): TranscriptFeed {
  let cursor = start
  let closed = false
  let reportedLock = ''
  let reportedTorn = ''

  /** An unfinished last line comes with every page until it has an end; it is reported when it has grown. */
  function wasReported(row: TranscriptRow): boolean {
    if (row.type === 'entry' || row.damaged.torn !== true) return false
    const { file, offset, length } = row.damaged
    const torn = `${file}:${offset}:${length}`
    if (torn === reportedTorn) return true
    reportedTorn = torn
    return false
  }

  /** Undefined where it cannot be read now (vanished, replaced, unreadable): reported as `changed`. */
  async function pageAfter(after: Cursor): Promise<TranscriptPage | undefined> {
    for (let n = 0; n < tries && !closed; n++) {
      const page = await transcripts.page(key, { after }, pageRows).catch(() => undefined)
      if (page !== undefined) return page
    }
    return undefined
  }

  async function readOn(): Promise<void> {
    for (let more = true; more && !closed; ) {
      const page = await pageAfter(cursor)
      if (closed) return
      if (page === undefined) return events.changed()
      const rows = page.rows.filter((row) => !wasReported(row))
      if (rows.length > 0) events.appended(rows, page.after)
      cursor = page.after
      more = !page.atEnd && rows.length > 0
    }
  }

  async function checkLock(): Promise<void> {
    const lock = await transcripts.lockState(key).catch(() => undefined)
    const state = JSON.stringify(lock)
    if (lock === undefined || closed || state === reportedLock) return
    reportedLock = state
    events.lock(lock)
  }

  const poke = joinCalls(readOn)
  /** Of two checks at once the earlier may end last, and report an old state. */
  const reportLock = joinCalls(checkLock)

  const unwatch = transcripts.watch(key, () => {
    void poke()
    void reportLock()
  })
  // A held lock that is not beaten any more grows stale without any change on the disk.
  const clock = setInterval(() => void reportLock(), 5_000)
  clock.unref()
  void poke()
  void reportLock()

  return {
    poke,
    close() {
      closed = true
      clearInterval(clock)
      unwatch()
    },
  }
}
