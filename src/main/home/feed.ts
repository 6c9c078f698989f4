import type { LibraryKey, LockState } from '../../shared/model/conversation/conversation'
import type {
  Cursor,
  PageFrom,
  TranscriptPage,
  TranscriptRow,
} from '../../shared/model/conversation/transcript'
import { followTranscript, type TranscriptFeed, type Transcripts } from '../library/transcripts'

/** The transcript that is on the screen: read in pages, and followed. */
export interface FollowedTranscript {
  /** Reads a page of any conversation. @throws AppError `not-found`, `unreadable` */
  page(key: LibraryKey, from: PageFrom, limit: number): Promise<TranscriptPage>
  /** Follows this one from now on, from where its last page ended; nothing where it is null. @throws AppError `not-found`, `unreadable` */
  follow(key: LibraryKey | null): Promise<void>
}

/** The same, for what appends to transcripts. */
export interface OpenFeed extends FollowedTranscript {
  /** Sends the events of what a run of ours has just appended; resolves when they are sent. */
  poke(key: string): Promise<void>
  close(): void
}

/** Events of a followed transcript. */
export interface FeedEventsOf {
  appended(told: { key: LibraryKey; rows: TranscriptRow[]; after: Cursor }): void
  /** The position is no longer true: read the page again. */
  changed(told: { key: LibraryKey }): void
  lock(told: { key: LibraryKey; lock: LockState }): void
}

/** Opens the feed of a home; nothing is followed. @param transcripts what is read now; another one once other roots are */
export function openFeed(transcripts: () => Transcripts, events: FeedEventsOf): OpenFeed {
  let followed: { readonly key: LibraryKey; readonly feed: TranscriptFeed } | undefined
  /** Where the last page that reached the end stopped: from there on a new feed goes. */
  let lastEnd: { readonly key: LibraryKey; readonly after: Cursor } | undefined

  function close(): void {
    followed?.feed.close()
    followed = undefined
  }

  return {
    async page(key, from, limit) {
      const page = await transcripts().page(key, from, limit)
      if (page.atEnd) lastEnd = { key, after: page.after }
      return page
    },
    async follow(key) {
      if (key === null) return close()
      const read = transcripts()
      const start = lastEnd?.key === key ? lastEnd.after : (await read.page(key, 'end', 1)).after
      close()
      const feed = followTranscript(read, key, start, {
        appended: (rows, after) => events.appended({ key, rows, after }),
        changed: () => events.changed({ key }),
        lock: (lock) => events.lock({ key, lock }),
      })
      followed = { key, feed }
    },
    async poke(key) {
      if (followed?.key === key) await followed.feed.poke()
    },
    close,
  }
}
