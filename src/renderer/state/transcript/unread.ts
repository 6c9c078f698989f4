import { z } from 'zod'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { isoMs } from '../../../shared/model/basics/time'
import type {
  ConversationSummary,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import { EntryId } from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import { browserClock, type StoreClock } from '../base/clock'
import type { KeyValueStorage } from '../base/storage'
import { type LinePoint, linePointOf } from './landing'

/** How far a conversation was seen: when that was, in Unix ms, and its last row then. */
const SeenSpot = z.object({
  atMs: z.number(),
  last: z.object({ file: z.string(), offset: z.number(), entry: EntryId.optional() }).optional(),
})
/** Place to which a conversation was seen. */
export type SeenSpot = z.infer<typeof SeenSpot>
const Kept = z.record(z.string(), SeenSpot)

/** Border in the open conversation between what was seen and what came while nobody looked. */
export interface UnreadBorder {
  readonly key: LibraryKey
  /** The last row that was seen. */
  readonly after: LinePoint
  readonly sinceMs: number
  /** The border was in view of somebody. */
  readonly isSeen: boolean
}

/** State and actions of the unread store. */
export interface UnreadState {
  /** Conversations that were open, by key. */
  readonly spots: Readonly<Record<string, SeenSpot>>
  /** The conversation whose end somebody is looking at. */
  readonly watched: LibraryKey | undefined
  readonly border: UnreadBorder | undefined
  /** The border is drawn where the reader is, whether they look or not. */
  readonly isBorderInView: boolean
  /** The border is above the first turn in view, or above all rows that are loaded. */
  readonly isBorderAbove: boolean
  /** Switches to what was seen in a home, and stores what was seen in the one before; does nothing for the present one. */
  enter(home: string): void
  watch(key: LibraryKey | undefined): void
  /** A conversation has another key now. */
  renamed(from: string, to: string): void
  /** A conversation is no more: the next one of that name was never seen. */
  forget(key: string): void
  /** A conversation is seen to this row. */
  see(key: LibraryKey, spot: SeenSpot): void
  setBorder(border: UnreadBorder | undefined): void
  setBorderInView(isInView: boolean): void
  setBorderAbove(isAbove: boolean): void
  /** Stores what waits for that, as when the page ends. */
  store(): void
}
/** Store of how far conversations were seen. */
export type UnreadStore = StoreApi<UnreadState>

/** Most conversations that are remembered: those that were seen last. */
const mostSpots = 500
/** Pause before what was seen is stored, in ms: entries of a run come one after the other. */
const storeMs = 500

const storageName = (home: string) => `skein.seen:${home}`

/** Makes the store of how far conversations were seen. It is Skein’s own, in the browser’s storage, and in no history. */
export function createUnreadStore(
  kept: KeyValueStorage,
  clock: StoreClock = browserClock,
): UnreadStore {
  let home = ''
  let cancel: (() => void) | undefined
  const store = createStore<UnreadState>()((set, get) => ({
    spots: {},
    watched: undefined,
    border: undefined,
    isBorderInView: false,
    isBorderAbove: true,
    enter(entered) {
      if (entered === home) return
      get().store()
      home = entered
      set({ spots: stored(kept, home), watched: undefined, border: undefined })
    },
    watch: (watched) => {
      if (watched !== get().watched) set({ watched })
    },
    renamed(from, to) {
      const { [from]: spot, ...others } = get().spots
      if (spot !== undefined) put({ ...others, [to]: spot })
    },
    forget(key) {
      const { [key]: spot, ...others } = get().spots
      if (spot !== undefined) put(others)
    },
    see: (key, spot) => put(newest({ ...get().spots, [key]: spot })),
    setBorder: (border) =>
      set((before) => ({
        border,
        // Another border is drawn elsewhere.
        isBorderInView: border?.after === before.border?.after && before.isBorderInView,
      })),
    setBorderInView: (isBorderInView) => set({ isBorderInView }),
    setBorderAbove(isBorderAbove) {
      if (isBorderAbove !== get().isBorderAbove) set({ isBorderAbove })
    },
    store() {
      if (cancel === undefined) return
      cancel()
      cancel = undefined
      // Where the storage is full, what was seen is unknown at the next start: nothing is marked as new then.
      kept.set(storageName(home), JSON.stringify(get().spots))
    },
  }))
  function put(spots: UnreadState['spots']): void {
    store.setState({ spots })
    cancel ??= clock.after(storeMs, store.getState().store)
  }
  return store
}

/** The order of an object's names is no order of time: numbers come first. */
function newest(spots: UnreadState['spots']): UnreadState['spots'] {
  const all = Object.entries(spots)
  if (all.length <= mostSpots) return spots
  return Object.fromEntries(all.sort(([, a], [, b]) => b.atMs - a.atMs).slice(0, mostSpots))
}

function stored(kept: KeyValueStorage, home: string): UnreadState['spots'] {
  try {
    return Kept.parse(JSON.parse(kept.get(storageName(home)) ?? '{}'))
  } catch {
    return {} // Another version's, or damaged: nothing is marked as new.
  }
}

/** Tells whether a conversation has entries that came since it was seen. One that was never open has none. */
export function hasNews(
  { spots, watched }: Pick<UnreadState, 'spots' | 'watched'>,
  { key, updated }: Pick<ConversationSummary, 'key' | 'updated'>,
): boolean {
  const spot = spots[key]
  if (spot === undefined || key === watched) return false
  return (isoMs(updated) ?? 0) > spot.atMs
}

/** Returns the index of the row that was seen last; -1 where it is not among these. O(rows). */
export function indexOfSeen(rows: readonly TranscriptRow[], seen: LinePoint): number {
  return rows.findLastIndex((row) => isSameRow(seenPointOf(row), seen))
}

/** Tells whether two places are of one row. */
export function isSameRow(one: LinePoint, other: LinePoint): boolean {
  // The file of an entry has another name after a rotation, and files that are written anew have other entries at its place.
  if (one.entry !== undefined && other.entry !== undefined) return one.entry === other.entry
  return one.file === other.file && one.offset === other.offset
}

/** Returns the place of a row, by its entry where it has one. */
export function seenPointOf(row: TranscriptRow): NonNullable<SeenSpot['last']> {
  const { file, offset } = linePointOf(row)
  return row.type === 'entry' ? { file, offset, entry: row.entry.id } : { file, offset }
}
