import type { Disk } from '../disk/interface/disk'
import { WorkerClient } from '../disk/process/worker-client'
import { type Counter, inlineCounter, threadCounter } from '../library/count/counter'
import {
  type AskTokens,
  openLocalCounter,
  type TokenAnswer,
  type TokenQuestion,
} from '../llm/tokens'

/** Built workers, one file each: the threads that read for a home. */
export interface WorkerPaths {
  readonly families: string
  readonly search: string
  readonly count: string
  readonly tokens: string
}

/** Counts conversations in threads; in the caller's own where there are none. */
export function counterWith(disk: Disk, workers: WorkerPaths | undefined): Counter {
  return workers === undefined ? inlineCounter(disk) : threadCounter(disk, workers.count)
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
