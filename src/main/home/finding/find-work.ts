import { AppError, type ErrorCode } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { WayName } from '../../../shared/model/conversation/transcript'
import type {
  FindAnswer,
  FindLine,
  FoundPlace,
  FoundTexts,
  WantedText,
} from '../../../shared/model/find/find'
import { Mutex } from '../../async/mutex'
import type { Disk } from '../../disk/interface/disk'
import type { Histories, History } from '../../library/sources/histories'
import { openTranscripts, type Transcripts } from '../../library/transcripts'
import type { SourceRef } from '../../readers/common/reader'
import { readers } from '../../readers/index'
import { openStore } from '../../store/open-store'
import { CountedMatches } from './count-matches'
import { HeldRows } from './held-rows'

/** The conversation that is searched. Plain data: it crosses to another thread. */
export interface FindJob {
  readonly home: string
  readonly key: LibraryKey
  readonly way: WayName | undefined
  /** Of another system: where it lies now. */
  readonly ref: SourceRef | undefined
}

/** A question to whoever finds. The texts of one conversation are held at a time. */
export type FindQuestion =
  | {
      readonly type: 'find'
      readonly job: FindJob
      readonly wanted: WantedText
      readonly near: { readonly file: string; readonly offset: number } | undefined
    }
  | {
      readonly type: 'place'
      readonly job: FindJob
      readonly wanted: WantedText
      readonly row: number
      readonly nth: number
    }
  | {
      readonly type: 'texts'
      readonly job: FindJob
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
    job: FindJob,
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

function transcriptsOf(disk: Disk, { home, key, ref }: FindJob): Transcripts {
  const reader = readers.find(({ id }) => id === ref?.source)
  const history = ref === undefined || reader === undefined ? undefined : { key, reader, ref }
  const store = openStore({ home, disk })
  return openTranscripts({ disk, store, histories: historiesOf(history) })
}

/** The one history that was found already. */
function historiesOf(history: History | undefined): Histories {
  const known = history === undefined ? [] : [history]
  return {
    roots: [],
    list: async () => known,
    known: () => known,
    find: async () => history,
    now: async () => history,
    isPartial: () => false,
    faultOf: () => undefined,
    watch: () => () => undefined,
  }
}
