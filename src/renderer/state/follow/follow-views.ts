import type { StoreApi } from 'zustand/vanilla'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { AppStore } from '../app/app'
import type { CompareStore } from '../compare/compare'
import type { LostStore } from '../library/lost'
import type { MapStore } from '../map/map'
import type { SearchStore } from '../search/search'
import type { StatisticsStore } from '../statistics/statistics'

/** State of a view over the middle pane. */
interface ViewState {
  readonly isOpen: boolean
  hide(leavesFocus?: boolean): void
}

/** The stores with a view over the middle pane. */
export interface ViewStores {
  readonly search: SearchStore
  readonly lost: LostStore
  readonly map: MapStore
  readonly compare: CompareStore
  readonly statistics: StatisticsStore
}

/** Names of the views over the middle pane; at most one of them is open. */
export const viewNames = [
  'search',
  'lost',
  'map',
  'compare',
  'statistics',
] as const satisfies readonly (keyof ViewStores)[]

/** Name of a view over the middle pane. */
export type CoveringView = (typeof viewNames)[number]

/** Returns the view that covers the conversation. */
export function coveringView(stores: ViewStores): CoveringView | undefined {
  return viewNames.find((name) => stores[name].getState().isOpen)
}

/**
 * Keeps at most one view over the middle pane, and none when a conversation is opened: opening it shows it. Where a
 * comparison was opened from the map, closing it shows the map again. Returns a function that stops it.
 */
export function followViews(stores: ViewStores & { readonly app: AppStore }): () => void {
  const views: readonly StoreApi<ViewState>[] = viewNames.map((name) => stores[name])
  /** The conversation of the map that the open comparison covers. */
  let fromMap: LibraryKey | undefined
  const ends = [
    stores.compare.subscribe((now, before) => {
      // Before the map is hidden, by the next one.
      const { isOpen, key } = stores.map.getState()
      if (now.isOpen && !before.isOpen) fromMap = isOpen ? key : undefined
    }),
    stores.app.subscribe((now, before) => {
      if (now.place === before.place) return
      for (const view of views) view.getState().hide(true)
    }),
    ...views.map((view) =>
      view.subscribe((now, before) => {
        if (!now.isOpen || before.isOpen) return
        for (const other of views) if (other !== view) other.getState().hide(true)
      }),
    ),
    stores.compare.subscribe((now, before) => {
      if (now.isOpen || !before.isOpen) return
      const key = fromMap
      fromMap = undefined
      // Another view, conversation or home took its place.
      if (key === undefined || now.leavesFocus || now.points === undefined) return
      stores.compare.setState({ leavesFocus: true })
      stores.map.getState().open(key)
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
