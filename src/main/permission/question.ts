/** A question in a dialog of the system, which no page can draw over or answer. All texts are ready to be shown. */
export interface NativeQuestion {
  /** One sentence, with a question mark. */
  readonly message: string
  /** The exact scope: whole paths and addresses, hashes. */
  readonly detail: string
  /** The harmless answer: what Enter, Esc and closing the dialog mean. */
  readonly refusal: string
  /** The other answers, each a button. */
  readonly answers: readonly string[]
  /** Something is unusual about it. */
  readonly isGrave?: boolean
}

/**
 * A function that asks by a dialog of the system. Resolves to the index of the answer, undefined for the refusal and
 * where the signal aborted.
 */
export type AskNatively = (
  question: NativeQuestion,
  signal: AbortSignal,
) => Promise<number | undefined>
