import path from 'node:path'
import { parseLibraryKey } from '../../shared/model/conversation/conversation'
import { type Branching, type BranchingDeps, openBranching } from '../library/branch/branching'
import type { Families } from '../library/families'
import type { LibraryStatistics } from '../library/statistics'
import { openTranscripts, type Transcripts } from '../library/transcripts'
import type { Runs } from '../llm/run/runs'
import type { Store } from '../store/store'
import { type Comparisons, openComparisons } from './comparison/comparisons'
import { type Conversations, type ConversationsSetup, openConversations } from './conversations'
import type { HomeEvents } from './events'
import { type Finding, openFinding } from './finding/finding'
import { type Landmarks, openLandmarks } from './landmarks/landmarks'
import { type HomeSearch, openHomeSearch } from './search'
import {
  comparerWith,
  familiesWith,
  finderWith,
  landmarkHolderWith,
  searchWith,
  statisticsWith,
} from './workers'

interface HomeReadingSetup extends Omit<ConversationsSetup, 'changed'> {
  readonly store: Store
  /** Where Skein's own files of a person lie. */
  readonly userFolder: string
  readonly runs: Pick<Runs, 'startIn'>
  readonly summarize: Required<BranchingDeps>['summarize']
  readonly events: Partial<HomeEvents>
  /** Whether it is what the home reads by: what an earlier one has found meanwhile makes no event. */
  readonly isCurrent: (reading: HomeReading) => boolean
}

/** Everything of a home that reads over a set of roots; other roots get another one. */
export interface HomeReading extends Conversations {
  readonly transcripts: Transcripts
  readonly families: Families
  readonly statistics: LibraryStatistics
  readonly branching: Branching
  readonly comparisons: Comparisons
  readonly search: HomeSearch
  readonly finding: Finding
  readonly landmarks: Landmarks
  /** Counts conversations and builds the search index from now on. */
  countInBackground(): void
}

/** Conversations above this are counted when they are opened, not in the background. In bytes. */
const countedInBackgroundBytes = 64 << 20

/** Opens conversations, their transcripts, search and families over a home and other systems' roots. Touches nothing. */
function openHomeReading(setup: HomeReadingSetup): HomeReading {
  const { disk, store, roots, cacheFolder, userFolder, workers, events, note } = setup
  const conversations = openConversations({
    ...setup,
    changed(change) {
      if (!setup.isCurrent(reading)) return
      events.conversationsChanged?.(change)
      // Each of them lists everything anew: not while the first list does so, but when it ends.
      if (change.listing !== undefined && change.listing.state !== 'done') return
      families.look()
      statistics.look()
      search.changed(change)
    },
  })
  const { histories, library } = conversations
  const transcripts = openTranscripts({ disk, store, histories })
  const places = { home: store.home, roots, cacheFolder, userFolder }
  const families = familiesWith(disk, workers, places, () => {
    if (setup.isCurrent(reading)) events.familiesChanged?.()
  })
  const statistics = statisticsWith(disk, workers, { home: store.home, roots, cacheFolder }, () => {
    if (setup.isCurrent(reading)) events.statisticsChanged?.()
  })
  const search = openHomeSearch({
    disk,
    library,
    cacheFolder: path.join(cacheFolder, 'search'),
    workers: searchWith(disk, workers),
    async labels() {
      await setup.labels.look()
      return setup.labels.all
    },
    tellIndex(progress) {
      if (setup.isCurrent(reading)) events.indexChanged?.(progress)
    },
    note,
  })
  const branching = openBranching({
    store,
    histories,
    disk,
    ask: (beginning, request) => setup.runs.startIn(beginning, request),
    summarize: setup.summarize,
    async created(key) {
      await library.refresh(key).catch((error: unknown) => note(`library: ${String(error)}`))
      families.look()
      statistics.look()
    },
  })
  const comparisons = openComparisons({
    disk,
    store,
    histories,
    titles: setup.titles,
    families,
    keptRoots: setup.keptRoots ?? [{ source: 'chibi', path: store.home }, ...histories.roots],
    follow(key) {
      const { source, key: name } = parseLibraryKey(key)
      // Other systems' files are followed by the library; of a home it follows the list of contexts alone.
      if (source !== 'chibi' || !setup.isFollowed) return () => undefined
      return store.watch(name, () => {
        library.refresh(key).catch((error: unknown) => note(`library: ${String(error)}`))
      })
    },
    comparer: () => comparerWith(disk, workers),
  })
  const finding = openFinding({
    home: store.home,
    histories,
    finder: finderWith(disk, workers),
  })
  const landmarks = openLandmarks({
    home: store.home,
    histories,
    holder: landmarkHolderWith(disk, workers),
  })
  const counting = new AbortController()

  const reading: HomeReading = {
    ...conversations,
    transcripts,
    families,
    statistics,
    branching,
    comparisons,
    search,
    finding,
    landmarks,
    countInBackground() {
      search.buildInBackground()
      library
        .countAll(countedInBackgroundBytes, counting.signal)
        .catch((error: unknown) => note(`counting: ${String(error)}`))
    },
    async close() {
      counting.abort()
      await branching.close()
      await comparisons.close()
      await finding.close()
      await landmarks.close()
      await search.close()
      await conversations.close()
      await families.close()
      await statistics.close()
    },
  }
  return reading
}

/** Reading of a home, replaced by another one when its roots change; one at a time. */
export interface Readings {
  now(): HomeReading
  /** Reads over these roots from now on; what was read before is closed meanwhile. */
  reopen(roots: HomeReadingSetup['roots']): void
  /** Counts conversations and builds the search index from now on, over other roots too. */
  countInBackground(): void
  close(): Promise<void>
}

/** Opens the readings of a home. Touches nothing. */
export function openReadings(setup: Omit<HomeReadingSetup, 'isCurrent'>): Readings {
  const read = (roots: HomeReadingSetup['roots']) =>
    openHomeReading({ ...setup, roots, isCurrent: (one) => one === current })
  let current: HomeReading = read(setup.roots)
  /** Ends on its own: nobody waits for what was read before but who closes the home. */
  let retired: Promise<void> = Promise.resolve()
  let counts = false
  let isClosed = false

  return {
    now: () => current,
    reopen(roots) {
      const before = current
      const now = read(roots)
      current = now
      retired = Promise.all([retired, before.close()])
        .catch((error: unknown) => setup.note(`library: ${String(error)}`))
        .then(() => {
          // Not before: the search index has one builder at a time.
          if (counts && !isClosed && now === current) now.countInBackground()
        })
    },
    countInBackground() {
      if (counts) return
      counts = true
      current.countInBackground()
    },
    async close() {
      isClosed = true
      await current.close()
      await retired
    },
  }
}
