import type { Contract } from '../../shared/ipc/contract'
import type { Emitters } from '../../shared/ipc/wire/primitives'
import { mostShownCharacters } from '../../shared/model/basics/weight'
import {
  type LibraryKey,
  parseLibraryKey,
  type SourceId,
} from '../../shared/model/conversation/conversation'
import { WorkerClient } from '../disk/process/worker-client'
import type { ConsentDesk } from '../ipc/handlers/completion'
import type { WindowSizes } from '../ipc/handlers/window-size'
import type { OpenHome } from '../ipc/open-home'
import type { History } from '../library/sources/histories'
import type { LibraryRoot } from '../library/sources/roots'
import {
  type CompactionResult,
  type CompactionStep,
  compactContext,
  type ManualCompaction,
} from '../llm/compaction'
import { streamOf } from '../llm/provider/openai'
import { openPreparation } from '../llm/run/prepare'
import { openRuns } from '../llm/run/runs'
import { openSentReader, type SentReader } from '../llm/sent/sent-reader'
import { systemClock } from '../llm/timing/clock'
import {
  draftTokens,
  measureContextWindow,
  openTokenizers,
  type TokenAnswer,
  type TokenQuestion,
} from '../llm/tokens'
import type { Permissions } from '../permission/permissions'
import type { Endpoint } from '../settings/endpoint/endpoint'
import { openAdjustmentMemory } from '../settings/stored/request-adjustments'
import { openStore } from '../store/open-store'
import type { Store } from '../store/store'
import type { Tool, ToolDefinition } from '../tools/base/tool'
import { type Hooks, noHooks } from '../tools/hooks/hooks'
import { openLifecycle } from '../tools/hooks/lifecycle'
import { openConsents } from './consents'
import { type HomeTitlesDeps, openHomeTitles } from './home-titles'
import { openOwnWriting } from './own-writing'
import { type HomeReading, openHomeReading } from './reading'
import { recoverAnswers } from './recover'

/** What a home tells the window, and what it is built from. */
export interface HomeDeps extends HomeTitlesDeps {
  /** Where other systems keep their histories. */
  readonly roots: readonly LibraryRoot[]
  /** By which those are listed and read. */
  readonly readers: readonly History['reader'][]
  /** Whether a root of a source was not looked at whole: what was not found there is not taken for gone. */
  readonly isPartial: (source: SourceId) => boolean
  /** Where caches are kept; need not exist. */
  readonly cacheFolder: string
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
  /** The built `tokens.worker.cjs`. */
  readonly tokensWorker: string
  /** Has the transcript on the screen read on; resolves when the window has been told. */
  readonly poke: (key: string) => Promise<void>
  /** Who is heard at the points of its runs; nobody where it is absent. */
  readonly hooks?: Hooks | undefined
  /** Tools of a context's runs besides the built-in ones. */
  readonly moreTools?:
    | ((context: string, signal?: AbortSignal) => Promise<readonly Tool[]>)
    | undefined
  /** Tools of trusted plugins, as far as they are known without asking one. */
  readonly knownTools?: (() => readonly ToolDefinition[]) | undefined
  /** Where a person is asked, outside of the page. */
  readonly permissions: Pick<Permissions, 'ask'>
  /** The window of an endpoint's model in tokens, where that is known. Never rejects. */
  readonly contextLength?: ((endpoint: Endpoint) => Promise<number | undefined>) | undefined
}

