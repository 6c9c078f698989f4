import { expect, it } from 'vitest'
import {
  createQueue,
  leaveOutLower,
  type ScanJob,
  takeStep,
} from '../../../src/main/search/scan-job'

function jobOf(newest: readonly number[]): ScanJob {
  return {
    ranges: [],
    steps: newest.map((time, n) => ({ from: n, to: n + 1, highest: time })),
    order: 'newest',
    conditions: { root: undefined, alternatives: undefined, marks: [], scope: [], terms: [] },
    limit: 1,
    threshold: Number.NEGATIVE_INFINITY,
    countsAll: false,
    wantsFacts: false,
    queue: createQueue(newest.length),
  }
}

function rest(job: ScanJob): readonly number[] {
  const steps: number[] = []
  for (let step = takeStep(job); step !== undefined; step = takeStep(job)) steps.push(step)
  return steps
}

it('gives each step once, in order', () => {
  const job = jobOf([Number.POSITIVE_INFINITY, 9, 5, 5, 1])
  expect(takeStep(job)).toBe(0)
  expect(rest(job)).toEqual([1, 2, 3, 4])
  expect(rest(job)).toEqual([])
})

it('leaves out what is older, also when a later word leaves out less', () => {
  const job = jobOf([9, 5, 5, 1, Number.NEGATIVE_INFINITY])
  leaveOutLower(job, Number.NEGATIVE_INFINITY)
  leaveOutLower(job, 5)
  leaveOutLower(job, 0)
  expect(rest(job)).toEqual([0, 1, 2])
})
