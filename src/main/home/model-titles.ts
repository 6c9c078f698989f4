import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { ProviderStream } from '../llm/provider/openai'
import { systemClock } from '../llm/timing/clock'
import { automaticTitles, openTitling, type Titling } from '../llm/titles'
import type { Endpoint } from '../settings/endpoint/endpoint'
import type { TitleStore } from '../store/given-titles'
import type { Store } from '../store/store'
import { branchBeginningOf } from './branch-beginning'
import type { HomeReading } from './home-reading'
import type { HomeSetup } from './home-setup'

interface ModelTitlesDeps
  extends Pick<HomeSetup, 'disk' | 'settings' | 'titlesBy' | 'logsRequests' | 'note'> {
  readonly store: Pick<Store, 'home' | 'contexts'>
  readonly given: TitleStore
  readonly provider: (endpoint: Endpoint) => ProviderStream
  /** The present reading; another one once other roots are read. */
  readonly reading: () => Pick<HomeReading, 'transcripts' | 'families'>
  /** A conversation has another title; never rejects. */
  readonly changed: (key: LibraryKey) => Promise<void>
}

/** Opens the titles that models give: those that a person asks for, and those that nobody has to ask for. */
export function openModelTitles(deps: ModelTitlesDeps): {
  readonly titling: Titling
  readonly automatic: ReturnType<typeof automaticTitles>
} {
  const { disk, settings, store, reading, titlesBy, note } = deps
  const titling = openTitling({
    disk,
    home: store.home,
    titles: deps.given,
    transcripts: () => reading().transcripts,
    ownPart: (key) => branchBeginningOf(reading().families, key),
    endpoint: (context, run) => settings.endpoint(context, run),
    runSettings: (context, run) => settings.runSettings(context, run),
    model: async () => (await titlesBy?.())?.model,
    provider: deps.provider,
    clock: systemClock,
    logsRequests: deps.logsRequests,
    note,
  })
  const automatic = automaticTitles({
    isAllowed: async () => (await titlesBy?.())?.isAllowed ?? false,
    transcripts: () => reading().transcripts,
    formerNames: (context) => store.contexts.formerNames(context),
    ask: (key, signal) => titling.ask(key, false, signal),
    titled: (key) => void deps.changed(key),
    note,
  })
  return { titling, automatic }
}
