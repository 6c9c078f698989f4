import path from 'node:path'
import type { Contract } from '../../shared/ipc/contract'
import type { Emitters } from '../../shared/ipc/primitives'
import type { Disk } from '../disk/disk'
import { shownPath } from '../disk/shown-path'
import type { OpenHome } from '../ipc/open-home'
import { openBranching } from '../library/branching'
import { threadFamilies } from '../library/families-thread'
import { openHistories } from '../library/histories'
import { openLibrary } from '../library/library'
import type { LibraryRoot } from '../library/roots'
import { openTranscripts } from '../library/transcripts'
import { openAiStream } from '../llm/openai'
import { openRuns } from '../llm/runs'
import { scanWidth, threadWorkers } from '../search/workers'
import type { Settings } from '../settings/settings'
import { openStore } from '../store/open-store'
import type { Store } from '../store/store'
import { openHomeSearch } from './search'

/** What a home tells the window, and what it is built from. */
export interface HomeDeps {
  readonly disk: Disk
  /** Absolute; need not exist. */
  readonly home: string
  /** Where other systems keep their histories. */
  readonly roots: readonly LibraryRoot[]
  /** Where caches are kept; need not exist. */
  readonly cacheFolder: string
  readonly settings: Settings
  readonly library: Emitters<Contract['library']>
  readonly completion: Emitters<Contract['completion']>
  readonly branches: Emitters<Contract['branches']>
  readonly search: Emitters<Contract['search']>
  /** The built `families.worker.cjs`. */
  readonly familiesWorker: string
  /** The built `search.worker.cjs`. */
  readonly searchWorker: string
  /** Has the transcript on the screen read on; resolves when the window has been told. */
  readonly poke: (key: string) => Promise<void>
  /** Takes note of what a writer noticed and mended, and of faults that no call answers for. */
  readonly note: (words: string) => void
}

/** A home that is open in the window. */
export interface HomeSession extends OpenHome {
  /** Stops its runs, waits until their entries are on the disk, and lets everything go. */
  close(): Promise<void>
}

/** Conversations above this are counted when they are opened, not in the background. In bytes. */
const countedInBackgroundBytes = 64 << 20

/**
 * Builds everything that belongs to one home, and connects it.
 *
 * Touches nothing in the home but where an answer of ours was cut off by a crash: it becomes an entry when the library
 * has been listed for the first time.
 */
export function openHome(deps: HomeDeps): HomeSession {
  const { disk, home, settings } = deps
  const store = openStore({
    home,
    disk,
    storagePolicy: (context) => settings.storagePolicy(context),
    heartbeatSeconds: () => settings.lockHeartbeatSeconds(),
    noticed: (context, notice) => deps.note(`${context}: ${notice}`),
  })
  const histories = openHistories(disk, deps.roots, deps.note)
  const transcripts = openTranscripts({ disk, store, histories })
  let recovered: Promise<void> = Promise.resolve()
  const library = openLibrary({
    disk,
    store,
    shownHome: shownPath(home),
    histories,
    cacheFolder: deps.cacheFolder,
    note: deps.note,
    interrupted: (names) => {
      recovered = recoverAnswers(store, names, deps.note).then(async () => {
        for (const name of names) await refresh(name)
      })
    },
    isRunning: (key) => runs.isRunning(key),
    changed(change) {
      const { conversations, gone } = change
      deps.library.changed({ conversations: [...conversations], gone: [...gone] })
      families.look()
      search.changed(change)
    },
  })
  const { roots, cacheFolder } = deps
  const families = threadFamilies(deps.familiesWorker, { home, roots, cacheFolder }, () =>
    deps.branches.changed({}),
  )
  const search = openHomeSearch({
    disk,
    library,
    cacheFolder: path.join(cacheFolder, 'search'),
    workers: threadWorkers(deps.searchWorker, scanWidth()),
    tellIndex: (state) => deps.search.index(state),
    note: deps.note,
  })
  const refresh = (key: string) =>
    library.refresh(key).catch((error: unknown) => deps.note(`library: ${String(error)}`))
  const runs = openRuns({
    store,
    endpoint: (context) => settings.endpoint(context),
    provider: ({ baseUrl, apiKey }) =>
      openAiStream({ baseUrl: baseUrl.value, apiKey: apiKey?.value.reveal() }),
    tellDelta: deps.completion.delta,
    tellProgress: deps.completion.state,
    async appended(key) {
      await deps.poke(key)
      void refresh(key)
    },
  })
  const branching = openBranching({
    store,
    histories,
    disk,
    ask: (beginning, request) => runs.startIn(beginning, request),
    async created(key) {
      await refresh(key)
      families.look()
    },
  })
  const counting = new AbortController()
  let counted = false

  return {
    store,
    histories,
    transcripts,
    library,
    runs,
    branching,
    families,
    search,
    countInBackground() {
      if (counted) return
      counted = true
      search.buildInBackground()
      library
        .countAll(countedInBackgroundBytes, counting.signal)
        .catch((error: unknown) => deps.note(`counting: ${String(error)}`))
    },
    async close() {
      counting.abort()
      await recovered
      await runs.close()
      await search.close()
      await library.close()
      await families.close()
    },
  }
}

/** Makes entries of the answers that a crash cut off in these contexts. */
async function recoverAnswers(
  store: Store,
  names: readonly string[],
  note: (words: string) => void,
): Promise<void> {
  for (const name of names) {
    try {
      const writer = await store.openWriter(name, { create: false, waitMs: 0 })
      await writer.close()
    } catch (error) {
      note(`${name}: an interrupted answer waits to be kept: ${String(error)}`)
    }
  }
}
