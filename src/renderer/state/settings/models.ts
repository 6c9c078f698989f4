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

/** Place where the refusal of a change is shown: the id of a provider, or `add`. */
type ProviderSpot = string

/** State and actions of the models store. */
export interface ModelsState {
  readonly view: ProvidersView | undefined
  readonly failure: ErrorReport | undefined
  readonly refusals: Readonly<Record<ProviderSpot, ErrorReport>>
  /** By base URL. */
  readonly lists: Readonly<Record<string, ListedModels>>
  /** Base URLs whose list is being fetched. */
  readonly asking: ReadonlySet<string>
  readonly isChoosing: boolean
  readonly choiceRefusal: ErrorReport | undefined
  /** By model; null where no list has a price. */
  readonly prices: ReadonlyMap<string, Priced | null>
  readonly usage: { readonly key: LibraryKey; readonly sum: ConversationUsage } | undefined
  load(): Promise<void>
  /** Shows cached lists at once and fetches the old ones; fetches all with `again`. */
  loadLists(baseUrls: readonly string[], again: boolean): Promise<void>
  add(name: string, baseUrl: string): Promise<boolean>
  rename(id: string, name: string): Promise<boolean>
  remove(id: string): Promise<boolean>
  setKey(id: string, key: string | null, allowWeak: boolean): Promise<boolean>
  setProtocol(id: string, protocol: Protocol): Promise<boolean>
  setTimeouts(id: string, timeouts: Timeouts | null): Promise<boolean>
  /** Forgets the adjustments of requests to a provider. */
  forgetConcessions(id: string): Promise<boolean>
  /** Chooses a model for the home, or for one conversation. */
  choose(choice: RecentModel, key: LibraryKey | undefined): Promise<boolean>
  /** Dismisses a refusal: of the choice, or of a change of a provider. */
  dismiss(spot?: ProviderSpot): void
  /** Looks a price up once, together with others wanted in the same microtask. */
  wantPrice(model: string): void
  /** Adds up the cost of a conversation; its earlier sum stays meanwhile. */
  loadUsage(key: LibraryKey): Promise<void>
  fold(view: ProvidersView): void
  /** Clears what is of one home: another one is open. */
  reset(): void
}
/** Store of the model catalog. */
export type ModelsStore = StoreApi<ModelsState>

/** Most prices of one request. */
const mostPrices = 200

/** Makes the store of providers, their model lists, prices, and the cost of the open conversation. */
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
      const answers = await api.models.prices({ models }).catch(() => [])
      // Not a record: a model may be called "__proto__".
      const found = new Map(answers.map(({ model, ...priced }) => [model, priced]))
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
        // A newer list may have prices that were missing.
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
          // The details count the same files and report what is wrong with them.
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
