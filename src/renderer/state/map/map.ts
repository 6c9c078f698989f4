import { dequal } from 'dequal/lite'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { FamilyMap } from '../../../shared/model/map/family-map'
import { type MapFilter, noFilter } from '../../../shared/model/map/filters'
import type { HeatKind } from '../../../shared/model/map/heat'
import { browserClock, type StoreClock } from '../base/clock'
import { toErrorReport } from '../base/failure'
import { loadPreview, type Preview } from './preview'

/** Pause after a change before the map is loaded again: an answer comes as several entries. */
const restMs = 600
/** Previews that are kept: the cards of nodes that were looked at last. */
const mostPreviews = 200

/** Measure by which the map's lines are laid out. */
export type MapMode = 'entries' | 'time'

/** Choices of a person of what the map shows. */
export type MapLook = Pick<
  MapState,
  | 'key'
  | 'straightKey'
  | 'selected'
  | 'marked'
  | 'mode'
  | 'unfolded'
  | 'filter'
  | 'collapsed'
  | 'hidden'
  | 'heat'
>

/** State and actions of the map's store. */
export interface MapState {
  readonly isOpen: boolean
  /** True where closing the view goes elsewhere, so that the focus does not return. */
  readonly leavesFocus: boolean
  /** The conversation whose family is shown. */
  readonly key: LibraryKey | undefined
  /** Undefined while unknown; null where the conversation has no entry. */
  readonly map: FamilyMap | null | undefined
  /** Conversations are still being read: more branches may appear. */
  readonly isCounting: boolean
  readonly failure: ErrorReport | undefined
  /** The conversation whose path is straight: the one that was open when its family was opened first. */
  readonly straightKey: LibraryKey | undefined
  /** The id of the node that canvas and tree have selected; undefined for the end of the open path. */
  readonly selected: string | undefined
  /** The id of the node that the open path is compared with: B. */
  readonly marked: string | undefined
  readonly mode: MapMode
  /** The number by which nodes are coloured; undefined for none. */
  readonly heat: HeatKind | undefined
  /** Ids of segments that show all of their branches. */
  readonly unfolded: ReadonlySet<string>
  /** Kept until the window closes; model and source until another family is shown. */
  readonly filter: MapFilter
  /** Ids of nodes all of whose branches are folded into one. */
  readonly collapsed: ReadonlySet<string>
  /** Ids of nodes that are hidden, with all that comes after them. */
  readonly hidden: ReadonlySet<string>
  /** By node: the first lines of what was said in it. */
  readonly previews: ReadonlyMap<string, Preview>
  open(key: LibraryKey): void
  /** Returns what is shown, for `openAs`. */
  look(): MapLook
  /** Opens the map as it was shown before. */
  openAs(look: MapLook): void
  hide(leavesFocus?: boolean): void
  /** Loads the family of the shown conversation; the known one stays meanwhile. */
  load(): Promise<void>
  /** Loads again soon, since the family may have changed. */
  foldChanged(): void
  select(node: string | undefined): void
  /** Marks a node as B, or takes the mark away from it. */
  mark(node: string): void
  setMode(mode: MapMode): void
  setHeat(heat: HeatKind | undefined): void
  /** Shows all branches of a segment, or folds them again. */
  toggleFold(segment: string): void
  /** Sets some conditions of the filter. */
  setFilter(conditions: Partial<MapFilter>): void
  /** Shows every entry again: without a filter, and hides nothing. */
  showAll(): void
  /** Folds all branches after a node into one, or shows them again. */
  toggleCollapsed(node: string): void
  /** Shows the branches that a node is folded in. */
  expandTo(node: string): void
  /** Hides a node with all that comes after it, until `showAll` or `showHidden`. */
  hideBranch(node: string): void
  showHidden(): void
  /** Makes the open path straight. */
  straighten(): void
  /** Loads the first lines of a node, once. */
  preview(node: string): Promise<void>
  reset(): void
}
/** Store of the map of a family. */
export type MapStore = StoreApi<MapState>

const nothing = {
  map: undefined,
  isCounting: false,
  failure: undefined,
  selected: undefined,
  marked: undefined,
  unfolded: new Set<string>(),
  collapsed: new Set<string>(),
  hidden: new Set<string>(),
  previews: new Map<string, Preview>(),
} as const

