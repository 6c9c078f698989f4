import { AppError } from '../../../shared/model/basics/errors'
import type { Provider, ProvidersView } from '../../../shared/model/settings/model-info'
import type { Protocol } from '../../../shared/model/settings/protocol'
import { Timeouts } from '../../../shared/model/settings/timeouts'
import { Mutex } from '../../async/mutex'
import type { SettingsApproval } from '../base/approval'
import {
  isLocal,
  openAiBaseUrl,
  openRouterBaseUrl,
  parseBaseUrl,
  webOrigin,
} from '../base/base-url'
import { keyHint } from '../base/secret'
import type { RunOptions } from '../endpoint/candidates'
import type { Endpoint } from '../endpoint/endpoint'
import type { KeyVault } from '../stored/key-vault'
import type { AdjustmentMemory } from '../stored/request-adjustments'
import type { SettingsFile } from '../stored/settings-file'
import { type NamedProvider, ProviderName } from '../stored/stored-providers'
import { isKnownAddress } from './known-addresses'
import { localServerAt } from './local-servers'
import { storeProviderKey } from './provider-key'

/** Everything that providers need. */
export interface ProvidersDeps {
  readonly file: SettingsFile
  readonly vault: KeyVault
  /** Resolves to the home's endpoint, with these options. */
  readonly endpoint: (run?: RunOptions) => Promise<Endpoint>
  readonly newId: () => string
  readonly concessions: AdjustmentMemory
}

/** The providers: the built-in ones, those that a person added, and the address in use. */
export interface Providers {
  view(): Promise<ProvidersView>
  /** Lists them without their keys, each of which takes a look-up. */
  addresses(): Promise<readonly Pick<Provider, 'id' | 'name' | 'baseUrl' | 'kind'>[]>
  /** A new address needs approval first. @throws AppError `denied`, `bad-argument`, `exists`, `disk-full`, `io` */
  add(name: string, baseUrl: string, allow: SettingsApproval): Promise<void>
  /** @throws AppError `bad-argument`, `exists`, `not-found`, `disk-full`, `io` */
  rename(id: string, name: string): Promise<void>
  /**
   * Forgets its key too, unless another provider at the same origin uses it; its API, timeouts and
   * adjustments, unless its address is the one in use.
   *
   * @throws AppError `bad-argument`, `not-found`, `disk-full`, `io`
   */
  remove(id: string): Promise<void>
  /**
   * Keeps a key for the provider's address, once a person has allowed it; null forgets it.
   *
   * @throws AppError `denied`, `not-found`, `weak-keychain` unless allowed, `bad-argument`, `disk-full`, `io`
   */
  setKey(id: string, key: string | null, allowWeak: boolean, allow: SettingsApproval): Promise<void>
  /** Sets the API of its requests. @throws AppError `not-found`, `disk-full`, `io` */
  setProtocol(id: string, protocol: Protocol): Promise<void>
  /**
   * Sets how long its answers are waited for; the defaults hold where none are given. @throws AppError
   * `bad-argument`, `not-found`, `disk-full`, `io`
   */
  setTimeouts(id: string, timeouts: Timeouts | undefined): Promise<void>
  /** Forgets the adjustments for the provider. @throws AppError `not-found` */
  forgetConcessions(id: string): Promise<void>
}

type Listed = Pick<Provider, 'id' | 'name' | 'baseUrl' | 'kind'>

const builtIn: readonly Listed[] = [
  { id: 'openrouter', name: 'OpenRouter', baseUrl: openRouterBaseUrl, kind: 'built-in' },
  { id: 'openai', name: 'OpenAI', baseUrl: openAiBaseUrl, kind: 'built-in' },
]

// More would be a mistake, and each is asked for its key when the list is shown.
const mostNamed = 50

