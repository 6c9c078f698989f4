import { randomUUID } from 'node:crypto'
import { AppError, type ErrorCode } from '../../../shared/model/basics/errors'
import {
  type LandmarkSlice,
  mostLandmarks,
  type NumberedPlace,
  type PlaceWanted,
} from '../../../shared/model/landmarks/landmarks'
import { Mutex } from '../../async/mutex'
import type { Disk } from '../../disk/interface/disk'
import { transcriptsOf, type WayJob } from '../way-rows/way-job'
import { WayRows } from '../way-rows/way-rows'
import { HeldLandmarks } from './held-landmarks'

/** A question to whoever holds landmarks. Those of one conversation are held at a time. */
export type LandmarkQuestion =
  | {
      readonly type: 'list'
      readonly job: WayJob
      readonly from: number
      /** The reading that the landmarks before `from` are of. */
      readonly reading: string | undefined
    }
  | { readonly type: 'places'; readonly job: WayJob; readonly wanted: readonly PlaceWanted[] }

/** An answer: what was asked for, or why it is not there. */
export type LandmarkReply =
  | { readonly type: 'listed'; readonly slice: LandmarkSlice }
  | { readonly type: 'places'; readonly places: readonly (NumberedPlace | undefined)[] }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly message: string }

/** Pages of 8 MB that are read for one slice at most, and for places before other questions have their turn: whoever waits sees how far the
 * reading is. */
const mostPages = 6

/**
 * Creates a function that holds the landmarks of one conversation and finds places in it.
 *
 * @param pageRows most rows of a page, for tests
 */
export function landmarkWork(
  disk: Disk,
  pageRows?: number,
): (question: LandmarkQuestion, signal: AbortSignal) => Promise<LandmarkReply> {
  let rows: WayRows | undefined
  let held = new HeldLandmarks()
  /** Names what is held, also beyond the life of this thread. */
  let name = ''
  /** One reads on at a time. */
  const turns = new Mutex()

  async function read(job: WayJob, enough: () => boolean, signal: AbortSignal): Promise<WayRows> {
    if (rows?.key !== job.key || rows.way !== job.way) {
      held = new HeldLandmarks()
      rows = new WayRows(job.key, job.way, held, pageRows)
      name = randomUUID()
    }
    held.until(enough)
    await rows.readOn(transcriptsOf(disk, job), signal)
    return rows
  }

  async function list(
    { job, from: wantedFrom, reading: known }: Extract<LandmarkQuestion, { type: 'list' }>,
    signal: AbortSignal,
  ): Promise<LandmarkSlice> {
    const fromHere = () => (known === readingName() ? wantedFrom : 0)
    let pages = 0
    const done = await read(
      job,
      () => pages++ >= mostPages || held.landmarks.length >= fromHere() + mostLandmarks,
      signal,
    )
    if (done.isAtEnd) held.settle()
    const from = fromHere()
    const landmarks = held.landmarks.slice(from, from + mostLandmarks)
    const isLast = done.isAtEnd && from + landmarks.length === held.landmarks.length
    return {
      reading: readingName(),
      from,
      landmarks,
      entries: held.size,
      part: done.isAtEnd ? 1 : Math.min(1, done.bytesRead / Math.max(1, done.totalBytes)),
      isLast,
    }
  }

  function readingName(): string {
    return `${name} ${held.generation}`
  }

  /** Finds places; undefined where they are not found in the next pages, and more follow. */
  async function places(
    { job, wanted }: Extract<LandmarkQuestion, { type: 'places' }>,
    signal: AbortSignal,
  ): Promise<readonly (NumberedPlace | undefined)[] | undefined> {
    let pages = 0
    // What is found already is found again where the rows were replaced meanwhile.
    const areFound = () => wanted.every((one) => held.find(one) !== undefined)
    const done = await read(job, () => pages++ >= mostPages || areFound(), signal)
    return done.isAtEnd || areFound() ? wanted.map((one) => held.find(one)) : undefined
  }

  async function part(
    question: LandmarkQuestion,
    signal: AbortSignal,
  ): Promise<LandmarkReply | undefined> {
    try {
      signal.throwIfAborted()
      if (question.type === 'list') return { type: 'listed', slice: await list(question, signal) }
      const found = await places(question, signal)
      return found === undefined ? undefined : { type: 'places', places: found }
    } catch (error) {
      if (signal.aborted)
        return { type: 'failed', code: 'cancelled', message: 'Another conversation is read.' }
      if (error instanceof AppError)
        return { type: 'failed', code: error.code, message: error.message }
      throw error
    }
  }

  return async (question, signal) => {
    for (;;) {
      const reply = await turns.run(() => part(question, signal))
      if (reply !== undefined) return reply
    }
  }
}
