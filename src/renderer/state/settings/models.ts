import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { ConversationUsage, Priced } from '../../../shared/model/run/usage'
import type {
  ListedModels,
  ProvidersView,
  RecentModel,
} from '../../../shared/model/settings/model-info'
import type { Protocol } from '../../../shared/model/settings/protocol'
import type { Timeouts } from '../../../shared/model/settings/timeouts'
import { toErrorReport } from '../base/failure'

/** Where a change of the providers was asked for: its refusal is shown there. The id of a provider, or `add`. */
type ProviderSpot = string

export interface ModelsState {
  readonly view: ProvidersView | undefined
  readonly failure: ErrorReport | undefined
  readonly refusals: Readonly<Record<ProviderSpot, ErrorReport>>
  /** By base URL. */
  readonly lists: Readonly<Record<string, ListedModels>>
  /** Base URLs that are being asked. */
  readonly asking: ReadonlySet<string>
  readonly isChoosing: boolean
  readonly choiceRefusal: ErrorReport | undefined
  /** By model; null where no list tells one. */
  readonly prices: ReadonlyMap<string, Priced | null>
  readonly usage: { readonly key: LibraryKey; readonly sum: ConversationUsage } | undefined
  load(): Promise<void>
  /** Shows what is cached at once, then asks for what is old; for everything when `again`. */
  loadLists(baseUrls: readonly string[], again: boolean): Promise<void>
  add(name: string, baseUrl: string): Promise<boolean>
  rename(id: string, name: string): Promise<boolean>
  remove(id: string): Promise<boolean>
  setKey(id: string, key: string | null, allowWeak: boolean): Promise<boolean>
  setProtocol(id: string, protocol: Protocol): Promise<boolean>
  setTimeouts(id: string, timeouts: Timeouts | null): Promise<boolean>
  /** Has requests to a provider go out as they are meant again. */
  forgetConcessions(id: string): Promise<boolean>
  /** For the home, or for one conversation. */
  choose(choice: RecentModel, key: LibraryKey | undefined): Promise<boolean>
  /** Takes note of a refusal: of the choice, or of a change of a provider. */
  dismiss(spot?: ProviderSpot): void
  /** Looks a price up once, together with others that are wanted in the same moment. */
  wantPrice(model: string): void
  /** Adds up what a conversation cost; the sum before stays on the screen meanwhile. */
  loadUsage(key: LibraryKey): Promise<void>
  fold(view: ProvidersView): void
  /** Another home: what was known of a conversation of the one before is forgotten. */
  reset(): void
}
export type ModelsStore = StoreApi<ModelsState>

/** Prices that are asked for at once. */
const mostPrices = 200

/** Providers, the lists of their models, and what answers cost. */
export function createModelsStore(api: Api): ModelsStore {
  let wanted = new Set<string>()
  let usageRequest = 0
  return createStore<ModelsState>()((set, get) => {
    async function change(
      spot: ProviderSpot,
      call: () => Promise<ProvidersView>,
    ): Promise<boolean> {
      get().dismiss(spot)
      try {
        get().fold(await call())
        return true
      } catch (error) {
        set(({ refusals }) => ({ refusals: { ...refusals, [spot]: toErrorReport(error) } }))
        return false
      }
    }

    async function loadList(baseUrl: string, again: boolean): Promise<void> {
      const ask = async (freshness: 'kept' | 'due' | 'refresh') => {
        const list = await api.models.list({ baseUrl, freshness })
        set(({ lists }) => ({ lists: { ...lists, [baseUrl]: list } }))
      }
      set(({ asking }) => ({ asking: new Set([...asking, baseUrl]) }))
      try {
        if (!again) await ask('kept')
        await ask(again ? 'refresh' : 'due')
      } catch (error) {
        const { message: failure } = toErrorReport(error)
        set(({ lists }) => ({
          lists: {
            ...lists,
            [baseUrl]: { ...(lists[baseUrl] ?? { baseUrl, models: [], fetchedAt: null }), failure },
          },
        }))
      } finally {
        set(({ asking }) => ({ asking: new Set([...asking].filter((one) => one !== baseUrl)) }))
      }
    }

    async function lookUp(): Promise<void> {
      const models = [...wanted].slice(0, mostPrices)
      wanted = new Set()
      const told = await api.models.prices({ models }).catch(() => [])
      // Not a record: a model may be called "__proto__".
      const found = new Map(told.map(({ model, ...priced }) => [model, priced]))
      set(({ prices }) => ({
        prices: new Map([
          ...prices,
          ...models.map((model) => [model, found.get(model) ?? null] as const),
        ]),
      }))
    }

    return {
      view: undefined,
      failure: undefined,
      refusals: {},
      lists: {},
      asking: new Set(),
      isChoosing: false,
      choiceRefusal: undefined,
      prices: new Map(),
      usage: undefined,

      async load() {
        set({ failure: undefined })
        try {
          set({ view: await api.models.providers() })
        } catch (error) {
          set({ failure: toErrorReport(error) })
        }
      },

      async loadLists(baseUrls, again) {
        const { asking } = get()
        const free = [...new Set(baseUrls)].filter((baseUrl) => !asking.has(baseUrl))
        await Promise.all(free.map((baseUrl) => loadList(baseUrl, again)))
        // A newer list may price what had no price.
        if (free.length > 0) set({ prices: new Map() })
      },

      add: (name, baseUrl) => change('add', () => api.models.addProvider({ name, baseUrl })),
      rename: (id, name) => change(id, () => api.models.renameProvider({ id, name })),
      remove: (id) => change(id, () => api.models.removeProvider({ id })),
      setKey: (id, key, allowWeak) =>
        change(id, () => api.models.setProviderKey({ id, key, allowWeak })),
      setProtocol: (id, protocol) =>
        change(id, () => api.models.setProviderProtocol({ id, protocol })),
      forgetConcessions: (id) => change(id, () => api.models.forgetConcessions({ id })),
      setTimeouts: (id, timeouts) =>
        change(id, () => api.models.setProviderTimeouts({ id, timeouts })),

      async choose(choice, key) {
        set({ isChoosing: true, choiceRefusal: undefined })
        try {
          await api.models.choose({ ...choice, ...(key === undefined ? {} : { key }) })
          return true
        } catch (error) {
          set({ choiceRefusal: toErrorReport(error) })
          return false
        } finally {
          set({ isChoosing: false })
        }
      },

      dismiss(spot) {
        if (spot === undefined) return set({ choiceRefusal: undefined })
        set(({ refusals }) => ({ refusals: without(refusals, spot) }))
      },

      wantPrice(model) {
        if (get().prices.has(model) || wanted.has(model)) return
        if (wanted.size === 0) queueMicrotask(() => void lookUp())
        wanted.add(model)
      },

      async loadUsage(key) {
        const mine = ++usageRequest
        if (get().usage?.key !== key) set({ usage: undefined })
        try {
          const sum = await api.models.usage({ key })
          if (mine === usageRequest) set({ usage: { key, sum } })
        } catch {
          // The same files are counted beside it, and that says what is wrong with them.
          if (mine === usageRequest) set({ usage: undefined })
        }
      },

      fold: (view) => set({ view, failure: undefined }),

      reset() {
        usageRequest++
        set({ usage: undefined, prices: new Map(), refusals: {}, choiceRefusal: undefined })
      },
    }
  })
}

function without(refusals: ModelsState['refusals'], spot: ProviderSpot): ModelsState['refusals'] {
  const { [spot]: _gone, ...others } = refusals
  return others
}
