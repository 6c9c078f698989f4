import { createStore, type StoreApi } from 'zustand/vanilla'
import type { KeyValueStorage } from '../base/storage'

/** Limits of a side pane's width, and its width after a double click, in pixels. */
export const paneWidth = { least: 240, most: 480, usual: 320 } as const

/** Window widths, divided by the text zoom, below which the details, then the library, cover the transcript. */
const overlayBelow = { details: 1100, library: 820 } as const

/** Pane beside the transcript. */
export type SidePane = 'library' | 'details'

/** Groupings of the library, the default first. */
export const groupings = [
  'date',
  'project',
  'source',
  'model',
  'tag',
  'family',
  'title',
  'none',
] as const
/** Grouping of the library. */
export type Grouping = (typeof groupings)[number]

/** Orders of the library, the default first. */
export const librarySorts = ['newest', 'title', 'entries', 'size'] as const
/** Order of the library: of the rows of a group. */
export type LibrarySort = (typeof librarySorts)[number]

/** State and actions of the layout store. */
export interface LayoutState {
  readonly widths: Readonly<Record<SidePane, number>>
  /** True where a pane is beside the transcript whenever the window is wide enough. */
  readonly isDocked: Readonly<Record<SidePane, boolean>>
  /** True where a pane would cover the transcript, because the window is narrow. */
  readonly overlays: Readonly<Record<SidePane, boolean>>
  /** The pane that covers the transcript now. */
  readonly overlay: SidePane | undefined
  readonly grouping: Grouping
  readonly sort: LibrarySort
  /** Conversations that share a beginning are one row. */
  readonly joinsFamilies: boolean
  setWidth(pane: SidePane, width: number): void
  toggle(pane: SidePane): void
  open(pane: SidePane): void
  setGrouping(grouping: Grouping): void
  setSort(sort: LibrarySort): void
  setJoinsFamilies(isOn: boolean): void
  closeOverlay(): void
  setWindowWidth(width: number, textZoom: number): void
}
/** Store of the side panes and of the library's grouping and order. */
export type LayoutStore = StoreApi<LayoutState>

/** Makes the store of the side panes and of the library's grouping and order; it keeps them for the next start. */
export function createLayoutStore(kept: KeyValueStorage): LayoutStore {
  const name = 'skein.layout'

  return createStore<LayoutState>()((set, get) => {
    function keep(): void {
      const { widths, isDocked, grouping, sort, joinsFamilies } = get()
      kept.set(name, JSON.stringify({ widths, isDocked, grouping, sort, joinsFamilies }))
    }

    return {
      ...keptLayout(kept.get(name)),
      overlays: { library: false, details: false },
      overlay: undefined,

      setWidth(pane, width) {
        if (get().widths[pane] === width) return
        set(({ widths }) => ({ widths: { ...widths, [pane]: clamp(width) } }))
        keep()
      },

      toggle(pane) {
        if (get().overlays[pane])
          return set(({ overlay }) => ({ overlay: overlay === pane ? undefined : pane }))
        set(({ isDocked }) => ({ isDocked: { ...isDocked, [pane]: !isDocked[pane] } }))
        keep()
      },

      open(pane) {
        if (isPaneOpen(get(), pane)) return
        get().toggle(pane)
      },

      setGrouping(grouping) {
        set({ grouping })
        keep()
      },

      setSort(sort) {
        set({ sort })
        keep()
      },

      setJoinsFamilies(joinsFamilies) {
        set({ joinsFamilies })
        keep()
      },

      closeOverlay: () => set({ overlay: undefined }),

      setWindowWidth(width, textZoom) {
        const room = width / textZoom
        const overlays = {
          library: room < overlayBelow.library,
          details: room < overlayBelow.details,
        }
        const { overlay, overlays: known } = get()
        if (known.library === overlays.library && known.details === overlays.details) return
        set({ overlays, overlay: overlay !== undefined && overlays[overlay] ? overlay : undefined })
      },
    }
  })
}

/** Returns true where a pane is visible, beside the transcript or over it. */
export function isPaneOpen(
  state: Pick<LayoutState, 'isDocked' | 'overlays' | 'overlay'>,
  pane: SidePane,
): boolean {
  return state.overlays[pane] ? state.overlay === pane : state.isDocked[pane]
}

function clamp(width: number): number {
  return Math.round(Math.min(paneWidth.most, Math.max(paneWidth.least, width)))
}

type Kept = Pick<LayoutState, 'widths' | 'isDocked' | 'grouping' | 'sort' | 'joinsFamilies'>

function keptLayout(text: string | undefined): Kept {
  const usual: Kept = {
    widths: { library: paneWidth.usual, details: paneWidth.usual },
    isDocked: { library: true, details: true },
    grouping: groupings[0],
    sort: librarySorts[0],
    joinsFamilies: true,
  }
  if (text === undefined) return usual
  try {
    const { widths, isDocked, grouping, sort, joinsFamilies } = JSON.parse(text) as Partial<Kept>
    const width = (pane: SidePane) =>
      typeof widths?.[pane] === 'number' ? clamp(widths[pane]) : paneWidth.usual
    return {
      widths: { library: width('library'), details: width('details') },
      isDocked: { library: isDocked?.library !== false, details: isDocked?.details !== false },
      // An older or newer Skein may have stored another grouping.
      grouping: groupings.find((known) => known === grouping) ?? usual.grouping,
      sort: librarySorts.find((known) => known === sort) ?? usual.sort,
      joinsFamilies: joinsFamilies !== false,
    }
  } catch {
    return usual // Not our JSON: the next change writes it anew.
  }
}