/** Returns the providers of a home. Reads nothing yet. */
export function openProviders(deps: ProvidersDeps): Providers {
  const { file, vault, newId } = deps
  const changes = new Mutex()

  async function named(): Promise<readonly Listed[]> {
    const { stored } = await file.read()
    return (stored.providers ?? []).map((provider) => ({ ...provider, kind: 'named' }))
  }

  /** Built-in ones, named ones, and the address in use where it is none of them. */
  async function listed(): Promise<readonly Listed[]> {
    const known = [...builtIn, ...(await named())]
    const { provider, baseUrl, notReady } = await deps.endpoint()
    if (provider === 'practice' || notReady?.addressInDoubt) return known
    if (known.some((one) => one.baseUrl === baseUrl.value)) return known
    return [...known, { id: 'current', ...namedByHost(baseUrl.value), kind: 'current' }]
  }

  async function find(id: string): Promise<Listed> {
    const found = (await listed()).find((one) => one.id === id)
    if (found === undefined) throw new AppError('not-found', 'This provider no longer exists.')
    return found
  }

  /** @throws AppError `exists` */
  async function assertOwn(provider: NamedProvider): Promise<void> {
    const others = [...builtIn, ...(await named())].filter(({ id }) => id !== provider.id)
    const isTaken = (one: Listed) => one.name.toLowerCase() === provider.name.toLowerCase()
    if (others.some(isTaken))
      throw new AppError('exists', `A provider named "${provider.name}" already exists.`)
    const same = others.find(({ baseUrl }) => baseUrl === provider.baseUrl)
    if (same !== undefined) throw new AppError('exists', `"${same.name}" already has this address.`)
  }

  async function put(provider: NamedProvider, protocol?: Protocol): Promise<void> {
    await assertOwn(provider)
    await file.change({
      providers: { type: 'put', provider },
      ...(protocol === undefined ? {} : { protocol: { baseUrl: provider.baseUrl, protocol } }),
    })
  }

  return {
    addresses: listed,
    async view() {
      const { stored } = await file.read()
      const waits = new Map(stored.timeouts?.map(({ baseUrl, ...waits }) => [baseUrl, waits]))
      const providers = await Promise.all(
        (await listed()).map(async (one) => {
          const timeouts = waits.get(one.baseUrl)
          const key = await keyOf(one.baseUrl, deps)
          const protocol = stored.protocols?.get(one.baseUrl)
          const adapted = await deps.concessions.models(one.baseUrl)
          return {
            ...one,
            key,
            ...(timeouts === undefined ? {} : { timeouts }),
            ...(protocol === undefined ? {} : { protocol }),
            ...(adapted.length === 0 ? {} : { adapted: [...adapted] }),
          }
        }),
      )
      return { providers, recent: [...(stored.recentModels ?? [])] }
    },
    add: (name, baseUrl, allow) =>
      changes.run(async () => {
        if ((await named()).length >= mostNamed)
          throw new AppError('bad-argument', `At most ${mostNamed} providers can be added.`)
        const provider = { id: newId(), name: nameIn(name), baseUrl: baseUrlIn(baseUrl) }
        await assertOwn(provider)
        const { stored } = await file.read()
        const inUse = (await deps.endpoint()).baseUrl.value
        if (!isKnownAddress(provider.baseUrl, stored, [inUse]))
          await allow.address(provider.baseUrl)
        // The address of the Responses API means that API.
        await put(provider, /\/responses\/*$/.test(baseUrl.trim()) ? 'responses' : undefined)
      }),
    rename: (id, name) =>
      changes.run(async () => {
        const { baseUrl, kind } = await find(id)
        if (kind !== 'named') throw new AppError('bad-argument', 'This provider cannot be renamed.')
        await put({ id, name: nameIn(name), baseUrl })
      }),
    remove: (id) =>
      changes.run(async () => {
        const { baseUrl, kind } = await find(id)
        if (kind !== 'named') throw new AppError('bad-argument', 'This provider cannot be removed.')
        // Requests to the address in use continue as before.
        const isInUse = (await deps.endpoint()).baseUrl.value === baseUrl
        await file.change({
          providers: { type: 'remove', id },
          ...(isInUse
            ? {}
            : {
                timeouts: { baseUrl, timeouts: undefined },
                protocol: { baseUrl, protocol: 'chat-completions' },
              }),
        })
        if (!isInUse) await deps.concessions.forget(baseUrl)
        // The address in use is among those that are left.
        const left = await listed()
        const isUsed = left.some((one) => webOrigin(one.baseUrl) === webOrigin(baseUrl))
        if (!isUsed) await vault.set(baseUrl, null)
      }),
    setKey: (id, key, allowWeak, allow) =>
      changes.run(async () =>
        storeProviderKey(vault, (await find(id)).baseUrl, key, allowWeak, allow),
      ),
    setProtocol: (id, protocol) =>
      changes.run(async () => {
        await file.change({ protocol: { baseUrl: (await find(id)).baseUrl, protocol } })
      }),
    forgetConcessions: (id) =>
      changes.run(async () => deps.concessions.forget((await find(id)).baseUrl)),
    setTimeouts: (id, timeouts) =>
      changes.run(async () => {
        if (timeouts !== undefined && !Timeouts.safeParse(timeouts).success)
          throw new AppError('bad-argument', 'A timeout is 10 to 86,400 seconds, without decimals.')
        await file.change({ timeouts: { baseUrl: (await find(id)).baseUrl, timeouts } })
      }),
  }
}

/** The key that a request to the address would carry, by the rules of `resolveEndpoint`. */
async function keyOf(
  baseUrl: string,
  { endpoint }: Pick<ProvidersDeps, 'endpoint'>,
): Promise<Provider['key']> {
  const { apiKey } = await endpoint({ baseUrl })
  const isNeeded = !isLocal(baseUrl)
  if (apiKey === undefined) return { present: false, isOwn: false, isNeeded }
  const { value, origin, where } = apiKey
  return { present: true, hint: keyHint(value), where, isOwn: origin === 'settings', isNeeded }
}

function namedByHost(baseUrl: string): Pick<Listed, 'name' | 'baseUrl'> {
  const host = webOrigin(baseUrl)?.replace(/^https?:\/\//, '')
  return { name: localServerAt(baseUrl) ?? host ?? baseUrl, baseUrl }
}

function nameIn(name: string): string {
  const parsed = ProviderName.safeParse(name)
  if (parsed.success) return parsed.data
  throw new AppError('bad-argument', 'A name has 1 to 60 characters and no line break.')
}

function baseUrlIn(text: string): string {
  const parsed = parseBaseUrl(text)
  if (parsed.ok) return parsed.url
  throw new AppError('bad-argument', `The base URL ${parsed.message}.`)
}
