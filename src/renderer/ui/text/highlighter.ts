import { type AnsweringWorker, createWorkerAnswers } from './workers/worker-answers'

/** Piece of highlighted code: text, or pieces with the class of their kind. */
export type CodePiece = string | readonly [kind: string, pieces: readonly CodePiece[]]

/** Request to the highlighting worker. */
export interface HighlightRequest {
  readonly id: number
  readonly language: string
  readonly code: string
}

/** Highlighter of code that works off the main thread. */
export interface Highlighter {
  /** Returns the kept answer, so that code that scrolls back into view is not plain for a moment. */
  known(language: string, code: string): readonly CodePiece[] | undefined
  /** Resolves to undefined for an unknown language. */
  highlight(language: string, code: string): Promise<readonly CodePiece[] | undefined>
  close(): void
}

const keptAnswers = 300

/** Makes a highlighter; its worker starts with the first code. Without a working worker all code stays plain. */
export function createHighlighter(startWorker: () => AnsweringWorker): Highlighter {
  const answers = createWorkerAnswers<readonly CodePiece[]>(startWorker, keptAnswers)
  const nameOf = (language: string, code: string) => `${language}\n${code}`
  return {
    known: (language, code) => answers.known(nameOf(language, code)),
    highlight: (language, code) => answers.ask(nameOf(language, code), { language, code }),
    close: () => answers.close(),
  }
}
