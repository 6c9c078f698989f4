import type { Disk } from '../disk/interface/disk'
import { WorkerClient } from '../disk/process/worker-client'
import { type Counter, inlineCounter, threadCounter } from '../library/count/counter'
import { type Families, openFamilies, threadFamilies } from '../library/families'
import { searchDecoders } from '../library/search'
import { type LibraryStatistics, openStatistics, threadStatistics } from '../library/statistics'
import {
  type AskTokens,
  openLocalCounter,
  type TokenAnswer,
  type TokenQuestion,
} from '../llm/tokens'
import { inlineWorkers, type SearchWorkers, scanWidth, threadWorkers } from '../search/workers'
import {
  type ComparisonAnswer,
  type ComparisonQuestion,
  comparisonWork,
} from './comparison/comparison-work'
import type { Comparer } from './comparison/comparisons'
import { type FindQuestion, type FindReply, findWork } from './finding/find-work'
import type { Finder } from './finding/finding'
import { type LandmarkQuestion, type LandmarkReply, landmarkWork } from './landmarks/landmark-work'
import type { LandmarkHolder } from './landmarks/landmarks'

/** Built workers, one file each: the threads that read for a home. */
export interface WorkerPaths {
  readonly families: string
  readonly statistics: string
  readonly search: string
  readonly count: string
  readonly tokens: string
  readonly comparison: string
  readonly find: string
  readonly landmarks: string
}

/** Counts conversations in threads; in the caller's own where there are none. */
export function counterWith(disk: Disk, workers: WorkerPaths | undefined): Counter {
  return workers === undefined ? inlineCounter(disk) : threadCounter(disk, workers.count)
}

/** Finds out who is related to whom in a thread; in the caller's own where there is none. */
export function familiesWith(
  disk: Disk,
  workers: WorkerPaths | undefined,
  places: Parameters<typeof threadFamilies>[1],
  changed: () => void,
): Families {
  return workers === undefined
    ? openFamilies({ disk, ...places, changed })
    : threadFamilies(workers.families, places, changed)
}

/** Sums statistics in a thread; in the caller's own where there is none. */
export function statisticsWith(
  disk: Disk,
  workers: WorkerPaths | undefined,
  places: Parameters<typeof threadStatistics>[1],
  changed: () => void,
): LibraryStatistics {
  return workers === undefined
    ? openStatistics({ disk, ...places, changed })
    : threadStatistics(workers.statistics, places, changed)
}

/** Searches in threads; in the caller's own where there are none. */
export function searchWith(disk: Disk, workers: WorkerPaths | undefined): SearchWorkers {
  return workers === undefined
    ? inlineWorkers(disk, searchDecoders)
    : threadWorkers(workers.search, scanWidth())
}

/** Counts tokens in a thread; in the caller's own where there is none. */
export function tokensWith(workers: WorkerPaths | undefined): {
  readonly ask: AskTokens
  close(): Promise<void>
} {
  if (workers === undefined) return { ask: openLocalCounter(), close: async () => undefined }
  const thread = new WorkerClient<TokenQuestion, TokenAnswer>(workers.tokens)
  return { ask: (question) => thread.ask(question), close: () => thread.close() }
}

/** Longest time that a timer of Node takes, in ms: the thread holds what is shown until it is closed. */
const foreverMs = 2 ** 31 - 1

/** Compares conversations in a thread; in the caller's own where there is none. */
export function comparerWith(disk: Disk, workers: WorkerPaths | undefined): Comparer {
  if (workers === undefined) {
    const controller = new AbortController()
    const answer = comparisonWork(disk)
    return {
      ask: (question) => answer(question, controller.signal),
      close: async () => controller.abort(),
    }
  }
  const thread = new WorkerClient<ComparisonQuestion, ComparisonAnswer>(
    workers.comparison,
    foreverMs,
  )
  return { ask: (question) => thread.ask(question), close: () => thread.close() }
}

/** Texts of a conversation are held so long after the last question, in ms. */
const heldMs = 5 * 60 * 1000

/** Finds words in one conversation in a thread; in the caller's own where there is none. */
export function finderWith(disk: Disk, workers: WorkerPaths | undefined): Finder {
  if (workers === undefined) {
    const answer = findWork(disk)
    const never = new AbortController().signal
    return { ask: (question, signal) => answer(question, signal ?? never), close: async () => {} }
  }
  const thread = new WorkerClient<FindQuestion, FindReply>(workers.find, heldMs)
  return { ask: (question, signal) => thread.ask(question, signal), close: () => thread.close() }
}

/** Landmarks of a conversation are held so long after the last question, in ms. */
const landmarksHeldMs = 60 * 1000

/** Holds the landmarks of one conversation in a thread; in the caller's own where there is none. */
export function landmarkHolderWith(disk: Disk, workers: WorkerPaths | undefined): LandmarkHolder {
  if (workers === undefined) {
    const answer = landmarkWork(disk)
    const never = new AbortController().signal
    return { ask: (question, signal) => answer(question, signal ?? never), close: async () => {} }
  }
  const thread = new WorkerClient<LandmarkQuestion, LandmarkReply>(
    workers.landmarks,
    landmarksHeldMs,
  )
  return { ask: (question, signal) => thread.ask(question, signal), close: () => thread.close() }
}
