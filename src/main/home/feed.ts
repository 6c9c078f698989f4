import type { LibraryKey, LockState } from '../../shared/model/conversation/conversation'
import type {
  Cursor,
  PageFrom,
  TranscriptPage,
  TranscriptRow,
  WayName,
} from '../../shared/model/conversation/transcript'
import { followTranscript, type TranscriptFeed, type Transcripts } from '../library/transcripts'

/** The transcript that is on the screen: read in pages, and followed. */
export interface FollowedTranscript {
  /** Reads a page of any conversation. @throws AppError `not-found`, `unreadable` */
  page(key: LibraryKey, from: PageFrom, limit: number, way?: WayName): Promise<TranscriptPage>
  /**
   * Follows this one from now on, along this way through it, from where its last page ended; nothing where it is null.
   * @throws AppError `not-found`, `unreadable`
   */
  follow(key: LibraryKey | null, way?: WayName): Promise<void>
  /** The conversation that is followed, which is the one on the screen. */
  followed(): LibraryKey | undefined
}

/** The same, for what appends to transcripts. */
export interface OpenFeed extends FollowedTranscript {
  /** Sends the events of what a run of ours has just appended; resolves when they are sent. */
  poke(key: string): Promise<void>
  close(): void
}

/** Events of a followed transcript. */
export interface FeedEventsOf {
  appended(told: { key: LibraryKey; rows: TranscriptRow[]; after: Cursor; way?: WayName }): void
  /** The position is no longer true: read the page again. */
  changed(told: { key: LibraryKey }): void
  lock(told: { key: LibraryKey; lock: LockState }): void
}

/** Opens the feed of a home; nothing is followed. @param transcripts what is read now; another one once other roots are */
export function openFeed(transcripts: () => Transcripts, events: FeedEventsOf): OpenFeed {
  let followed: { readonly key: LibraryKey; readonly feed: TranscriptFeed } | undefined
  /** Where the last page that reached the end stopped: from there on a new feed goes. */
  let lastEnd:
    | { readonly key: LibraryKey; readonly way: WayName | undefined; readonly after: Cursor }
    | undefined

  function close(): void {
    followed?.feed.close()
    followed = undefined
  }

  return {
    async page(key, from, limit, way) {
      const page = await transcripts().page(key, from, limit, undefined, way)
      if (page.atEnd) lastEnd = { key, way: page.branches?.way, after: page.after }
      return page
    },
    async follow(key, way) {
      if (key === null) return close()
      const read = transcripts()
      const isKnown = lastEnd?.key === key && lastEnd.way === way
      const known = isKnown ? lastEnd?.after : undefined
      const start = known ?? (await read.page(key, 'end', 1, undefined, way)).after
      close()
      const feed = followTranscript(read, key, start, {
        appended: (rows, after) =>
          events.appended({ key, rows, after, ...(way === undefined ? {} : { way }) }),
        changed: () => events.changed({ key }),
        lock: (lock) => events.lock({ key, lock }),
      })
      followed = { key, feed }
    },
    followed: () => followed?.key,
    async poke(key) {
      if (followed?.key === key) await followed.feed.poke()
    },
    close,
  }
}
