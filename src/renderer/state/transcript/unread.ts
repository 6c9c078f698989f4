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
  /** Switches to what was seen in a home. */
  enter(home: string): void
  watch(key: LibraryKey | undefined): void
  /** A conversation has another key now. */
  renamed(from: string, to: string): void
  /** A conversation is seen to this row. */
  see(key: LibraryKey, spot: SeenSpot): void
  setBorder(border: UnreadBorder | undefined): void
  setBorderInView(isInView: boolean): void
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
    enter(entered) {
      cancel?.()
      cancel = undefined
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
    see(key, spot) {
      const others = Object.entries(get().spots).filter(([other]) => other !== key)
      put(Object.fromEntries([...others.slice(1 - mostSpots), [key, spot]]))
    },
    setBorder: (border) =>
      set({ border, ...(border === undefined ? { isBorderInView: false } : {}) }),
    setBorderInView: (isBorderInView) => set({ isBorderInView }),
  }))
  function put(spots: UnreadState['spots']): void {
    store.setState({ spots })
    cancel ??= clock.after(storeMs, () => {
      cancel = undefined
      // Where the storage is full, what was seen is unknown at the next start: nothing is marked as new then.
      kept.set(storageName(home), JSON.stringify(store.getState().spots))
    })
  }
  return store
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

/** Returns the index of the row that was seen last; -1 where it is not among these. */
export function indexOfSeen(
  rows: readonly TranscriptRow[],
  { file, offset, entry }: LinePoint,
): number {
  // The file of an entry has another name after a rotation.
  const named =
    entry === undefined
      ? -1
      : rows.findLastIndex((row) => row.type === 'entry' && row.entry.id === entry)
  if (named >= 0) return named
  return rows.findLastIndex((row) => {
    const point = linePointOf(row)
    return point.file === file && point.offset === offset
  })
}

/** Returns the place of a row, by its entry where it has one. */
export function seenPointOf(row: TranscriptRow): NonNullable<SeenSpot['last']> {
  const { file, offset } = linePointOf(row)
  return row.type === 'entry' ? { file, offset, entry: row.entry.id } : { file, offset }
}
