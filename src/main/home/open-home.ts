import {
  contextNameFault,
  type LibraryKey,
  parseLibraryKey,
} from '../../shared/model/conversation/conversation'
import { openLabels } from '../library/families/labels'
import { openTitles } from '../library/families/titles'
import { compactContext } from '../llm/compaction'
import { streamOf } from '../llm/provider/openai'
import { openPreparation, type PreparationDeps } from '../llm/run/prepare'
import { openRuns } from '../llm/run/runs'
import { openSentReader } from '../llm/sent/sent-reader'
import { systemClock } from '../llm/timing/clock'
import { draftTokens, measureContextWindow, openTokenizers } from '../llm/tokens'
import type { Endpoint } from '../settings/endpoint/endpoint'
import { openAdjustmentMemory } from '../settings/stored/request-adjustments'
import { openStore } from '../store/open-store'
import { noHooks } from '../tools/hooks/hooks'
import { openLifecycle } from '../tools/hooks/lifecycle'
import { openApprovals } from './approvals'
import { openContextTools } from './context-tools'
import { openBusyContexts, recoverAnswers } from './contexts/busy-contexts'
import { openCompactions } from './contexts/compactions'
import { openHomeContexts } from './contexts/contexts'
import { openFeed } from './feed'
import { openHomeLabels } from './given/labels'
import { openHomeTitles } from './given/titles'
import type { Home } from './home'
import { openReadings } from './home-reading'
import type { HomeSetup } from './home-setup'
import { openModelTitles } from './model-titles'
import { runOnce } from './one-run'
import { presentFamilies, presentStatistics } from './present-reading'
import { tokensWith } from './workers'

/**
 * Opens a home: builds everything that belongs to it, and connects it.
 *
 * Touches nothing in the home but where an answer of ours was cut off by a crash: it becomes an entry when the library
 * has been listed for the first time.
 */
