import { AppError } from '../../shared/model/errors'
import type { AskNatively, Question } from './question'

/** Where main asks a person what a page alone cannot decide. */
export interface Permissions {
  /**
   * Resolves to the index of the answer, undefined where it was refused, or withdrawn by the signal.
   *
   * @throws AppError `busy` while another question is open
   */
  ask(question: Question, signal?: AbortSignal): Promise<number | undefined>
  /**
   * Resolves where a question with one answer was answered by it.
   *
   * @param kept what did not happen where it was not, a sentence
   * @throws AppError `denied`, `busy`
   */
  require(question: Question, kept: string): Promise<void>
}

/**
 * Asks one question at a time. A second one is refused at once: the window is behind the dialog, so that no person asks
 * for it, and a page could wear somebody out with them.
 */
export function openPermissions(askNatively: AskNatively): Permissions {
  let isAsking = false

  async function ask(
    question: Question,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<number | undefined> {
    if (isAsking)
      throw new AppError('busy', 'Another question waits for your answer. Answer that first.')
    if (signal.aborted) return undefined
    isAsking = true
    try {
      const answer = await askNatively(question, signal)
      return signal.aborted ? undefined : answer
    } finally {
      isAsking = false
    }
  }

  return {
    ask,
    async require(question, kept) {
      if ((await ask(question)) === undefined) throw new AppError('denied', kept)
    },
  }
}
