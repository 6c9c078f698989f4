import { AppError } from '../../shared/model/basics/errors'
import type { AskNatively, NativeQuestion } from './question'

/** The permissions that main asks a person for, because a page alone may not decide. */
export interface Permissions {
  /**
   * Resolves to the index of the answer, undefined where it was refused, or withdrawn by the signal.
   *
   * @throws AppError `busy` while another question is open, and after a refusal until a person acts in the window
   */
  ask(question: NativeQuestion, signal?: AbortSignal): Promise<number | undefined>
  /**
   * Resolves where a question with one answer was answered by it.
   *
   * @param kept the sentence of the error where it was not: what did not happen
   * @throws AppError `denied`, `busy`
   */
  require(question: NativeQuestion, kept: string): Promise<void>
  /**
   * Shows a dialog of the system in which a person picks something, by the rules of a question; undefined where it
   * was cancelled.
   *
   * @throws AppError `busy`
   */
  pick<T extends object | string>(show: () => Promise<T | undefined>): Promise<T | undefined>
  /** Called when a person has clicked or pressed a key in the app window, which no page can do by itself. */
  acted(): void
}

/**
 * Returns permissions that show one dialog at a time. A second one is refused at once: the app window is behind the
 * first, so no person asks for it. After a refused one none comes until a person acts in the window: a page could
 * ask without end, and wear a person out, or have its question answered by a key that was meant for something else.
 */
export function openPermissions(askNatively: AskNatively): Permissions {
  let isOpen = false
  let isResting = false

  async function pick<T extends object | string | number>(
    show: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (isOpen)
      throw new AppError('busy', 'Another dialog waits for your answer. Answer that first.')
    if (isResting)
      throw new AppError(
        'busy',
        'A dialog was cancelled. Skein shows another once you click or press a key in its window.',
      )
    isOpen = true
    isResting = true
    try {
      const answer = await show()
      isResting = answer === undefined
      return answer
    } finally {
      isOpen = false
    }
  }

  async function ask(
    question: NativeQuestion,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<number | undefined> {
    if (signal.aborted) return undefined
    return pick(async () => {
      const answer = await askNatively(question, signal)
      return signal.aborted ? undefined : answer
    })
  }

  return {
    ask,
    pick,
    acted() {
      // A key pressed while a dialog is open was not pressed after it.
      if (!isOpen) isResting = false
    },
    async require(question, kept) {
      if ((await ask(question)) === undefined) throw new AppError('denied', kept)
    },
  }
}