export function openHome(setup: HomeSetup): Home {
  const { disk, home, settings, userFolder, cacheFolder, events = {}, note } = setup
  const { hooks = noHooks, moreTools, contextLength, logsRequests, titlesBy } = setup
  const { isFollowed = true, isVerbose = false } = setup
  const ownFolders = [userFolder, cacheFolder]
  let isClosed = false

  const store = openStore({
    home,
    disk,
    storagePolicy: (context) => settings.storagePolicy(context),
    heartbeatSeconds: () => settings.lockHeartbeatSeconds(),
    noticed: (context, notice) => note(`${context}: ${notice}`),
  })
  const given = openTitles({ disk, home, userFolder, note })
  const givenLabels = openLabels({ disk, home, userFolder, note })

  // Events of what is on the disk come from here alone: from the feed and the rows of the library, which read it back.
  async function changed(key: string): Promise<void> {
    if (isFollowed) await readings.now().library.refresh(key)
  }
  const refresh = (key: string) =>
    changed(key).catch((error: unknown) => note(`library: ${String(error)}`))
  async function appended(key: LibraryKey): Promise<void> {
    await feed.poke(key)
    void refresh(key)
  }
  async function titleChanged(key: LibraryKey): Promise<void> {
    await refresh(key)
    readings.now().families.look()
  }
  const busy = openBusyContexts(refresh)

  // Plugins, as they hear of this program.
  const lifecycle = openLifecycle({
    hooks,
    async facts(context, signal) {
      // A name that no context can have leads to no file.
      const isName = context !== undefined && contextNameFault(context) === undefined
      const { allowedPaths } = await settings.runSettings(isName ? context : undefined)
      const current = context ?? (await store.contexts.session()).current ?? ''
      return {
        chibi_home: home,
        project_root: allowedPaths[0] ?? home,
        tool_count: (await moreTools?.(current, signal))?.length ?? 0,
        current_context: current,
        verbose: isVerbose,
      }
    },
    before: setup.contextBefore,
  })
  if (isFollowed) void lifecycle.start()

  // Models: how they are asked, and by what.
  const concessions = openAdjustmentMemory(disk, cacheFolder)
  const provider = (endpoint: Endpoint) => streamOf(endpoint, concessions)
  const tokens = tokensWith(setup.workers)
  const tokenizers = openTokenizers(tokens.ask, note)
  const endpoint = (context: string) => settings.endpoint(context)
  const prepared: PreparationDeps = {
    lifecycle,
    disk,
    ownFolders,
    store,
    runSettings: (context, run) => settings.runSettings(context, run),
    hooks,
    moreTools,
    logsRequests,
    contextLength,
    tokenizers,
    note,
  }
  const preparation = openPreparation(prepared)

  // Runs, and the approvals that they wait for.
  const approvals = openApprovals(
    {
      asked: (approval) => events.approvalAsked?.(approval),
      ended: (approval) => events.approvalEnded?.(approval),
    },
    setup.permissions ?? { ask: async () => undefined },
  )
  const runs = openRuns({
    store,
    prepare: (request) => preparation.prepare(request),
    hear: (context, text, signal) => preparation.hear(context, text, signal),
    consent: (question, signal) => approvals.ask(question, signal),
    endpoint,
    provider,
    tellDelta: (delta) => events.answerGrew?.(delta),
    tellProgress(progress) {
      events.runChanged?.(progress)
      automatic.heard(progress)
    },
    appended,
  })

  // What reads: over the roots of now, which may become others.
  let recovered: Promise<void> | undefined
  const readings = openReadings({
    ...setup,
    isFollowed,
    store,
    runs,
    titles: given,
    labels: givenLabels,
    events,
    isRunning: (key) => runs.isRunning(key) || busy.has(key),
    interrupted(names) {
      // Once a home: what is cut off later is the business of the run that it was.
      recovered ??= recoverAnswers(store, names, busy, note)
    },
  })
  const feed = openFeed(() => readings.now().transcripts, {
    appended: (told) => events.rowsAppended?.(told),
    changed: (told) => events.transcriptChanged?.(told),
    lock: (told) => events.lockChanged?.(told),
  })

  // Titles: a person's and a model's.
  const { titling, automatic } = openModelTitles({
    disk,
    settings,
    store,
    given,
    provider,
    reading: () => readings.now(),
    titlesBy,
    logsRequests,
    changed: titleChanged,
    note,
  })
  const titles = openHomeTitles({
    library: () => readings.now().library,
    given,
    titling,
    changed: titleChanged,
  })

  const labels = openHomeLabels({
    given: givenLabels,
    transcripts: () => readings.now().transcripts,
    changed() {
      events.labelsChanged?.()
      readings.now().families.look()
    },
  })

  // A person's acts on contexts.
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
      await readings.now().library.refresh(key)
      await readings.now().library.forget(key)
      readings.now().families.look()
    },
  })
  const compactions = openCompactions({
    steps: (wish, signal) =>
      busy.through(
        wish.context,
        compactContext(
          wish,
          {
            disk,
            store,
            endpoint: (context, run) => settings.endpoint(context, run),
            runSettings: (context, run) => settings.runSettings(context, run),
            provider,
            clock: systemClock,
            hooks,
            contextLength,
            logsRequests,
            note,
          },
          signal,
        ),
      ),
    isRunning: (context) => runs.isRunning(context),
    released: (context) => runs.released(context),
    changed: (compaction) => events.compactionChanged?.(compaction),
    appended,
  })
  const tools = openContextTools({ disk, store, settings, hooks, ownFolders, moreTools, note })
  const sent = openSentReader({
    disk,
    home,
    runSettings: (context) => settings.runSettings(context),
    endpoint,
    moreTools,
    tokenizers,
    mostCharacters: setup.mostSentCharacters,
  })

  function unfollow(): void {
    feed.close()
    contexts.close()
  }

  return {
    path: home,
    get library() {
      return readings.now().library
    },
    get histories() {
      return readings.now().histories
    },
    get transcripts() {
      return readings.now().transcripts
    },
    get search() {
      return readings.now().search
    },
    families: presentFamilies(readings),
    statistics: presentStatistics(readings),
    get branching() {
      return readings.now().branching
    },
    get exports() {
      return readings.now().exports
    },
    get comparisons() {
      return readings.now().comparisons
    },
    feed: {
      page: feed.page,
      async follow(key) {
        await feed.follow(key)
        // A person opened it: plugins hear of a switch where it is another context of the home.
        if (key === null || isClosed) return
        const { source, key: name } = parseLibraryKey(key)
        if (source === 'chibi') void lifecycle.enter(name)
      },
    },
    titles,
    labels,
    contexts,
    runs,
    approvals,
    runOnce: (one, signal) =>
      runOnce(
        {
          preparation: prepared,
          store,
          endpoint: (context, run) => settings.endpoint(context, run),
          provider,
        },
        one,
        signal,
      ),
    tools,
    enter: (context, signal) => lifecycle.enter(context, signal),
    compactions,
    sent,
    sizeOfRequest: async (context) =>
      measureContextWindow(context, await endpoint(context), {
        disk,
        store,
        runSettings: (name) => settings.runSettings(name),
        tokenizers,
        knownTools: setup.knownTools,
        contextLength,
      }),
    async sizeOfDraft(context, text, images) {
      const { model } = await endpoint(context)
      return draftTokens(text, images, tokenizers.counterFor(model.value))
    },
    countInBackground: () => readings.countInBackground(),
    reopen: (roots) => readings.reopen(roots),
    unfollow,
    async close() {
      isClosed = true
      unfollow()
      await compactions.close()
      await titles.close()
      await recovered
      await runs.close()
      await automatic.close()
      await lifecycle.end()
      approvals.close()
      await readings.close()
      await tokens.close()
    },
  }
}
