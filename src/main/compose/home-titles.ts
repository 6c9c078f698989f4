import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { Disk } from '../disk/interface/disk'
import { openTitles } from '../library/families/titles'
import type { ProviderStream } from '../llm/provider/openai'
import { systemClock } from '../llm/timing/clock'
import { type AutomaticTitles, automaticTitles, openTitling, type Titling } from '../llm/titles'
import type { Endpoint } from '../settings/endpoint/endpoint'
import type { Settings } from '../settings/settings'
import type { TitleStore } from '../store/given-titles'
import type { Store } from '../store/store'
import { branchBeginningOf } from './branch-beginning'
import type { HomeReading } from './reading'

export interface HomeTitlesDeps {
  readonly disk: Disk
  /** Absolute; need not exist. */
  readonly home: string
  /** Where Skein's own files of a person lie: titles of other systems' conversations; need not exist. */
  readonly userFolder: string
  /** Whether the model titles conversations by itself, and which one does; none, and the conversation's own, without it. */
  readonly titlesBy?:
    | (() => Promise<{ readonly isAllowed: boolean; readonly model: string | undefined }>)
    | undefined
  readonly settings: Settings
  /** Whether the requests of a context are taken down. */
  readonly logsRequests?: ((context: string) => Promise<boolean>) | undefined
  /** Takes note of what a writer noticed and mended, and of faults that no call answers for. */
  readonly note: (words: string) => void
}

/** The titles of the conversations that a home's window shows. */
export interface HomeTitles {
  /** What was given so far. */
  readonly titles: TitleStore
  readonly titling: Titling
  /** Gives those titles that nobody has to ask for. */
  readonly automatic: AutomaticTitles
  /** Tells whoever shows a conversation that it has another title. */
  titled(key: LibraryKey): Promise<void>
}

/** @param reading what is read now; another one once other roots are */
export function openHomeTitles(
  deps: HomeTitlesDeps,
  store: Store,
  provider: (endpoint: Endpoint) => ProviderStream,
  reading: () => HomeReading,
  refresh: (key: string) => Promise<void>,
): HomeTitles {
  const { disk, home, settings, userFolder, titlesBy, note } = deps
  const titles = openTitles({ disk, home, userFolder, note })
  const titling = openTitling({
    disk,
    home,
    titles,
    transcripts: () => reading().transcripts,
    ownPart: (key) => branchBeginningOf(reading().families, key),
    endpoint: (context, run) => settings.endpoint(context, run),
    runSettings: (context, run) => settings.runSettings(context, run),
    model: async () => (await titlesBy?.())?.model,
    provider,
    clock: systemClock,
    logsRequests: deps.logsRequests,
    note,
  })
  async function titled(key: LibraryKey): Promise<void> {
    await refresh(key)
    reading().families.look()
  }
  const automatic = automaticTitles({
    isAllowed: async () => (await titlesBy?.())?.isAllowed ?? false,
    transcripts: () => reading().transcripts,
    formerNames: (context) => store.contexts.formerNames(context),
    ask: (key, signal) => titling.ask(key, false, signal),
    titled: (key) => void titled(key),
    note,
  })
  return { titles, titling, automatic, titled }
}
