import type { MarkdownIt, StateBlock } from 'markdown-it'
import { createFormulaFinder, formulaEnd } from '../../../../shared/model/basics/formulas'

/** Closing sign of each sign that begins a formula on lines of its own. */
const closing: Readonly<Record<string, string>> = { '\\[': '\\]', $$: '$$' }

/**
 * Adds formulas to a parser: tokens `formula` in lines and `formula_block`, with their source as content; text where none is
 * drawn. Signs of Markdown in them stand for themselves.
 */
export function addFormulas(markdown: MarkdownIt, isDrawn: boolean): void {
  const endOfFormula = createFormulaFinder()
  markdown.inline.ruler.before('escape', 'formula', (state, silent) => {
    const end = endOfFormula(state)
    if (end === undefined || end > state.posMax) return false
    if (!silent)
      state.push(isDrawn ? 'formula' : 'text', '', 0).content = state.src.slice(state.pos, end)
    state.pos = end
    return true
  })
  if (isDrawn)
    markdown.block.ruler.before('fence', 'formula_block', formulaBlock, {
      alt: ['paragraph', 'reference', 'blockquote', 'list'],
    })
}

/**
 * Reads a formula on lines of its own, up to its closing sign or an empty line: `= b` and `- c` in it are no heading and no
 * list. One that nothing closes is a paragraph, up to the same line: what has been read of a text that grows stays so.
 */
function formulaBlock(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  if (state.sCount[startLine] === undefined || indentOf(state, startLine) >= 4) return false
  const first = lineOf(state, startLine)
  const close = closing[first.slice(0, 2)]
  if (close === undefined || first.includes('`')) return false
  const closedAt = first.indexOf(close, 2)
  if (closedAt >= 0 && closedAt + 2 < first.length) return false
  if (silent) return true

  let line = startLine + 1
  let isOpen = closedAt < 0
  for (; isOpen && line < endLine; line++) {
    const text = lineOf(state, line)
    if (text === '' || indentOf(state, line) < 0 || /^(?:`{3}|~{3})/.test(text)) break
    isOpen = text.indexOf(close) !== Math.max(0, text.length - 2)
  }
  const source = state.getLines(startLine, line, state.blkIndent, false).trim()
  if (!isOpen && formulaEnd(source, 0) === source.length) {
    const token = state.push('formula_block', '', 0)
    token.content = source
    token.map = [startLine, line]
  } else {
    state.push('paragraph_open', 'p', 1).map = [startLine, line]
    const inline = state.push('inline', '', 0)
    inline.content = source
    inline.map = [startLine, line]
    inline.children = []
    state.push('paragraph_close', 'p', -1)
  }
  state.line = line
  return true
}

function indentOf(state: StateBlock, line: number): number {
  return (state.sCount[line] ?? 0) - state.blkIndent
}

function lineOf(state: StateBlock, line: number): string {
  return state.src
    .slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
    .trim()
}
