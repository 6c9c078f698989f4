import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { WayName } from '../../../shared/model/conversation/transcript'
import type {
  Landmark,
  LandmarkKind,
  LandmarkSlice,
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
  /** The typed place that is looked for; undefined once the outline is closed. */
  readonly seeking: PlaceWanted | undefined
  /** Kinds that the outline lists. */
  readonly kinds: ReadonlySet<OutlineKind>
  /** Opens the outline; `at` is where the reader is. */
  open(at: PlaceWanted | 'end'): void
  close(): void
  toggleKind(kind: OutlineKind): void
  seek(wanted: PlaceWanted | undefined): void
  /** Reads all that is not known yet. A call while one runs is done after it. Never fails. */
  read(): Promise<void>
  /** Finds places; undefined where they cannot be had, with `failure`, or where another conversation is open by then. */
  find(wanted: readonly PlaceWanted[]): Promise<readonly (NumberedPlace | null)[] | undefined>
  /** Finds the places of labelled entries that are not known. Never fails. */
  findLabelled(ids: readonly string[]): Promise<void>
  /**
   * Reads a conversation of so many bytes when it has been open for a while: who goes from one to the next has none of them read, and a
   * large one is read only once the outline is opened.
   */
  readSoon(bytes: number): void
  /** Reads what is new in a conversation of so many bytes, where it was read before; of a large one, while the outline is open. */
  foldChanged(key: string, bytes: number): void
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
  seeking: undefined,
  places: new Map<string, NumberedPlace | null>(),
} as const

/** Delay of a reading after a change, so that entries that come together cost only one. */
const gatherMs = 1000
/** Time that a conversation is open before it is read without being asked for. */
const restMs = 1500
/** Largest conversation that is read without being asked for, in bytes: a second of a thread. */
const mostBytes = 64_000_000

/** Makes the store of the landmarks of the open conversation. */
export function createLandmarksStore(api: Api, clock: StoreClock = browserClock): LandmarksStore {
  let stopWaiting: (() => void) | undefined

  /** Number of the conversation that is followed; answers for earlier ones are dropped. */
  let followed = 0
  /** The reading that the landmarks are of. */
  let reading: string | undefined
  /** Landmarks of another reading that is not as far yet. */
  let next: { readonly reading: string; readonly landmarks: readonly Landmark[] } | undefined
  /** Times that another reading took the place of one: places that were found before are void. */
  let replacements = 0
  /** The conversation was read, also where that failed or found nothing. */
  let hasBegun = false
  let isChanged = false
  return createStore<LandmarksState>()((set, get) => {
    function asked(): { key: LibraryKey; way?: WayName } | undefined {
      const { key, way } = get()
      return key === undefined ? undefined : { key, ...(way === undefined ? {} : { way }) }
    }

    /** Shows a slice and those before it; where another reading is shown, once this one is as far. */
    function take(slice: LandmarkSlice, landmarks: readonly Landmark[]): void {
      const isOther = reading !== undefined && slice.reading !== reading
      if (isOther && !slice.isLast && slice.entries < get().entries) {
        next = { reading: slice.reading, landmarks }
        return
      }
      next = undefined
      reading = slice.reading
      if (isOther) replacements += 1
      const { entries, places, here } = get()
      const known = slice.entries === entries ? places : foundAmong(places)
      set({
        landmarks,
        entries: slice.entries,
        part: slice.part,
        // Entries that came may be those that were not found; in files that were replaced all are elsewhere.
        places: isOther ? new Map<string, NumberedPlace | null>() : known,
      })
      if (isOther && typeof here === 'object') void findHere(placeIn(here))
    }

    async function findHere(at: PlaceWanted): Promise<void> {
      const mine = followed
      const then = replacements
      const found = await get().find([at])
      if (mine === followed && then === replacements && get().isOpen)
        set({ here: found?.[0] ?? undefined })
    }

    /** Reads slices until the end; returns false where another conversation is followed. */
    async function readSlices(mine: number): Promise<boolean> {
      for (let isLast = false; !isLast; ) {
        const of = asked()
        if (of === undefined) return false
        const asks = next ?? { reading, landmarks: get().landmarks }
        const known = asks.reading === undefined ? {} : { reading: asks.reading }
        const from = asks.landmarks.length
        const slice = await api.landmarks.list({ ...of, from, ...known })
        if (mine !== followed) return false
        isLast = slice.isLast
        const before = slice.reading === asks.reading ? asks.landmarks : []
        take(slice, joined(before, slice))
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
        set({ isOpen: true, here: at === 'end' ? at : undefined, seeking: undefined })
        void get().read()
        if (at !== 'end') void findHere(at)
      },
      close: () => set({ isOpen: false, seeking: undefined }),
      seek: (seeking) => set({ seeking }),
      toggleKind(kind) {
        const kinds = new Set(get().kinds)
        if (!kinds.delete(kind)) kinds.add(kind)
        set({ kinds })
      },

      async read() {
        isChanged = true
        hasBegun = true
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
        set({ failure: undefined })
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
        const then = replacements
        const found = await get().find(unknown.map((entry) => ({ entry }) as PlaceWanted))
        if (found === undefined || then !== replacements) return
        set(({ places }) => {
          const all = new Map(places)
          unknown.forEach((id, at) => {
            all.set(id, found[at] ?? null)
          })
          return { places: all }
        })
      },

      foldChanged(key, bytes) {
        const { key: here, isOpen } = get()
        // What nobody asked for is not read.
        if (key !== here || (!isOpen && (!hasBegun || bytes > mostBytes))) return
        // A further change does not delay it: entries may come without a pause for minutes.
        stopWaiting ??= clock.after(gatherMs, () => {
          stopWaiting = undefined
          void get().read()
        })
      },
      readSoon(bytes) {
        if (hasBegun || bytes > mostBytes) return
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
        next = undefined
        hasBegun = false
        stopWaiting?.()
        stopWaiting = undefined
        set({ ...nothing, key, way })
      },
    }
  })
}

function joined(before: readonly Landmark[], { from, landmarks }: LandmarkSlice) {
  if (from === before.length && landmarks.length === 0) return before
  return [...before.slice(0, from), ...landmarks]
}

/** Where an entry is looked for in files that may be others: by its id, where it has one. */
function placeIn({ file, offset, entry }: NumberedPlace): PlaceWanted {
  return entry === undefined ? { file, offset } : { entry }
}

function foundAmong(
  places: ReadonlyMap<string, NumberedPlace | null>,
): ReadonlyMap<string, NumberedPlace | null> {
  return new Map([...places].filter(([, place]) => place !== null))
}
