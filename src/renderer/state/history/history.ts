import { createStore, type StoreApi } from 'zustand/vanilla'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { isSamePlace, renamedVisit, type Visit } from './visit'
import {
  closeHere,
  noVisits,
  placeHere,
  stepVisits,
  updateHere,
  type Visits,
  visit,
} from './visits'

/** State and actions of the history of the window. */
export interface HistoryState {
  readonly visits: Visits<Visit>
  /** Titles of conversations that the last step went past, since they are gone. */
  readonly skipped: readonly string[]
  /** True while a place is being shown again: nothing that happens meanwhile is a visit. */
  readonly isReturning: boolean
  /** Adds a place; one that is under a view that was closed is gone back to where it is the place before. */
  record(place: Visit, isUnderClosed: boolean): void
  /** Replaces what is known of the present place. */
  update(place: Visit): void
  /**
   * Goes one place back or forward, past those that cannot be shown any more; undefined where there is none.
   *
   * @param goneIn the titles of the conversations that a place needs and that are gone
   */
  step(by: -1 | 1, goneIn: (place: Visit) => readonly string[]): Visit | undefined
  /** Shows a place again by the given act. */
  returning(show: () => void): void
  renamed(from: string, to: LibraryKey): void
  dismissSkipped(): void
  reset(): void
}
/** Store of the places that were visited. */
export type HistoryStore = StoreApi<HistoryState>

const nothing = { visits: noVisits, skipped: [] } as const

/** Makes the store of the places that were visited; they last as long as the page. */
export function createHistoryStore(): HistoryStore {
  return createStore<HistoryState>()((set, get) => ({
    ...nothing,
    isReturning: false,

    record: (place, isUnderClosed) =>
      set(({ visits }) => ({
        visits: isUnderClosed ? closeHere(visits, place, isSamePlace) : visit(visits, place),
        skipped: [],
      })),

    update: (place) => set(({ visits }) => ({ visits: updateHere(visits, place) })),

    step(by, goneIn) {
      const isGone = (place: Visit) => goneIn(place).length > 0
      const { visits, skipped, hasMoved } = stepVisits(get().visits, by, isGone)
      set({ visits, skipped: [...new Set(skipped.flatMap(goneIn))] })
      return hasMoved ? placeHere(visits) : undefined
    },

    returning(show) {
      set({ isReturning: true })
      try {
        show()
      } finally {
        set({ isReturning: false })
      }
    },

    renamed: (from, to) =>
      set(({ visits }) => ({
        visits: { ...visits, places: visits.places.map((place) => renamedVisit(place, from, to)) },
      })),

    dismissSkipped: () => set({ skipped: [] }),
    reset: () => set(nothing),
  }))
}

/** Returns true where there is a place to go to. */
export function hasVisit({ places, here }: Visits<Visit>, by: -1 | 1): boolean {
  return places[here + by] !== undefined && here >= 0
}
