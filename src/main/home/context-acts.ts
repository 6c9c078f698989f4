import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { compactContext } from '../llm/compaction'
import type { Runs } from '../llm/run/runs'
import { systemClock } from '../llm/timing/clock'
import type { Store } from '../store/store'
import { noHooks } from '../tools/hooks/hooks'
import { type ContextTools, openContextTools } from './context-tools'
import type { BusyContexts } from './contexts/busy-contexts'
import { type OpenCompactions, openCompactions } from './contexts/compactions'
import { type HomeContexts, openHomeContexts } from './contexts/contexts'
import type { HomeModels } from './home-models'
import type { HomeReading } from './home-reading'
import type { HomeSetup } from './home-setup'

/** Everything that a person does with the contexts of a home besides asking a model. */
export interface ContextActs {
  readonly contexts: HomeContexts & { close(): void }
  readonly compactions: OpenCompactions
  readonly tools: ContextTools
}

interface ContextActsDeps {
  readonly setup: HomeSetup
  readonly store: Store
  readonly busy: BusyContexts
  readonly runs: Pick<Runs, 'start' | 'isRunning' | 'released'>
  readonly models: HomeModels
  /** The reading of the home now; another one once other roots are read. */
  readonly reading: () => Pick<HomeReading, 'library' | 'families'>
  /** A context has changed on the disk. */
  readonly changed: (key: string) => Promise<void>
  readonly appended: (key: LibraryKey) => Promise<void>
}

/** Opens a person's acts on the contexts of a home. */
export function openContextActs(deps: ContextActsDeps): ContextActs {
  const { setup, store, busy, runs, models, reading, changed } = deps
  const { disk, settings, userFolder, cacheFolder, events = {}, note } = setup
  const { hooks = noHooks, moreTools, contextLength, logsRequests, isFollowed = true } = setup
  const { endpoint, provider } = models

  const contexts = openHomeContexts({
    store,
    busy,
    hooks,
    runs,
    events: {
      renamed(told) {
        events.contextRenamed?.(told)
        // They name the conversation.
        events.labelsChanged?.()
      },
      destroyed: (told) => events.contextDestroyed?.(told),
      archivedChanged: events.archivedChanged,
      notesChanged: (notes) => events.notesChanged?.(notes),
    },
    changed,
    async left(key) {
      if (!isFollowed) return
      await reading().library.refresh(key)
      await reading().library.forget(key)
      reading().families.look()
    },
  })
  const compacting = {
    disk,
    store,
    endpoint,
    runSettings: models.prepared.runSettings,
    provider,
    clock: systemClock,
    hooks,
    contextLength,
    logsRequests,
    note,
  }
  const compactions = openCompactions({
    steps: (wish, signal) => busy.through(wish.context, compactContext(wish, compacting, signal)),
    isRunning: (context) => runs.isRunning(context),
    released: (context) => runs.released(context),
    changed: (compaction) => events.compactionChanged?.(compaction),
    appended: deps.appended,
  })
  const ownFolders = [userFolder, cacheFolder]
  const tools = openContextTools({ disk, store, settings, hooks, ownFolders, moreTools, note })
  return { contexts, compactions, tools }
}