/** A home that is open in the window. */
export interface HomeSession extends OpenHome, WindowSizes {
  /** Where a person's word is given on the calls of its runs. */
  readonly consents: ConsentDesk
  /** What models were sent in its contexts. */
  readonly sent: SentReader
  /** Makes room in a context's window; see compactContext. */
  compact(
    wish: ManualCompaction,
    signal: AbortSignal,
  ): AsyncGenerator<CompactionStep, CompactionResult, void>
  /**
   * Reads other systems' histories under these roots from now on. Runs and the transcript on the screen go on; whoever
   * shows the list asks for it again.
   */
  reopen(roots: readonly LibraryRoot[]): void
  /** A person opened a conversation in the window: plugins hear of a switch where it is another context of the home. */
  entered(key: LibraryKey): void
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
  const opened = openStore({
    home,
    disk,
    storagePolicy: (context) => settings.storagePolicy(context),
    heartbeatSeconds: () => settings.lockHeartbeatSeconds(),
    noticed: (context, notice) => deps.note(`${context}: ${notice}`),
  })
  const refresh = (key: string) =>
    reading.library.refresh(key).catch((error: unknown) => deps.note(`library: ${String(error)}`))
  const own = openOwnWriting(refresh)
  const store: Store = {
    ...opened,
    contexts: {
      ...opened.contexts,
      clear: (name, options) => own.during(name, () => opened.contexts.clear(name, options)),
    },
  }
  const consents = openConsents(deps.completion, deps.permissions)
  const tokens = new WorkerClient<TokenQuestion, TokenAnswer>(deps.tokensWorker)
  const tokenizers = openTokenizers((question) => tokens.ask(question), deps.note)
  const lifecycle = openLifecycle({
    hooks: deps.hooks ?? noHooks,
    async facts(context, signal) {
      const { allowedPaths } = await settings.runSettings(context)
      const current = context ?? (await store.contexts.session()).current
      return {
        chibi_home: home,
        project_root: allowedPaths[0] ?? home,
        tool_count: (await deps.moreTools?.(current ?? '', signal))?.length ?? 0,
        current_context: current ?? '',
        verbose: false,
      }
    },
  })
  void lifecycle.start()
  const preparation = openPreparation({
    lifecycle,
    disk,
    ownFolders: [deps.userFolder, deps.cacheFolder],
    store,
    runSettings: (context, run) => settings.runSettings(context, run),
    hooks: deps.hooks,
    moreTools: deps.moreTools,
    logsRequests: deps.logsRequests,
    contextLength: deps.contextLength,
    tokenizers,
    note: deps.note,
  })
  const concessions = openAdjustmentMemory(disk, deps.cacheFolder)
  const provider = (endpoint: Endpoint) => streamOf(endpoint, concessions)
  const { titles, titling, automatic, titled } = openHomeTitles(
    deps,
    store,
    provider,
    () => reading,
    refresh,
  )
  const runs = openRuns({
    store,
    prepare: (request) => preparation.prepare(request),
    hear: (context, text, signal) => preparation.hear(context, text, signal),
    consent: (question, signal) => consents.ask(question, signal),
    endpoint: (context) => settings.endpoint(context),
    provider,
    tellDelta: deps.completion.delta,
    tellProgress(progress) {
      deps.completion.state(progress)
      automatic.heard(progress)
    },
    async appended(key) {
      await deps.poke(key)
      void refresh(key)
    },
  })
  let recovered: Promise<void> | undefined
  const read = (roots: readonly LibraryRoot[]) =>
    openHomeReading({
      ...deps,
      roots,
      store,
      runs,
      isWritten: own.isWritten,
      titles,
      interrupted(names) {
        // Once a home: what is cut off later is the business of the run that it was.
        recovered ??= recoverAnswers(store, names, own, deps.note)
      },
      isCurrent: (one) => one === reading,
    })
  let reading: HomeReading = read(deps.roots)
  /** What was read before other roots were: it ends on its own, and nobody waits for it but who closes the home. */
  let retired: Promise<void> = Promise.resolve()
  let counts = false
  let isClosed = false

  return {
    store,
    runs,
    titling,
    tags: titles,
    titleFault: (key) => titles.faultOf(key),
    titled,
    consents,
    sent: openSentReader({
      disk,
      home,
      runSettings: (context) => settings.runSettings(context),
      endpoint: (context) => settings.endpoint(context),
      moreTools: deps.moreTools,
      tokenizers,
      mostCharacters: mostShownCharacters,
    }),
    compact: (wish, signal) =>
      own.through(
        wish.context,
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
      ),
    sizeOfWindow: async (context) =>
      measureContextWindow(context, await settings.endpoint(context), {
        disk,
        store,
        runSettings: (name) => settings.runSettings(name),
        tokenizers,
        knownTools: deps.knownTools,
        contextLength: deps.contextLength,
      }),
    async sizeOfDraft(context, text, images) {
      const { model } = await settings.endpoint(context)
      return draftTokens(text, images, tokenizers.counterFor(model.value))
    },
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
    entered(key) {
      const { source, key: name } = parseLibraryKey(key)
      if (source === 'chibi' && !isClosed) void lifecycle.enter(name)
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
      await automatic.close()
      await lifecycle.end()
      consents.close()
      await reading.close()
      await retired
      await tokens.close()
    },
  }
}
