import { createStore, type StoreApi } from 'zustand/vanilla'

/** State and actions of the palette's store. */
export interface PaletteState {
  readonly isOpen: boolean
  /** Ids of the items that were chosen in this window, newest first. */
  readonly recent: readonly string[]
  open(): void
  close(): void
  noteChosen(id: string): void
}
/** Store of the command palette. */
export type PaletteStore = StoreApi<PaletteState>

/** How many chosen items are remembered. */
const mostRecent = 5

/** Makes the store of the command palette. */
export function createPaletteStore(): PaletteStore {
  return createStore<PaletteState>()((set) => ({
    isOpen: false,
    recent: [],
    open: () => set({ isOpen: true }),
    close: () => set({ isOpen: false }),
    noteChosen: (id) =>
      set(({ recent }) => ({
        recent: [id, ...recent.filter((known) => known !== id)].slice(0, mostRecent),
      })),
  }))
}