/** Makes the store of the map. Changes are read after a rest of 600 ms, while the map is open. */
export function createMapStore(api: Api, clock: StoreClock = browserClock): MapStore {
  let request = 0
  let stopWaiting: (() => void) | undefined
  /** A change came while the map was closed. */
  let isStale = false

  return createStore<MapState>()((set, get) => ({
    ...nothing,
    isOpen: false,
    leavesFocus: false,
    key: undefined,
    straightKey: undefined,
    mode: 'entries',
    heat: undefined,
    filter: noFilter,

    open(key) {
      const { key: before, map } = get()
      const isFamily = map?.conversations.some((one) => one.key === key) === true
      if (key !== before && !isFamily) {
        const filter = { ...get().filter, model: undefined, source: undefined }
        set({ ...nothing, straightKey: key, filter })
      }
      // Another conversation of the same family: the lines stay, the open path moves.
      else if (key !== before) set({ selected: undefined, marked: undefined })
      set({ isOpen: true, leavesFocus: false, key })
      if (key !== before || get().map === undefined || isStale) void get().load()
    },

    look() {
      const { key, straightKey, selected, marked, mode } = get()
      const { unfolded, filter, collapsed, hidden, heat } = get()
      const chosen = { mode, unfolded, filter, collapsed, hidden, heat }
      return { key, straightKey, selected, marked, ...chosen }
    },

    openAs(look) {
      if (look.key === undefined) return
      get().open(look.key)
      set(look)
    },

    hide(leavesFocus = false) {
      stopWaiting?.()
      if (get().isOpen) set({ isOpen: false, leavesFocus })
    },

    async load() {
      const { key } = get()
      if (key === undefined) return
      const mine = ++request
      stopWaiting?.()
      isStale = false
      try {
        const { map, counting } = await api.branches.map({ key })
        if (mine !== request) return
        // The same object where nothing is new: nothing is laid out or drawn again for it.
        const known = get().map
        set({ map: dequal(map, known) ? known : map, isCounting: counting, failure: undefined })
      } catch (error) {
        if (mine === request) set({ failure: toErrorReport(error) })
      }
    },

    foldChanged() {
      const { key, isOpen } = get()
      if (key === undefined) return
      isStale = true
      if (!isOpen) return
      stopWaiting?.()
      stopWaiting = clock.after(restMs, () => void get().load())
    },

    select: (selected) => set({ selected }),
    mark: (node) => set(({ marked }) => ({ marked: marked === node ? undefined : node })),
    setMode: (mode) => set({ mode }),
    setHeat: (heat) => set({ heat }),

    toggleFold(segment) {
      const unfolded = new Set(get().unfolded)
      if (!unfolded.delete(segment)) unfolded.add(segment)
      set({ unfolded })
    },

    setFilter: (conditions) => set(({ filter }) => ({ filter: { ...filter, ...conditions } })),
    showAll: () => set({ filter: noFilter, hidden: new Set() }),

    toggleCollapsed(node) {
      const collapsed = new Set(get().collapsed)
      if (!collapsed.delete(node)) collapsed.add(node)
      set({ collapsed })
    },

    expandTo(node) {
      const { map, collapsed } = get()
      const parents = new Map(map?.nodes.map(({ id, parent }) => [id, parent]))
      const open = new Set(collapsed)
      for (let at = parents.get(node); at != null; at = parents.get(at)) open.delete(at)
      if (open.size < collapsed.size) set({ collapsed: open })
    },

    hideBranch(node) {
      const { map, hidden } = get()
      const parent = map?.nodes.find(({ id }) => id === node)?.parent
      // The cursor goes to where the branch left.
      set({ hidden: new Set([...hidden, node]), selected: parent ?? undefined })
    },

    showHidden: () => set({ hidden: new Set() }),
    straighten: () => set(({ key }) => ({ straightKey: key })),

    async preview(node) {
      const { map, previews } = get()
      if (map == null || previews.has(node)) return
      const preview = await loadPreview(api, map, node)
      // A node whose lines cannot be read shows its title alone; the next look tries again.
      if (preview === undefined || get().map !== map) return
      const all = [...get().previews, [node, preview] as const]
      set({ previews: new Map(all.slice(-mostPreviews)) })
    },

    reset() {
      request++
      stopWaiting?.()
      isStale = false
      set({
        ...nothing,
        isOpen: false,
        key: undefined,
        straightKey: undefined,
        filter: noFilter,
      })
    },
  }))
}
