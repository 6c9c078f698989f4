import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { PluginLook, PluginsView } from '../../../shared/model/settings/plugins'
import { toErrorReport } from '../base/failure'

/** State and actions of the plugins store. */
export interface PluginsState {
  readonly view: PluginsView | undefined
  readonly failure: ErrorReport | undefined
  /** Why the last action was refused. */
  readonly refusal: ErrorReport | undefined
  /** The preview of a plugin before it is trusted. */
  readonly look: PluginLook | undefined
  /** The plugin of the action in progress. */
  readonly busy: string | undefined
  /** The last outcome, for screen readers. */
  readonly news: string
  /** Loads the plugins, and follows them until `leave`. */
  load(): Promise<void>
  leave(): void
  lookAt(name: string): Promise<void>
  closeLook(): void
  /** Trusts the previewed plugin; resolves to whether it did. */
  trust(): Promise<boolean>
  distrust(name: string): Promise<boolean>
  askAgain(name: string): Promise<void>
  /** Loads again after a change in main. */
  foldChanged(): void
}
/** Store of the home's plugins. */
export type PluginsStore = StoreApi<PluginsState>

const nothing = {
  view: undefined,
  failure: undefined,
  refusal: undefined,
  look: undefined,
  busy: undefined,
  news: '',
} as const

/** Makes the store of the home's plugins; it follows them between `load` and `leave` only. */
export function createPluginsStore(api: Api): PluginsStore {
  return createStore<PluginsState>()((set, get) => {
    let isShown = false
    /** The list being loaded: events come with each run, and at most one more load follows. */
    let listing: Promise<void> | undefined
    let isStale = false

    async function list(): Promise<void> {
      try {
        do {
          isStale = false
          const view = await api.plugins.list()
          if (isShown) set({ view, failure: undefined })
        } while (isStale && isShown)
      } catch (error) {
        if (isShown) set({ failure: toErrorReport(error) })
      } finally {
        listing = undefined
      }
    }

    function listAgain(): Promise<void> {
      if (listing !== undefined) isStale = true
      else listing = list()
      return listing ?? Promise.resolve()
    }

    /** Runs one action at a time; undefined where it was refused, or another is in progress. */
    async function acting<T>(name: string, act: () => Promise<T>): Promise<T | undefined> {
      if (get().busy !== undefined) return undefined
      set({ busy: name, refusal: undefined, news: '' })
      try {
        return await act()
      } catch (error) {
        set({ refusal: toErrorReport(error) })
        return undefined
      } finally {
        set({ busy: undefined })
      }
    }

    return {
      ...nothing,

      load() {
        isShown = true
        set({ failure: undefined })
        return listAgain()
      },

      leave() {
        isShown = false
        set(nothing)
      },

      async lookAt(name) {
        set({ look: undefined })
        const look = await acting(name, () => api.plugins.look({ name }))
        if (look !== undefined && isShown) set({ look })
      },

      closeLook: () => set({ look: undefined, refusal: undefined }),

      async trust() {
        const { look } = get()
        if (look === undefined) return false
        const { name, hash } = look
        const view = await acting(name, () => api.plugins.trust({ name, hash }))
        if (view === undefined) return false
        set({ view, look: undefined, news: `${name} is trusted.` })
        return true
      },

      async distrust(name) {
        const view = await acting(name, () => api.plugins.distrust({ name }))
        if (view === undefined) return false
        set({ view, news: `${name} is no longer trusted.` })
        return true
      },

      async askAgain(name) {
        const view = await acting(name, () => api.plugins.askAgain({ name }))
        if (view !== undefined) set({ view })
      },

      foldChanged() {
        if (isShown) void listAgain()
      },
    }
  })
}
