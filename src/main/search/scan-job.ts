import type { SearchOrder } from '../../shared/model/search'
import type { Conditions } from './conditions/conditions'
import type { ScanRange } from './scan-range'

/**
 * Work that several threads share: each takes the next step until there is none. Plain data, but for `queue`, which all of
 * them see.
 */
export interface ScanJob {
  /** Those of a step follow each other. */
  readonly ranges: readonly ScanRange[]
  readonly steps: readonly ScanStep[]
  readonly conditions: Conditions
  readonly order: SearchOrder
  /** Snippets are made for the matches that come first in the order, of this many texts; the others are counted. */
  readonly limit: number
  /** Steps without a hit of this score or a higher one are left out; -Infinity where all are wanted. */
  readonly threshold: number
  /** Whether every hit is counted: then no step is left out. */
  readonly countsAll: boolean
  /** Whether each match has its facts: then results are named by the calls further up. */
  readonly wantsFacts: boolean
  /** In shared memory: the number of the next step, and that of the first which is left out. */
  readonly queue: Int32Array
}

/** Ranges that one thread searches in one go. */
export interface ScanStep {
  /** Numbers of ranges: from, and up to but without. */
  readonly from: number
  readonly to: number
  /** No hit in it has a higher score; Infinity where unknown. */
  readonly highest: number
}

const next = 0
const end = 1

/** Creates the queue of a job with so many steps. */
export function createQueue(steps: number): Int32Array {
  const queue = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  queue[end] = steps
  return queue
}

/** Takes the number of the next step; undefined where there is none left. */
export function takeStep({ queue }: ScanJob): number | undefined {
  const number = Atomics.add(queue, next, 1)
  return number < Atomics.load(queue, end) ? number : undefined
}

/**
 * Leaves out the steps that have no hit of a score or a higher one, for all threads. Two that do so at once may leave out fewer, never
 * more.
 */
export function leaveOutLower({ queue, steps }: ScanJob, score: number): void {
  const first = steps.findIndex(({ highest }) => highest < score)
  if (first >= 0 && first < Atomics.load(queue, end)) Atomics.store(queue, end, first)
}
