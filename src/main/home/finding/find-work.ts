import { AppError, type ErrorCode } from '../../../shared/model/basics/errors'
import type {
  FindAnswer,
  FindLine,
  FoundPlace,
  FoundTexts,
  WantedText,
} from '../../../shared/model/find/find'
import { Mutex } from '../../async/mutex'
import type { Disk } from '../../disk/interface/disk'
import { transcriptsOf, type WayJob } from '../way-rows/way-job'
import { CountedMatches } from './count-matches'
import { HeldRows } from './held-rows'

/** A question to whoever finds. The texts of one conversation are held at a time. */
export type FindQuestion =
  | {
      readonly type: 'find'
      readonly job: WayJob
      readonly wanted: WantedText
      readonly near: { readonly file: string; readonly offset: number } | undefined
    }
  | {
      readonly type: 'place'
      readonly job: WayJob
      readonly wanted: WantedText
      readonly row: number
      readonly nth: number
    }
  | {
      readonly type: 'texts'
      readonly job: WayJob
      readonly wanted: WantedText
      readonly lines: readonly FindLine[]
    }
  | { readonly type: 'forget' }

/** An answer: what was asked for, or why it is not there. */
export type FindReply =
  | { readonly type: 'found'; readonly answer: FindAnswer }
  | { readonly type: 'place'; readonly place: FoundPlace | undefined }
  | { readonly type: 'texts'; readonly texts: readonly FoundTexts[] }
  | { readonly type: 'forgotten' }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly message: string }

/** Creates a function that holds the texts of one conversation and finds texts in them. */
export function findWork(
  disk: Disk,
): (question: FindQuestion, signal: AbortSignal) => Promise<FindReply> {
  let held: HeldRows | undefined
  let counted: CountedMatches | undefined
  /** One reads on at a time. */
  const turns = new Mutex()

  async function count(
    job: WayJob,
    wanted: WantedText,
    signal: AbortSignal,
  ): Promise<CountedMatches> {
    if (held?.key !== job.key || held.way !== job.way) held = new HeldRows(job.key, job.way)
    await held.readOn(transcriptsOf(disk, job), signal)
    if (counted?.isFor(held, wanted) !== true) counted = new CountedMatches(held, wanted)
    await counted.countOn(signal)
    return counted
  }

  async function answer(question: FindQuestion, signal: AbortSignal): Promise<FindReply> {
    if (question.type === 'forget') {
      held = undefined
      counted = undefined
      return { type: 'forgotten' }
    }
    const { job, wanted } = question
    if (question.type === 'find') {
      const matches = await count(job, wanted, signal)
      return { type: 'found', answer: matches.answer(question.near) }
    }
    const known = held !== undefined && counted?.isFor(held, wanted) === true ? counted : undefined
    const matches = known ?? (await count(job, wanted, signal))
    if (question.type === 'texts') return { type: 'texts', texts: matches.texts(question.lines) }
    return { type: 'place', place: matches.place(question.row, question.nth) }
  }

  return (question, signal) =>
    turns.run(async () => {
      try {
        signal.throwIfAborted()
        return await answer(question, signal)
      } catch (error) {
        if (signal.aborted)
          return { type: 'failed', code: 'cancelled', message: 'Another text is looked for.' }
        if (error instanceof AppError)
          return { type: 'failed', code: error.code, message: error.message }
        throw error
      }
    })
}
