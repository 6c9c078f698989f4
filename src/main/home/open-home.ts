import { type LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import { openLabels } from '../library/families/labels'
import { openTitles } from '../library/families/titles'
import { openRuns } from '../llm/run/runs'
import { openStore } from '../store/open-store'
import { openApprovals } from './approvals'
import { openContextActs } from './context-acts'
import { openBusyContexts, recoverAnswers } from './contexts/busy-contexts'
import { openFeed } from './feed'
import { openHomeLabels } from './given/labels'
import { openHomeTitles } from './given/titles'
import type { Home } from './home'
import { openHomeLifecycle } from './home-lifecycle'
import { openHomeModels } from './home-models'
import { openReadings } from './home-reading'
import type { HomeSetup } from './home-setup'
import { openMentions } from './mentions/mentions'
import { openModelTitles } from './model-titles'
import { runOnce } from './one-run'
import {
  presentFamilies,
  presentFinding,
  presentLandmarks,
  presentStatistics,
} from './present-reading'

/**
 * Opens a home: builds everything that belongs to it, and connects it.
 *
 * Touches nothing in the home but where an answer of ours was cut off by a crash: it becomes an entry when the library
 * has been listed for the first time.
 */
export function openHome(setup: HomeSetup): Home {
  const { disk, home, settings, userFolder, events = {}, note, isFollowed = true } = setup
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

  const lifecycle = openHomeLifecycle(setup, store)
  if (isFollowed) void lifecycle.start()
  const models = openHomeModels(setup, store, lifecycle)
  const { preparation, provider } = models
  const endpoint = (context: string) => models.endpoint(context)

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
    summarize: (left, signal) => models.summarize(left, signal),
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
    titlesBy: setup.titlesBy,
    logsRequests: setup.logsRequests,
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

  const mentions = openMentions({
    disk,
    home,
    ownFolders: [userFolder, setup.cacheFolder],
    settings,
    transcripts: () => readings.now().transcripts,
  })

  const { contexts, compactions, tools } = openContextActs({
    setup,
    store,
    busy,
    runs,
    models,
    reading: () => readings.now(),
    changed,
    appended,
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
    finding: presentFinding(readings),
    landmarks: presentLandmarks(readings),
    mentions,
    families: presentFamilies(readings),
    statistics: presentStatistics(readings),
    get branching() {
      return readings.now().branching
    },
    get exports() {
      return readings.now().exports
    },
    get continuing() {
      return readings.now().continuing
    },
    get comparisons() {
      return readings.now().comparisons
    },
    feed: {
      page: feed.page,
      followed: feed.followed,
      async follow(key, way) {
        await feed.follow(key, way)
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
    runOnce(one, signal) {
      const deps = { preparation: models.prepared, store, endpoint: models.endpoint, provider }
      return runOnce(deps, one, signal)
    },
    tools,
    enter: (context, signal) => lifecycle.enter(context, signal),
    compactions,
    sent: models.sent,
    sizeOfRequest: models.sizeOfRequest,
    sizeOfDraft: models.sizeOfDraft,
    countInBackground: () => readings.countInBackground(),
    reopen: (roots) => readings.reopen(roots),
    unfollow,
    async close() {
      isClosed = true
      unfollow()
      await compactions.close()
      await titles.close()
      await recovered
      // A branch on its way is made; a run that begins in it meanwhile is stopped as the others are.
      const branched = readings.now().branching.close()
      await runs.close()
      await branched
      await runs.close()
      await automatic.close()
      await lifecycle.end()
      approvals.close()
      await readings.close()
      await models.close()
    },
  }
}
