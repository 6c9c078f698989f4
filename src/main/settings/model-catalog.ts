import { AppError } from '../../shared/model/basics/errors'
import { parseLibraryKey } from '../../shared/model/conversation/conversation'
import type { Priced } from '../../shared/model/run/usage'
import type { ListedModels } from '../../shared/model/settings/model-info'
import type { VisibleSettings } from '../../shared/model/settings/settings'
import type { Disk } from '../disk/interface/disk'
import { readContextConfig } from './config/home-config'
import type { Environment } from './endpoint/candidates'
import { contextModelChange, homeModelChange, type ModelChoice } from './models/choose-model'
import type { ModelsFetch } from './models/fetch-models'
import { localServerAt } from './models/local-servers'
import { type ListFreshness, openModelLists } from './models/model-lists'
import { openModelsCache } from './models/models-cache'
import { openProviders, type Providers } from './models/providers'
import { writeLocalToml } from './models/write-local-toml'
import type { Settings } from './settings'
import type { KeyVault } from './stored/key-vault'
import { openAdjustmentMemory } from './stored/request-adjustments'
import type { SettingsFile } from './stored/settings-file'

/** Everything that a model catalog needs. */
export interface ModelCatalogDeps {
  readonly disk: Disk
  readonly home: string
  /** Where caches are kept; need not exist. */
  readonly cacheFolder: string
  readonly file: SettingsFile
  readonly vault: KeyVault
  readonly environment: Environment
  /** The settings as shown, the practice model included. */
  readonly settings: Pick<Settings, 'view'>
  /** The settings without the practice model. */
  readonly plain: Pick<Settings, 'endpoint'>
  readonly newId: () => string
  readonly now: () => number
  readonly fetch?: ModelsFetch | undefined
}

/** The model catalog: providers, their lists of models, and the choice for a home or one of its conversations. */
export interface ModelCatalog {
  readonly providers: Providers
  /** @throws AppError `bad-argument` for an address that is none of the providers' */
  list(baseUrl: string, freshness: ListFreshness): Promise<ListedModels>
  prices(models: readonly string[]): Promise<ReadonlyMap<string, Priced>>
  /**
   * Chooses for the home, or for the conversation with this key; gives the settings that hold there then.
   *
   * @throws AppError `bad-argument`, `read-only`, `not-found`, `disk-full`, `io`
   */
  choose(choice: ModelChoice, key?: string): Promise<VisibleSettings>
}

/** Returns the model catalog of a home. Reads nothing yet. */
export function openModelCatalog(deps: ModelCatalogDeps): ModelCatalog {
  const { disk, home, file, plain, settings, environment } = deps
  const providers = openProviders({
    file,
    vault: deps.vault,
    endpoint: (run) => plain.endpoint(undefined, run),
    newId: deps.newId,
    concessions: openAdjustmentMemory(disk, deps.cacheFolder, deps.now),
  })
  const addresses = async () => (await providers.addresses()).map(({ baseUrl }) => baseUrl)
  const isKnown = async (baseUrl: string) =>
    localServerAt(baseUrl) !== undefined || (await addresses()).includes(baseUrl)
  const models = openModelLists({
    cache: openModelsCache(disk, deps.cacheFolder),
    endpoint: (run) => plain.endpoint(undefined, run),
    isKnown,
    now: deps.now,
    fetch: deps.fetch,
  })

  async function chooseForContext(choice: ModelChoice, key: string): Promise<VisibleSettings> {
    const { source, key: context } = parseLibraryKey(key)
    if (source !== 'chibi')
      throw new AppError('read-only', 'Only conversations of this home have a model of their own.')
    const now = await plain.endpoint(context)
    const local = await readContextConfig(disk, home, context)
    const values = contextModelChange(choice, now, local, environment)
    await writeLocalToml(disk, home, context, {
      model: values.model,
      ...(values.baseUrl === undefined ? {} : { base_url: values.baseUrl }),
    })
    // While the practice model answers for every context, no other model does.
    await file.change({ provider: 'endpoint', recentModel: choice })
    return settings.view(context)
  }

  return {
    providers,
    list: (baseUrl, freshness) => models.list(baseUrl, freshness),
    prices: async (ids) => models.prices(ids, await addresses()),
    async choose(choice, key) {
      if (!(await isKnown(choice.baseUrl)))
        throw new AppError('bad-argument', 'No provider has this address.')
      if (key !== undefined) return chooseForContext(choice, key)
      await file.change(homeModelChange(choice, await plain.endpoint()))
      return settings.view()
    },
  }
}
