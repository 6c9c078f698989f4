import MarkdownIt, { type Env, type MarkdownIt as Parser, type Token } from 'markdown-it'
import { formulaEnd } from '../../../shared/model/basics/formulas'
import { countTextLines } from '../format/cut-text'

/** Variant of Markdown: `full` for texts of models; `light` for typed texts, in which only code is formatted. */
export type MarkdownVariant = 'full' | 'light'

/** Top-level block of a text; the same object while its text is the same, so that its view is not drawn again. */
export interface MarkdownBlock {
  readonly type: 'tokens' | 'plain'
  readonly source: string
  readonly tokens: readonly Token[]
}

/** Parsed text in blocks, to be passed back with a longer text. */
export interface ParsedMarkdown {
  readonly text: string
  readonly variant: MarkdownVariant
  readonly blocks: readonly MarkdownBlock[]
  /** Start of the last block: more text can change only that one. */
  readonly lastStart: number
  readonly env: Env
}

/** Longest block that is formatted, in characters: layout of a longer one takes too long. */
const longestBlock = 40_000
/** Deepest nesting that is formatted: markdown-it drops deeper content, so such a block is shown plain. */
const deepest = 40

const parsers: Readonly<Record<MarkdownVariant, Parser>> = {
  full: parser('default'),
  light: parser('zero').enable(['fence', 'backticks', 'linkify', 'text_join']),
}

/** Parses a text; with the parse of its beginning, only from that one's last block on. */
export function parseMarkdown(
  text: string,
  variant: MarkdownVariant,
  known?: ParsedMarkdown,
): ParsedMarkdown {
  const normal = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  if (known !== undefined && known.variant === variant) {
    if (known.text === normal) return known
    if (normal.startsWith(known.text)) return grown(known, normal)
  }
  const env: Env = {}
  const { blocks, lastStart } = blocksOf(normal, variant, env)
  return { text: normal, variant, blocks, lastStart, env }
}

function grown(known: ParsedMarkdown, text: string): ParsedMarkdown {
  const { variant, env } = known
  const tail = blocksOf(text.slice(known.lastStart), variant, env)
  return {
    text,
    variant,
    env,
    blocks: [...known.blocks.slice(0, -1), ...tail.blocks],
    lastStart: known.lastStart + tail.lastStart,
  }
}

function blocksOf(
  text: string,
  variant: MarkdownVariant,
  env: Env,
): { blocks: MarkdownBlock[]; lastStart: number } {
  // A very long line takes the parser long and has no structure.
  if (text.length > longestBlock && countTextLines(text) * longestBlock < text.length)
    return { blocks: [{ type: 'plain', source: text, tokens: [] }], lastStart: 0 }

  const starts = lineStarts(text)
  const blocks: MarkdownBlock[] = []
  let group: Token[] = []
  let lastStart = 0
  for (const token of parsers[variant].parse(text, env)) {
    group.push(token)
    if (token.level > 0 || token.nesting === 1) continue
    const [from, to] = group[0]?.map ?? [0, 0]
    lastStart = starts[from] ?? 0
    blocks.push(blockOf(text.slice(lastStart, starts[to] ?? text.length), group))
    group = []
  }
  return { blocks, lastStart }
}

function blockOf(source: string, tokens: Token[]): MarkdownBlock {
  const isCode = tokens[0]?.type === 'fence' || tokens[0]?.type === 'code_block'
  const isPlain =
    (!isCode && source.length > longestBlock) || tokens.some(({ level }) => level >= deepest - 2)
  return isPlain ? { type: 'plain', source, tokens: [] } : { type: 'tokens', source, tokens }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function parser(preset: 'default' | 'zero'): Parser {
  const markdown = new MarkdownIt(preset, { html: false, linkify: true, maxNesting: deepest })
  // "main.py" and "README.md" are not web addresses, though py and md are top-level domains.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  // Every destination is accepted here, so that those that may not be opened can be shown as text.
  markdown.validateLink = () => true
  // Characters of a formula are not Markdown.
  markdown.inline.ruler.before('escape', 'formula', (state, silent) => {
    const end = formulaEnd(state.src, state.pos)
    if (end === undefined || end > state.posMax) return false
    if (!silent) state.push('text', '', 0).content = state.src.slice(state.pos, end)
    state.pos = end
    return true
  })
  return markdown
}
