import type { FormulaSource } from '../../../../shared/model/basics/formulas'
import { type AnsweringWorker, createWorkerAnswers } from '../workers/worker-answers'
import type { FormulaNode } from './markup-tree'

/** Request to the worker that typesets. */
export interface FormulaRequest extends FormulaSource {
  readonly id: number
}

/** Typesetter of formulas that works off the main thread. */
export interface Formulas {
  /** Returns the kept answer, so that a formula that scrolls back into view is not plain for a moment. */
  known(source: FormulaSource): readonly FormulaNode[] | undefined
  /** Resolves to undefined where the source is shown. */
  typeset(source: FormulaSource): Promise<readonly FormulaNode[] | undefined>
  close(): void
}

const keptAnswers = 1_000

/**
 * Makes a typesetter; its worker starts with the first formula, and its style sheet is loaded with it. Without a working
 * worker or style sheet all formulas stay as their source.
 */
export function createFormulas(
  startWorker: () => AnsweringWorker,
  loadStyles: () => Promise<unknown>,
): Formulas {
  const answers = createWorkerAnswers<readonly FormulaNode[]>(startWorker, keptAnswers)
  let styles: Promise<boolean> | undefined
  let hasStyles = false
  const nameOf = ({ tex, isDisplay }: FormulaSource) => `${isDisplay}\n${tex}`

  return {
    known: (source) => (hasStyles ? answers.known(nameOf(source)) : undefined),
    async typeset(source) {
      styles ??= loadStyles().then(
        () => true,
        () => false,
      )
      const { tex, isDisplay } = source
      const answer = await answers.ask(nameOf(source), { tex, isDisplay })
      hasStyles = await styles
      return hasStyles ? answer : undefined
    },
    close: () => answers.close(),
  }
}
