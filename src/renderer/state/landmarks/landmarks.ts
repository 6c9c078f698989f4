import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { WayName } from '../../../shared/model/conversation/transcript'
import type {
  Landmark,
  LandmarkKind,
  NumberedPlace,
  PlaceWanted,
} from '../../../shared/model/landmarks/landmarks'
import { browserClock, type StoreClock } from '../base/clock'
import { toErrorReport } from '../base/failure'

/** Kind of a row of the outline. */
export type OutlineKind = LandmarkKind | 'label'

/** State and actions of the landmarks of the open conversation. */
export interface LandmarksState {
  /** The conversation, and the way through it. */
  readonly key: LibraryKey | undefined
  readonly way: WayName | undefined
  /** Landmarks that are known, in their order. */
  readonly landmarks: readonly Landmark[]
  /** Entries that were read, and the part of the conversation that they are, from 0 to 1. */
  readonly entries: number
  readonly part: number
  readonly isReading: boolean
  readonly failure: ErrorReport | undefined
  /** The outline is open. */
  readonly isOpen: boolean
  /** Where the reader was when it was opened: an entry, or the end. */
  readonly here: NumberedPlace | 'end' | undefined
  /** Places of labelled entries, by their ids; null for those that were not found. */
  readonly places: ReadonlyMap<string, NumberedPlace | null>
  /** Kinds that the outline lists. */
  readonly kinds: ReadonlySet<OutlineKind>
  /** Opens the outline; `at` is where the reader is. */
  open(at: PlaceWanted | 'end'): void
  close(): void
  toggleKind(kind: OutlineKind): void
  /** Reads all that is not known yet. A call while one runs is done after it. Never fails. */
  read(): Promise<void>
  /** Finds places; undefined where they cannot be had, with `failure`, or where another conversation is open by then. */
  find(wanted: readonly PlaceWanted[]): Promise<readonly (NumberedPlace | null)[] | undefined>
  /** Finds the places of labelled entries that are not known. Never fails. */
  findLabelled(ids: readonly string[]): Promise<void>
  /** Reads the conversation when it has been open for a while: who goes from one to the next has none of them read. */
  readSoon(): void
  foldChanged(key: string): void
  /** Another conversation, or another way through it, is shown. */
  follow(key: LibraryKey | undefined, way: WayName | undefined): void
}
/** Store of the landmarks of the open conversation. */
export type LandmarksStore = StoreApi<LandmarksState>

const nothing = {
  landmarks: [],
  entries: 0,
  part: 0,
  isReading: false,
  failure: undefined,
  isOpen: false,
  here: undefined,
  places: new Map<string, NumberedPlace | null>(),
} as const

/** Delay of a reading after a change, so that entries that come together cost only one. */
const gatherMs = 1000
/** Time that a conversation is open before it is read without being asked for. */
const restMs = 1500

/** Makes the store of the landmarks of the open conversation. */
export function createLandmarksStore(api: Api, clock: StoreClock = browserClock): LandmarksStore {
  let stopWaiting: (() => void) | undefined

  /** Number of the conversation that is followed; answers for earlier ones are dropped. */
  let followed = 0
  let reading: string | undefined
  let isChanged = false
  return createStore<LandmarksState>()((set, get) => {
    function asked(): { key: LibraryKey; way?: WayName } | undefined {
      const { key, way } = get()
      return key === undefined ? undefined : { key, ...(way === undefined ? {} : { way }) }
    }

    /** Reads slices until the end; returns false where another conversation is followed. */
    async function readSlices(mine: number): Promise<boolean> {
      for (let isLast = false; !isLast; ) {
        const of = asked()
        if (of === undefined) return false
        const known = reading === undefined ? {} : { reading }
        const slice = await api.landmarks.list({ ...of, from: get().landmarks.length, ...known })
        if (mine !== followed) return false
        reading = slice.reading
        isLast = slice.isLast
        set(({ landmarks, entries, places }) => ({
          landmarks:
            slice.from === landmarks.length && slice.landmarks.length === 0
              ? landmarks
              : [...landmarks.slice(0, slice.from), ...slice.landmarks],
          entries: slice.entries,
          part: slice.part,
          // Entries that came may be those that were not found.
          places: slice.entries === entries ? places : foundAmong(places),
        }))
      }
      return true
    }

    return {
      ...nothing,
      key: undefined,
      way: undefined,
      kinds: new Set<OutlineKind>(['prompt', 'compaction', 'label']),

      open(at) {
        if (get().key === undefined) return
        const mine = followed
        set({ isOpen: true, here: at === 'end' ? at : undefined })
        void get().read()
        if (at === 'end') return
        void get()
          .find([at])
          .then((found) => {
            if (mine === followed && get().isOpen) set({ here: found?.[0] ?? undefined })
          })
      },
      close: () => set({ isOpen: false }),
      toggleKind(kind) {
        const kinds = new Set(get().kinds)
        if (!kinds.delete(kind)) kinds.add(kind)
        set({ kinds })
      },

      async read() {
        isChanged = true
        if (get().isReading) return
        const mine = followed
        set({ isReading: true, failure: undefined })
        try {
          while (isChanged) {
            isChanged = false
            if (!(await readSlices(mine))) return
          }
        } catch (error) {
          if (mine === followed) set({ failure: toErrorReport(error) })
        }
        if (mine === followed) set({ isReading: false })
      },

      async find(wanted) {
        const of = asked()
        const mine = followed
        if (of === undefined) return undefined
        try {
          const found = await api.landmarks.places({ ...of, wanted: [...wanted] })
          return mine === followed ? found : undefined
        } catch (error) {
          if (mine === followed) set({ failure: toErrorReport(error) })
          return undefined
        }
      },

      async findLabelled(ids) {
        const unknown = ids.filter((id) => !get().places.has(id))
        if (unknown.length === 0) return
        const found = await get().find(unknown.map((entry) => ({ entry }) as PlaceWanted))
        if (found === undefined) return
        set(({ places }) => {
          const all = new Map(places)
          unknown.forEach((id, at) => {
            all.set(id, found[at] ?? null)
          })
          return { places: all }
        })
      },

      foldChanged(key) {
        const { key: here, isOpen, entries } = get()
        // What nobody asked for is not read.
        if (key !== here || (!isOpen && entries === 0)) return
        // A further change does not delay it: entries may come without a pause for minutes.
        stopWaiting ??= clock.after(gatherMs, () => {
          stopWaiting = undefined
          void get().read()
        })
      },
      readSoon() {
        const { entries, isReading } = get()
        if (entries > 0 || isReading) return
        stopWaiting ??= clock.after(restMs, () => {
          stopWaiting = undefined
          void get().read()
        })
      },
      follow(key, way) {
        const { key: here, way: through } = get()
        if (key === here && way === through) return
        followed += 1
        reading = undefined
        stopWaiting?.()
        stopWaiting = undefined
        set({ ...nothing, key, way })
      },
    }
  })
}

function foundAmong(
  places: ReadonlyMap<string, NumberedPlace | null>,
): ReadonlyMap<string, NumberedPlace | null> {
  return new Map([...places].filter(([, place]) => place !== null))
}
