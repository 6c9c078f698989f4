import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { PluginLook, PluginsView } from '../../../shared/model/settings/plugins'
import { toErrorReport } from '../base/failure'

export interface PluginsState {
  readonly view: PluginsView | undefined
  readonly failure: ErrorReport | undefined
  /** Why the last act was refused. */
  readonly refusal: ErrorReport | undefined
  /** What somebody sees before they trust it. */
  readonly look: PluginLook | undefined
  /** The plugin that something is done with now. */
  readonly busy: string | undefined
  /** What was done last, for who does not see it. */
  readonly news: string
  /** Asks for them, and follows them until `leave`. */
  load(): Promise<void>
  leave(): void
  lookAt(name: string): Promise<void>
  closeLook(): void
  /** Trusts what is looked at. Whether it did. */
  trust(): Promise<boolean>
  distrust(name: string): Promise<boolean>
  askAgain(name: string): Promise<void>
  /** Main has other things to tell of them. */
  foldChanged(): void
}
export type PluginsStore = StoreApi<PluginsState>

const nothing = {
  view: undefined,
  failure: undefined,
  refusal: undefined,
  look: undefined,
  busy: undefined,
  news: '',
} as const

/** The plugins of the home, while they are shown. */
export function createPluginsStore(api: Api): PluginsStore {
  return createStore<PluginsState>()((set, get) => {
    let isShown = false
    /** Events come with each run: one list is under way, and at most one more after it. */
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

    /** One act at a time; undefined when it was refused, or another is done. */
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
