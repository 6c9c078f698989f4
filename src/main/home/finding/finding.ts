import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { WayName } from '../../../shared/model/conversation/transcript'
import type {
  FindAnswer,
  FindLine,
  FoundPlace,
  FoundTexts,
  WantedText,
} from '../../../shared/model/find/find'
import type { Histories } from '../../library/sources/histories'
import { wayJob } from '../way-rows/way-job'
import type { FindQuestion, FindReply } from './find-work'

/** A text that is looked for in one conversation, along one way through it. */
export interface Wanted {
  readonly key: LibraryKey
  readonly way?: WayName | undefined
  readonly wanted: WantedText
}

/** Finds words in one conversation: over its data, and not over what is drawn. */
export interface Finding {
  /**
   * Counts the matches in each row, as the conversation is on the disk now. Another call ends it with `cancelled`.
   *
   * @param near where the reader is
   * @throws AppError `not-found`, `unreadable`, `cancelled`
   */
  find(
    asked: Wanted,
    near?: { readonly file: string; readonly offset: number },
  ): Promise<FindAnswer>
  /** Finds one match by its row and its number there; undefined where it is gone. @throws as `find` */
  place(asked: Wanted, row: number, nth: number): Promise<FoundPlace | undefined>
  /** Finds what matches in some lines, by part; lines without a match are left out. @throws as `find` */
  texts(asked: Wanted, lines: readonly FindLine[]): Promise<readonly FoundTexts[]>
  /** Lets the texts of the conversation go. */
  forget(): Promise<void>
  /** Ends what is asked with `cancelled`. */
  close(): Promise<void>
}

/** Answers questions about one conversation at a time. */
export interface Finder {
  ask(question: FindQuestion, signal?: AbortSignal): Promise<FindReply>
  close(): Promise<void>
}

/** Opens finding over the conversations of a home and of other systems. Touches nothing. */
export function openFinding(deps: {
  readonly home: string
  readonly histories: Pick<Histories, 'now' | 'faultOf'>
  /** Starts with the first question. */
  readonly finder: Finder
}): Finding {
  const { finder } = deps
  let isClosed = false
  let running = new AbortController()

  async function ask(question: FindQuestion, signal?: AbortSignal): Promise<FindReply> {
    const reply = await finder.ask(question, signal).catch((error: unknown) => {
      // Its thread ends with it.
      if (isClosed) throw new AppError('cancelled', 'The roots that are read have changed.')
      throw error
    })
    if (reply.type === 'failed') throw new AppError(reply.code, reply.message)
    return reply
  }

  return {
    async find(asked, near) {
      running.abort()
      const mine = new AbortController()
      running = mine
      const job = await wayJob(deps, asked)
      const reply = await ask({ type: 'find', job, wanted: asked.wanted, near }, mine.signal)
      if (reply.type !== 'found') throw anotherAnswer()
      return reply.answer
    },
    async place(asked, row, nth) {
      const job = await wayJob(deps, asked)
      const reply = await ask({ type: 'place', job, wanted: asked.wanted, row, nth })
      if (reply.type !== 'place') throw anotherAnswer()
      return reply.place
    },
    async texts(asked, lines) {
      const job = await wayJob(deps, asked)
      const reply = await ask({ type: 'texts', job, wanted: asked.wanted, lines })
      if (reply.type !== 'texts') throw anotherAnswer()
      return reply.texts
    },
    async forget() {
      running.abort()
      await ask({ type: 'forget' })
    },
    async close() {
      isClosed = true
      running.abort()
      await finder.close()
    },
  }
}

function anotherAnswer(): Error {
  return new Error('the finder gave another answer')
}
