import { AppError } from '../../../shared/model/basics/errors'
import type { Priced } from '../../../shared/model/run/usage'
import type { ListedModels, ModelPrice } from '../../../shared/model/settings/model-info'
import type { RunOptions } from '../endpoint/candidates'
import type { Endpoint } from '../endpoint/endpoint'
import { noListMessage } from './check-endpoint'
import { fetchModels, type ModelsFetch } from './fetch-models'
import type { CachedModels, ModelsCache } from './models-cache'

/** Everything that lists of models need. */
export interface ModelListsDeps {
  readonly cache: ModelsCache
  /** Resolves to the home's endpoint, with these options. */
  readonly endpoint: (run?: RunOptions) => Promise<Endpoint>
  /** Resolves to true for an address that a person entered or that is built in. */
  readonly isKnown: (baseUrl: string) => Promise<boolean>
  readonly now: () => number
  readonly fetch?: ModelsFetch | undefined
  readonly timeoutMs?: number
}

/**
 * The freshness that is wanted of a list. `kept`: only the cache. `due`: fetched again where it is older than a day.
 * `refresh`: fetched again.
 */
export type ListFreshness = 'kept' | 'due' | 'refresh'

/** The lists of models of each address, fetched and cached. */
export interface ModelLists {
  /**
   * Lists the models of an address. The key that belongs to its origin goes with the request, and no other. Where
   * nobody answers, it resolves to the list fetched before, and the reason.
   *
   * @throws AppError `bad-argument` for an address that nobody entered
   */
  list(baseUrl: string, freshness: ListFreshness): Promise<ListedModels>
  /**
   * Returns the prices of these models, as far as they are cached: at the address in use, else where all others that
   * list a model agree. Reads the cache alone.
   */
  prices(ids: readonly string[], others: readonly string[]): Promise<ReadonlyMap<string, Priced>>
}

const dayMs = 86_400_000
// A person waits for it, with what is cached on the screen.
const defaultTimeoutMs = 15_000

/** Returns the lists of models. Fetches none yet. */
export function openModelLists(deps: ModelListsDeps): ModelLists {
  const { cache, now } = deps
  /** The lists that were read or fetched since the start. */
  const known = new Map<string, CachedModels>()
  const asking = new Map<string, Promise<ListedModels>>()

  async function kept(baseUrl: string): Promise<CachedModels | undefined> {
    const found = known.get(baseUrl) ?? (await cache.read(baseUrl))
    if (found !== undefined) known.set(baseUrl, found)
    return found
  }

  async function ask(baseUrl: string): Promise<ListedModels> {
    const { apiKey } = await deps.endpoint({ baseUrl })
    const answer = await fetchModels(`${baseUrl}/models`, {
      apiKey: apiKey?.value.reveal(),
      timeoutMs: deps.timeoutMs ?? defaultTimeoutMs,
      fetch: deps.fetch,
    })
    if (answer.type !== 'models')
      return { ...listOf(baseUrl, await kept(baseUrl)), failure: noListMessage(baseUrl, answer) }
    const fresh = { models: answer.models, fetchedAt: now() }
    known.set(baseUrl, fresh)
    await cache.write(baseUrl, fresh)
    return listOf(baseUrl, fresh)
  }

  /** Fetches a list once for all that ask at the same time. */
  function askOnce(baseUrl: string): Promise<ListedModels> {
    const running = asking.get(baseUrl)
    if (running !== undefined) return running
    const one = ask(baseUrl).finally(() => asking.delete(baseUrl))
    asking.set(baseUrl, one)
    return one
  }

  async function pricesAt(baseUrl: string): Promise<ReadonlyMap<string, ModelPrice>> {
    const prices = new Map<string, ModelPrice>()
    for (const { id, alias, price } of (await kept(baseUrl))?.models ?? []) {
      if (price === undefined) continue
      prices.set(id, price)
      if (alias !== undefined && !prices.has(alias)) prices.set(alias, price)
    }
    return prices
  }

  return {
    async list(baseUrl, freshness) {
      if (!(await deps.isKnown(baseUrl)))
        throw new AppError('bad-argument', 'No provider has this address.')
      const found = await kept(baseUrl)
      // A clock that was set back makes no list new for ever.
      const ageMs =
        found === undefined ? Number.POSITIVE_INFINITY : Math.abs(now() - found.fetchedAt)
      if (freshness === 'kept' || (freshness === 'due' && ageMs < dayMs))
        return listOf(baseUrl, found)
      return askOnce(baseUrl)
    },

    async prices(ids, others) {
      const { baseUrl } = await deps.endpoint()
      const here = await pricesAt(baseUrl.value)
      const elsewhere = await Promise.all(
        others
          .filter((one) => one !== baseUrl.value)
          .map(async (one) => ({ baseUrl: one, prices: await pricesAt(one) })),
      )
      const found = new Map<string, Priced>()
      for (const id of ids) {
        const price = here.get(id)
        if (price !== undefined) found.set(id, { price, baseUrl: baseUrl.value })
        else {
          const agreed = agreedPrice(id, elsewhere)
          if (agreed !== undefined) found.set(id, agreed)
        }
      }
      return found
    },
  }
}

/**
 * Returns the price on which all lists with the model agree. An entry does not say its address, so where they differ
 * the price is unknown.
 */
function agreedPrice(
  id: string,
  lists: readonly {
    readonly baseUrl: string
    readonly prices: ReadonlyMap<string, ModelPrice>
  }[],
): Priced | undefined {
  const found = lists.flatMap(({ baseUrl, prices }) => {
    const price = prices.get(id)
    return price === undefined ? [] : [{ price, baseUrl }]
  })
  const [first] = found
  const isSame = found.every(
    ({ price }) => price.input === first?.price.input && price.output === first.price.output,
  )
  return isSame ? first : undefined
}

function listOf(baseUrl: string, kept: CachedModels | undefined): ListedModels {
  return { baseUrl, models: [...(kept?.models ?? [])], fetchedAt: kept?.fetchedAt ?? null }
}
