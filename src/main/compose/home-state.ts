import { randomUUID } from 'node:crypto'
import { mostShownCharacters } from '../../shared/model/basics/weight'
import type { RootsFrom } from '../../shared/model/settings/source-roots'
import type { Home } from '../home/home'
import type { HomeSetup } from '../home/home-setup'
import { openHome } from '../home/open-home'
import { openPlugins, type Plugins } from '../plugins/plugins'
import { knownContextLength } from '../settings/context-length'
import { type ModelCatalog, openModelCatalog } from '../settings/model-catalog'
import { openSettings, type Settings } from '../settings/settings'
import type { KeyVault } from '../settings/stored/key-vault'
import type { SettingsFile } from '../settings/stored/settings-file'
import { builtInNames } from '../tools/index'
import { homeProblem } from './choose-home'
import type { SourcesSession } from './sources/sources-session'

/** Time after which a first list is shown though not all of it is found: longer than a small library takes. In ms. */
const rowsAfterMs = 1000

/**
 * State of the app window: a home, and what is open of it. `session` is undefined for a home that was not chosen, or
 * cannot be read.
 */
export interface HomeState {
  readonly home: string
  readonly sample: boolean
  readonly settings: Settings
  readonly models: ModelCatalog
  readonly plugins: Plugins | undefined
  readonly session: Home | undefined
  /** Why the home cannot be read, in words. */
  readonly problem: string | undefined
}

/** Dependencies of a home's state that are the same for every home. */
export interface HomeStateDeps
  extends Omit<
    HomeSetup,
    | 'home'
    | 'roots'
    | 'rowsAfterMs'
    | 'readers'
    | 'isPartial'
    | 'settings'
    | 'hooks'
    | 'moreTools'
    | 'knownTools'
    | 'logsRequests'
    | 'titlesBy'
    | 'contextLength'
  > {
  /** Where Skein's own files lie. */
  readonly userFolder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly vault: KeyVault
  /** Skein's own settings: one for all who change them. */
  readonly settingsFile: SettingsFile
  /** Starts the practice model if it does not run, and gives its base URL. */
  readonly practice: () => Promise<string>
  readonly sources: SourcesSession
  readonly rootsFrom: (sample: boolean) => RootsFrom
  /** Plugins changed, ran or failed. */
  readonly pluginsChanged: () => void
}

/** Opens a home in the window, as far as it was chosen and can be read. */
export async function openHomeState(
  deps: HomeStateDeps,
  home: string,
  isChosen: boolean,
  sample: boolean,
): Promise<HomeState> {
  const { disk, userFolder, vault, environment, sources, settingsFile: file } = deps
  const of = { disk, home, vault, environment, file }
  const settings = openSettings({ ...of, folder: userFolder, practice: deps.practice })
  const models = openModelCatalog({
    ...of,
    cacheFolder: deps.cacheFolder,
    settings,
    plain: openSettings({ ...of, folder: userFolder }),
    newId: randomUUID,
    now: Date.now,
  })
  const problem = await homeProblem(disk, home)
  let session: Home | undefined
  const isRead = isChosen && problem === undefined
  const roots = await sources.enter(deps.rootsFrom(sample), isRead, (now) => session?.reopen(now))
  if (!isRead)
    return { home, sample, settings, models, plugins: undefined, session: undefined, problem }

  // Nothing of them runs before it was trusted in Settings.
  const plugins = openPlugins({
    home,
    userFolder,
    environment,
    builtInNames: builtInNames(disk, home),
    noted: deps.pluginsChanged,
  })
  session = openHome({
    ...deps,
    home,
    roots,
    rowsAfterMs,
    readers: sources.readers,
    isPartial: (source) => sources.isPartial(source),
    settings,
    mostSentCharacters: mostShownCharacters,
    hooks: plugins.hooks,
    moreTools: (_, signal) => plugins.tools(signal),
    knownTools: () => plugins.knownTools(),
    contextLength: (endpoint) => knownContextLength(models, endpoint),
    async titlesBy() {
      const { titles, titleModel } = (await file.read()).stored.preferences
      return { isAllowed: titles, model: titleModel || undefined }
    },
    logsRequests: async () => (await file.read()).stored.preferences.logRequests,
  })
  return { home, sample, settings, models, plugins, session, problem }
}

/** Ends the runs, waits until what came is on the disk, then ends the plugins, whose hooks were called for it. */
export async function closeHomeState({ session, plugins }: HomeState): Promise<void> {
  try {
    await session?.close()
  } finally {
    await plugins?.close()
  }
}
