import type { Contract } from '../../shared/ipc/contract'
import type { Emitters } from '../../shared/ipc/primitives'
import type { SourceId } from '../../shared/model/conversation'
import type { Disk } from '../disk/disk'
import type { ConsentDesk } from '../ipc/completion'
import type { OpenHome } from '../ipc/open-home'
import type { History } from '../library/histories'
import type { LibraryRoot } from '../library/roots'
import { systemClock } from '../llm/clock'
import type { Compacted, CompactionStep } from '../llm/compaction/compact'
import { compactContext, type ManualCompaction } from '../llm/compaction/manual'
import { streamOf } from '../llm/openai'
import { openPreparation } from '../llm/prepare'
import { openRuns } from '../llm/runs'
import type { Endpoint } from '../settings/model-choice'
import type { Settings } from '../settings/settings'
import { openStore } from '../store/open-store'
import type { Store } from '../store/store'
import { type Hooks, noHooks } from '../tools/hooks'
import type { Tool } from '../tools/tool'
import { openConsents } from './consents'
import { openReading, type Reading } from './reading'

/** What a home tells the window, and what it is built from. */
export interface HomeDeps {
  readonly disk: Disk
  /** Absolute; need not exist. */
  readonly home: string
  /** Where other systems keep their histories. */
  readonly roots: readonly LibraryRoot[]
  /** By which those are listed and read. */
  readonly readers: readonly History['reader'][]
  /** Whether a root of a source was not looked at whole: what was not found there is not taken for gone. */
  readonly isPartial: (source: SourceId) => boolean
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
  /** The built `count.worker.cjs`. */
  readonly countWorker: string
  /** Has the transcript on the screen read on; resolves when the window has been told. */
  readonly poke: (key: string) => Promise<void>
  /** Who is heard at the points of its runs; nobody where it is absent. */
  readonly hooks?: Hooks | undefined
  /** Tools of a context's runs besides the built-in ones. */
  readonly moreTools?:
    | ((context: string, signal?: AbortSignal) => Promise<readonly Tool[]>)
    | undefined
  /** Whether the requests of a context are taken down. */
  readonly logsRequests?: ((context: string) => Promise<boolean>) | undefined
  /** The window of an endpoint's model in tokens, where that is known. Never rejects. */
  readonly contextLength?: ((endpoint: Endpoint) => Promise<number | undefined>) | undefined
  /** Takes note of what a writer noticed and mended, and of faults that no call answers for. */
  readonly note: (words: string) => void
}

/** A home that is open in the window. */
export interface HomeSession extends OpenHome {
  /** Where a person's word is given on the calls of its runs. */
  readonly consents: ConsentDesk
  /** Makes room in a context's window; see compactContext. */
  compact(
    wish: ManualCompaction,
    signal: AbortSignal,
  ): AsyncGenerator<CompactionStep, Compacted, void>
  /**
   * Reads other systems' histories under these roots from now on. Runs and the transcript on the screen go on; whoever
   * shows the list asks for it again.
   */
  reopen(roots: readonly LibraryRoot[]): void
  /** Stops its runs, waits until their entries are on the disk, and lets everything go. */
  close(): Promise<void>
}

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
  const refresh = (key: string) =>
    reading.library.refresh(key).catch((error: unknown) => deps.note(`library: ${String(error)}`))
  const consents = openConsents(deps.completion)
  const preparation = openPreparation({
    disk,
    store,
    runSettings: (context, run) => settings.runSettings(context, run),
    hooks: deps.hooks,
    moreTools: deps.moreTools,
    logsRequests: deps.logsRequests,
    contextLength: deps.contextLength,
    note: deps.note,
  })
  const provider = streamOf
  const runs = openRuns({
    store,
    prepare: (request) => preparation.prepare(request),
    hear: (context, text, signal) => preparation.hear(context, text, signal),
    consent: (question, signal) => consents.ask(question, signal),
    endpoint: (context) => settings.endpoint(context),
    provider,
    tellDelta: deps.completion.delta,
    tellProgress: deps.completion.state,
    async appended(key) {
      await deps.poke(key)
      void refresh(key)
    },
  })
  let recovered: Promise<void> | undefined
  const read = (roots: readonly LibraryRoot[]) =>
    openReading({
      ...deps,
      roots,
      store,
      runs,
      interrupted(names) {
        // Once a home: what is cut off later is the business of the run that it was.
        recovered ??= recoverAnswers(store, names, deps.note).then(async () => {
          for (const name of names) await refresh(name)
        })
      },
      isCurrent: (one) => one === reading,
    })
  let reading: Reading = read(deps.roots)
  /** What was read before other roots were: it ends on its own, and nobody waits for it but who closes the home. */
  let retired: Promise<void> = Promise.resolve()
  let counts = false
  let isClosed = false

  return {
    store,
    runs,
    consents,
    compact: (wish, signal) =>
      compactContext(
        wish,
        {
          disk,
          store,
          endpoint: (context) => settings.endpoint(context),
          runSettings: (context) => settings.runSettings(context),
          provider,
          clock: systemClock,
          hooks: deps.hooks ?? noHooks,
          contextLength: deps.contextLength,
          logsRequests: deps.logsRequests,
          note: deps.note,
        },
        signal,
      ),
    get histories() {
      return reading.histories
    },
    get transcripts() {
      return reading.transcripts
    },
    get library() {
      return reading.library
    },
    get branching() {
      return reading.branching
    },
    get families() {
      return reading.families
    },
    get search() {
      return reading.search
    },
    countInBackground() {
      if (counts) return
      counts = true
      reading.countInBackground()
    },
    reopen(roots) {
      const before = reading
      reading = read(roots)
      const now = reading
      retired = Promise.all([retired, before.close()])
        .catch((error: unknown) => deps.note(`library: ${String(error)}`))
        .then(() => {
          // Not before: the search index has one builder at a time.
          if (counts && !isClosed && now === reading) now.countInBackground()
        })
    },
    async close() {
      isClosed = true
      await recovered
      await runs.close()
      await preparation.close()
      consents.close()
      await reading.close()
      await retired
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
