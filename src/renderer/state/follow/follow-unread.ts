import { isoMs } from '../../../shared/model/basics/time'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { AppStore } from '../app/app'
import type { Attention } from '../base/attention'
import type { LibraryStore } from '../library/library'
import type { CompletionStore } from '../run/completion'
import type { LinePoint } from '../transcript/landing'
import { cursorBefore } from '../transcript/pages'
import type { ReadingStore } from '../transcript/reading'
import type { TranscriptStore } from '../transcript/transcript'
import { indexOfSeen, isSameRow, seenPointOf, type UnreadStore } from '../transcript/unread'
import { coveringView, type ViewStores } from './follow-views'

/** The stores that tell what is seen. */
interface WatchedStores extends ViewStores {
  readonly app: AppStore
  readonly library: LibraryStore
  readonly transcript: TranscriptStore
  readonly reading: ReadingStore
  readonly completion: CompletionStore
  readonly unread: UnreadStore
}

/**
 * Notes how far conversations are seen: to their end, while it is shown in a window in front. What comes while it is not gets a border,
 * which goes with the next entries that somebody sees come, or with the conversation. Returns a function that stops it.
 */
export function followUnread(
  stores: WatchedStores,
  attention: Attention,
  now: () => number = Date.now,
): () => void {
  const { app, library, transcript, reading, completion, unread } = stores
  /** The conversation whose rows were there at the last look. */
  let shown: LibraryKey | undefined
  /** Its last row when that was loaded last, and whether more was below since. */
  let lastEnd: LinePoint | undefined
  let hadMore = false

  function isWatched(key: LibraryKey): boolean {
    const { place } = app.getState()
    const { run, branches, opensAt, generation } = transcript.getState()
    if (place.type !== 'conversation' || place.key !== key || branches?.way !== undefined)
      return false
    // Who sends a message sees it, and is led to the end.
    if (completion.getState().sending[key] !== undefined) return true
    const { isReadingUp, measuredIn } = reading.getState()
    return (
      run.atEnd &&
      !isReadingUp &&
      // Rows that open elsewhere may reach to the end, which is not in view then.
      (opensAt === 'end' || measuredIn === generation) &&
      attention.isInFront() &&
      coveringView(stores) === undefined
    )
  }

  /** Time until which a conversation is seen: some entries are dated ahead of the clock here. */
  function seenMs(key: LibraryKey): number {
    const summary = library.getState().conversations.find((known) => known.key === key)
    return Math.max(now(), isoMs(summary?.updated) ?? 0)
  }

  function look(): void {
    const { key, phase, run, branches, moreBelow } = transcript.getState()
    const isReady = key !== undefined && phase === 'ready'
    if (shown !== undefined && (!isReady || key !== shown)) leave(shown)
    if (!isReady) return
    const isNew = key !== shown
    if (isNew) {
      lastEnd = undefined
      hadMore = false
    }
    shown = key
    const last = run.atEnd ? run.rows.at(-1) : undefined
    const end = last === undefined ? undefined : seenPointOf(last)
    const hadEnd = lastEnd
    // Rows that are read again are other objects, and nothing came by that.
    const hasCome =
      end === undefined ? moreBelow && !hadMore : hadEnd === undefined || !isSameRow(end, hadEnd)
    lastEnd = end ?? hadEnd
    hadMore = moreBelow
    const { spots, border, isBorderInView, watched } = unread.getState()
    const spot = spots[key]
    const isSeen = isWatched(key)
    // One that was seen gives way to what came after the end was seen again.
    const isFree =
      border === undefined ||
      (border.isSeen && spot?.last !== undefined && !isSameRow(border.after, spot.last))
    if (branches?.way !== undefined) unread.getState().setBorder(undefined)
    else if (
      spot?.last !== undefined &&
      isFree &&
      (isNew
        ? isBehind(spot.last, isNewer(key, spot.atMs))
        : !isSeen && hasCome && isBehind(spot.last, true))
    )
      unread.getState().setBorder({ key, after: spot.last, sinceMs: spot.atMs, isSeen: false })
    else if (border?.isSeen && isSeen && hasCome && hadEnd !== undefined)
      unread.getState().setBorder(undefined)
    else if (border?.isSeen === false && isBorderInView && isFacing())
      unread.getState().setBorder({ ...border, isSeen: true })
    if (isSeen && end !== undefined && (hasCome || watched !== key))
      unread.getState().see(key, { atMs: seenMs(key), last: end })
    // Looked away just now: until now it was seen.
    else if (!isSeen && watched === key && spot !== undefined)
      unread.getState().see(key, { ...spot, atMs: seenMs(key) })
    unread.getState().watch(isSeen ? key : undefined)
  }

  /** Rows follow the one that was seen last; where that is not loaded, `otherwise`. */
  function isBehind(seen: LinePoint, otherwise: boolean): boolean {
    const { run } = transcript.getState()
    const at = indexOfSeen(run.rows, seen)
    if (at >= 0) return at < run.rows.length - 1 || !run.atEnd
    // Where all rows are loaded it is gone, and nobody knows what came after it.
    const isGone = run.atEnd && cursorBefore(run) === undefined
    return otherwise && !isGone
  }

  function isFacing(): boolean {
    return attention.isInFront() && coveringView(stores) === undefined
  }

  function isNewer(key: LibraryKey, thanMs: number): boolean {
    const summary = library.getState().conversations.find((known) => known.key === key)
    return (isoMs(summary?.updated) ?? 0) > thanMs
  }

  function leave(key: LibraryKey): void {
    const { watched, spots } = unread.getState()
    const spot = spots[key]
    if (watched === key && spot !== undefined)
      unread.getState().see(key, { ...spot, atMs: seenMs(key) })
    unread.getState().watch(undefined)
    unread.getState().setBorder(undefined)
    shown = undefined
  }

  let isLooking = false
  function lookOnce(): void {
    // What it sets itself calls it again.
    if (isLooking) return
    isLooking = true
    look()
    isLooking = false
  }
  const ends = [
    attention.follow(lookOnce),
    attention.followEnd(() => unread.getState().store()),
    ...[
      transcript,
      reading,
      app,
      unread,
      stores.search,
      stores.lost,
      stores.map,
      stores.compare,
      stores.statistics,
    ].map((store) => store.subscribe(lookOnce)),
  ]
  return () => {
    for (const end of ends) end()
  }
}
