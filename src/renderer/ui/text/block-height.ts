import { countTextLines } from '../format/cut-text'
import type { MarkdownBlock } from './markdown-blocks'

/** Lines of code that are shown at first, and of a plain block. */
const codeLines = 400
const plainLines = 60

/** Estimates the height of a block with the space above it, in rem; close enough for the scroll bar. */
export function estimatedBlockHeight(
  { type, tokens, source }: MarkdownBlock,
  charactersPerLine: number,
): number {
  const first = tokens[0]?.type
  if (first === 'fence' || first === 'code_block')
    return 2.75 + 1.25 * Math.min(codeLines, countTextLines(tokens[0]?.content ?? ''))
  if (first === 'heading_open') return 2.25
  if (first === 'table_open') return 0.5 + 1.75 * Math.max(1, countTextLines(source) - 1)
  const lines = source
    .split('\n', codeLines)
    .reduce((sum, line) => sum + Math.ceil(line.length / charactersPerLine), 0)
  return type === 'plain' ? 2.5 + 1.375 * Math.min(plainLines, lines) : 0.5 + 1.375 * lines
}
