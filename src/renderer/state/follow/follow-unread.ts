import { isoMs } from '../../../shared/model/basics/time'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { AppStore } from '../app/app'
import type { Attention } from '../base/attention'
import type { LibraryStore } from '../library/library'
import type { CompletionStore } from '../run/completion'
import type { ReadingStore } from '../transcript/reading'
import type { TranscriptStore } from '../transcript/transcript'
import { indexOfSeen, seenPointOf, type UnreadStore } from '../transcript/unread'
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
  /** The conversation whose rows were there at the last look, and the last of them. */
  let shown: LibraryKey | undefined
  let lastRow: unknown

  function isWatched(key: LibraryKey): boolean {
    const { place } = app.getState()
    const { run, branches } = transcript.getState()
    if (place.type !== 'conversation' || place.key !== key || branches?.way !== undefined)
      return false
    // Who sends a message sees it, and is led to the end.
    if (completion.getState().sending[key] !== undefined) return true
    return (
      run.atEnd &&
      !reading.getState().isReadingUp &&
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
    const { key, phase, run, branches } = transcript.getState()
    const isReady = key !== undefined && phase === 'ready'
    if (shown !== undefined && (!isReady || key !== shown)) leave(shown)
    if (!isReady) return
    const isNew = key !== shown
    if (isNew) lastRow = undefined
    shown = key
    const last = run.atEnd ? run.rows.at(-1) : undefined
    const hasCome = last !== undefined && last !== lastRow
    const { spots, border, isBorderInView, watched } = unread.getState()
    const spot = spots[key]
    const isSeen = isWatched(key)
    if (branches?.way !== undefined) unread.getState().setBorder(undefined)
    else if (border === undefined && spot?.last !== undefined && (isNew || (hasCome && !isSeen))) {
      const at = indexOfSeen(run.rows, spot.last)
      const isBehind = at < 0 ? isNew && isNewer(key, spot.atMs) : at < run.rows.length - 1
      if (isBehind)
        unread.getState().setBorder({ key, after: spot.last, sinceMs: spot.atMs, isSeen: false })
    } else if (border?.isSeen && isSeen && hasCome && lastRow !== undefined)
      unread.getState().setBorder(undefined)
    else if (border?.isSeen === false && isBorderInView && isFacing())
      unread.getState().setBorder({ ...border, isSeen: true })
    if (last !== undefined) lastRow = last
    if (isSeen && last !== undefined && (hasCome || watched !== key))
      unread.getState().see(key, { atMs: seenMs(key), last: seenPointOf(last) })
    // Looked away just now: until now it was seen.
    else if (!isSeen && watched === key && spot !== undefined)
      unread.getState().see(key, { ...spot, atMs: seenMs(key) })
    unread.getState().watch(isSeen ? key : undefined)
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
