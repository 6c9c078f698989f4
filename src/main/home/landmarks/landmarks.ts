import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { WayName } from '../../../shared/model/conversation/transcript'
import type {
  LandmarkSlice,
  NumberedPlace,
  PlaceWanted,
} from '../../../shared/model/landmarks/landmarks'
import type { Histories } from '../../library/sources/histories'
import { wayJob } from '../way-rows/way-job'
import type { LandmarkQuestion, LandmarkReply } from './landmark-work'

/** A way through a conversation whose landmarks are asked for. */
export interface LandmarksOf {
  readonly key: LibraryKey
  readonly way?: WayName | undefined
}

/** Landmarks of one conversation at a time, all of it, and places in it. */
export interface Landmarks {
  /**
   * Lists landmarks from a number on, as the conversation is on the disk now; reads some 50 MB at most, and says how far it is. Another
   * call ends it with `cancelled`.
   *
   * @param reading the reading that earlier slices are of; where another one holds by now, the slice begins at 0
   * @throws AppError `not-found`, `unreadable`, `cancelled`
   */
  list(of: LandmarksOf, from: number, reading?: string): Promise<LandmarkSlice>
  /**
   * Finds places in the order in which they are wanted; reads as far as it must. Undefined where there is none. A call for another
   * conversation, or another way, ends it with `cancelled`.
   *
   * @throws as `list`
   */
  places(
    of: LandmarksOf,
    wanted: readonly PlaceWanted[],
  ): Promise<readonly (NumberedPlace | undefined)[]>
  /** Ends what is asked with `cancelled`. */
  close(): Promise<void>
}

/** Answers questions about the landmarks of one conversation at a time. */
export interface LandmarkHolder {
  ask(question: LandmarkQuestion, signal?: AbortSignal): Promise<LandmarkReply>
  close(): Promise<void>
}

/** Opens the landmarks of the conversations of a home and of other systems. Touches nothing. */
export function openLandmarks(deps: {
  readonly home: string
  readonly histories: Pick<Histories, 'now' | 'faultOf'>
  /** Starts with the first question. */
  readonly holder: LandmarkHolder
}): Landmarks {
  const { holder } = deps
  let isClosed = false
  let running = new AbortController()
  /** Ends the finding of places in what was asked about last. */
  let finding = new AbortController()
  let last: LandmarksOf | undefined

  /** Ends what finds places elsewhere. */
  function goTo(of: LandmarksOf): AbortSignal {
    if (last?.key !== of.key || last.way !== of.way) {
      finding.abort()
      finding = new AbortController()
    }
    last = of
    return finding.signal
  }

  async function ask(question: LandmarkQuestion, signal?: AbortSignal): Promise<LandmarkReply> {
    const reply = await holder.ask(question, signal).catch((error: unknown) => {
      // Its thread ends with it.
      if (isClosed) throw new AppError('cancelled', 'The roots that are read have changed.')
      throw error
    })
    if (reply.type === 'failed') throw new AppError(reply.code, reply.message)
    return reply
  }

  return {
    async list(of, from, reading) {
      goTo(of)
      running.abort()
      const mine = new AbortController()
      running = mine
      const job = await wayJob(deps, of)
      const reply = await ask({ type: 'list', job, from, reading }, mine.signal)
      if (reply.type !== 'listed') throw anotherAnswer()
      return reply.slice
    },
    async places(of, wanted) {
      const signal = goTo(of)
      const job = await wayJob(deps, of)
      const reply = await ask({ type: 'places', job, wanted }, signal)
      if (reply.type !== 'places') throw anotherAnswer()
      return reply.places
    },
    async close() {
      isClosed = true
      running.abort()
      finding.abort()
      await holder.close()
    },
  }
}

function anotherAnswer(): Error {
  return new Error('the landmarks gave another answer')
}
