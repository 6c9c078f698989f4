import katex from 'katex'
import type { FormulaSource } from '../../../../shared/model/basics/formulas'
import { type FormulaNode, markupTree } from './markup-tree'
import { showsAll } from './shown-tex'

/** Longest formula that is typeset, in characters: it takes some hundredths of a second. */
const longest = 4_000
/** Longest markup of a formula, in characters: a few thousand elements. */
const longestMarkup = 400_000

/**
 * Typesets a formula: MathML that is read aloud, and spans that are seen. Undefined where it is no TeX that KaTeX knows, too
 * much, or would not show all that is written: its source is shown then. Never throws; runs in a worker.
 */
export function typesetFormula({
  tex,
  isDisplay,
}: FormulaSource): readonly FormulaNode[] | undefined {
  if (tex.length > longest || !showsAll(tex)) return undefined
  try {
    const markup = katex.renderToString(tex, {
      displayMode: isDisplay,
      output: 'htmlAndMathml',
      throwOnError: true,
      strict: 'ignore',
      // No links, pictures or styles of the text's own.
      trust: false,
      // Sizes in em, and macros that call themselves, are bounded.
      maxSize: 20,
      maxExpand: 1_000,
    })
    return markup.length > longestMarkup ? undefined : markupTree(markup)
  } catch {
    // No TeX, or nested too deep for the stack.
    return undefined
  }
}
