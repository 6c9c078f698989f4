import { createStore, type StoreApi } from 'zustand/vanilla'
import type { KeyValueStorage } from '../base/storage'

/** Panes are this wide at least and at most, and this wide after a double click. In pixels. */
export const paneWidth = { least: 240, most: 480, usual: 320 } as const

/** Below these widths (divided by the text zoom) the right pane, then the library, lie over the transcript. */
const overlayBelow = { details: 1100, library: 820 } as const

export type SidePane = 'library' | 'details'

/** What the conversations of the library can stand under; the first is the usual one. */
export const groupings = ['date', 'project', 'source', 'title'] as const
export type Grouping = (typeof groupings)[number]

export interface LayoutState {
  readonly widths: Readonly<Record<SidePane, number>>
  /** Whether a pane stands beside the transcript where there is room for it. */
  readonly isDocked: Readonly<Record<SidePane, boolean>>
  /** Panes that lie over the transcript now because the window is narrow. */
  readonly overlays: Readonly<Record<SidePane, boolean>>
  /** The pane that was called up over the transcript. */
  readonly overlay: SidePane | undefined
  readonly grouping: Grouping
  setWidth(pane: SidePane, width: number): void
  toggle(pane: SidePane): void
  open(pane: SidePane): void
  setGrouping(grouping: Grouping): void
  closeOverlay(): void
  setWindowWidth(width: number, textZoom: number): void
}
export type LayoutStore = StoreApi<LayoutState>

/** Which panes are open, how wide they are, and what the library is grouped by; kept for the next start. */
export function createLayoutStore(kept: KeyValueStorage): LayoutStore {
  const name = 'skein.layout'

  return createStore<LayoutState>()((set, get) => {
    function keep(): void {
      const { widths, isDocked, grouping } = get()
      kept.set(name, JSON.stringify({ widths, isDocked, grouping }))
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

/** Whether a pane can be seen, beside the transcript or over it. */
export function isPaneOpen(
  state: Pick<LayoutState, 'isDocked' | 'overlays' | 'overlay'>,
  pane: SidePane,
): boolean {
  return state.overlays[pane] ? state.overlay === pane : state.isDocked[pane]
}

function clamp(width: number): number {
  return Math.round(Math.min(paneWidth.most, Math.max(paneWidth.least, width)))
}

type Kept = Pick<LayoutState, 'widths' | 'isDocked' | 'grouping'>

function keptLayout(text: string | undefined): Kept {
  const usual: Kept = {
    widths: { library: paneWidth.usual, details: paneWidth.usual },
    isDocked: { library: true, details: true },
    grouping: groupings[0],
  }
  if (text === undefined) return usual
  try {
    const { widths, isDocked, grouping } = JSON.parse(text) as Partial<Kept>
    const width = (pane: SidePane) =>
      typeof widths?.[pane] === 'number' ? clamp(widths[pane]) : paneWidth.usual
    return {
      widths: { library: width('library'), details: width('details') },
      isDocked: { library: isDocked?.library !== false, details: isDocked?.details !== false },
      // What an older or newer Skein kept may name none of ours.
      grouping: groupings.find((known) => known === grouping) ?? usual.grouping,
    }
  } catch {
    return usual // Not our JSON: the next change writes it anew.
  }
}
