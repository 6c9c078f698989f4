import { AppError } from '../../../shared/model/basics/errors'
import type { Priced } from '../../../shared/model/run/usage'
import type { ListedModels, ModelPrice } from '../../../shared/model/settings/model-info'
import type { RunOptions } from '../endpoint/candidates'
import type { Endpoint } from '../endpoint/endpoint'
import { noListMessage } from './check-endpoint'
import { fetchModels, type ModelsFetch } from './fetch-models'
import type { CachedModels, ModelsCache } from './models-cache'

export interface ModelListsDeps {
  readonly cache: ModelsCache
  /** What holds for the home, or with these options. */
  readonly endpoint: (run?: RunOptions) => Promise<Endpoint>
  /** Whether an address may be asked: one that a person entered or that is built in. */
  readonly isKnown: (baseUrl: string) => Promise<boolean>
  readonly now: () => number
  readonly fetch?: ModelsFetch | undefined
  readonly timeoutMs?: number
}

/** `kept`: only what is in the cache. `due`: asked for again where that is older than a day. `refresh`: asked for again. */
export type ListFreshness = 'kept' | 'due' | 'refresh'

/** Which models each address has, fetched and cached. */
export interface ModelLists {
  /**
   * The models of an address. The key that belongs to its origin goes with the request, and no other. What was fetched
   * before is given where nobody answers, with the reason beside it.
   *
   * @throws AppError `bad-argument` for an address that nobody entered
   */
  list(baseUrl: string, freshness: ListFreshness): Promise<ListedModels>
  /**
   * What these models cost, as far as it is cached: at the address in use, else where all others that list it agree.
   * Reads the cache alone.
   */
  prices(ids: readonly string[], others: readonly string[]): Promise<ReadonlyMap<string, Priced>>
}

const dayMs = 86_400_000
// A person waits for it, with what is cached on the screen.
const defaultTimeoutMs = 15_000

export function openModelLists(deps: ModelListsDeps): ModelLists {
  const { cache, now } = deps
  /** What was read or fetched since the start. */
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

  /** Two that ask at the same time get one answer. */
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
        throw new AppError('bad-argument', 'That address is none of the providers.')
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

/** One name may cost differently elsewhere, and an entry does not say where it was asked: then nobody knows. */
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
