import { partsOf } from '../../shared/model/conversation'
import { AppError } from '../../shared/model/errors'
import type { ModelList } from '../../shared/model/model-info'
import type { SettingsView } from '../../shared/model/settings'
import type { Priced } from '../../shared/model/usage'
import type { Disk } from '../disk/disk'
import { concessionMemory } from './concessions'
import { readLocal } from './home-config'
import type { Environment } from './key-offers'
import type { KeyVault } from './key-vault'
import { localServerAt } from './local-servers'
import { type Freshness, openModels } from './models'
import { modelsCache } from './models-cache'
import { changeOfContext, changeOfHome, type ModelChoice } from './models-choose'
import type { Fetch } from './models-list'
import { writeLocal } from './models-local'
import type { SettingsFile } from './preferences'
import { openProviders, type Providers } from './providers'
import type { Settings } from './settings'

export interface ModelDeskDeps {
  readonly disk: Disk
  readonly home: string
  /** Where caches are kept; need not exist. */
  readonly cacheFolder: string
  readonly file: SettingsFile
  readonly vault: KeyVault
  readonly environment: Environment
  /** What is shown, the practice model included. */
  readonly settings: Pick<Settings, 'view'>
  /** What holds while the practice model does not answer. */
  readonly plain: Pick<Settings, 'endpoint'>
  readonly newId: () => string
  readonly now: () => number
  readonly fetch?: Fetch | undefined
}

/** Where models are chosen: providers, their lists, and the choice for a home or a conversation of it. */
export interface ModelDesk {
  readonly providers: Providers
  /** @throws AppError `bad-argument` for an address that is none of the providers' */
  list(baseUrl: string, freshness: Freshness): Promise<ModelList>
  prices(models: readonly string[]): Promise<ReadonlyMap<string, Priced>>
  /**
   * Chooses for the home, or for the conversation with this key; gives the settings that hold there then.
   *
   * @throws AppError `bad-argument`, `read-only`, `not-found`, `disk-full`, `io`
   */
  choose(choice: ModelChoice, key?: string): Promise<SettingsView>
}

export function openModelDesk(deps: ModelDeskDeps): ModelDesk {
  const { disk, home, file, plain, settings, environment } = deps
  const providers = openProviders({
    file,
    vault: deps.vault,
    endpoint: (run) => plain.endpoint(undefined, run),
    newId: deps.newId,
    concessions: concessionMemory(disk, deps.cacheFolder, deps.now),
  })
  const addresses = async () => (await providers.addresses()).map(({ baseUrl }) => baseUrl)
  const isKnown = async (baseUrl: string) =>
    localServerAt(baseUrl) !== undefined || (await addresses()).includes(baseUrl)
  const models = openModels({
    cache: modelsCache(disk, deps.cacheFolder),
    endpoint: (run) => plain.endpoint(undefined, run),
    isKnown,
    now: deps.now,
    fetch: deps.fetch,
  })

  async function chooseForContext(choice: ModelChoice, key: string): Promise<SettingsView> {
    const { source, key: context } = partsOf(key)
    if (source !== 'chibi')
      throw new AppError('read-only', 'Only conversations of this home have a model of their own.')
    const now = await plain.endpoint(context)
    const local = await readLocal(disk, home, context)
    const values = changeOfContext(choice, now, local, environment)
    await writeLocal(disk, home, context, {
      model: values.model,
      ...(values.baseUrl === undefined ? {} : { base_url: values.baseUrl }),
    })
    // While the practice model answers for every context, nobody else does.
    await file.change({ provider: 'endpoint', recentModel: choice })
    return settings.view(context)
  }

  return {
    providers,
    list: (baseUrl, freshness) => models.list(baseUrl, freshness),
    prices: async (ids) => models.prices(ids, await addresses()),
    async choose(choice, key) {
      if (!(await isKnown(choice.baseUrl)))
        throw new AppError('bad-argument', 'That address is none of the providers.')
      if (key !== undefined) return chooseForContext(choice, key)
      await file.change(changeOfHome(choice, await plain.endpoint()))
      return settings.view()
    },
  }
}
