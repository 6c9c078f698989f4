import MarkdownIt, { type MarkdownIt as Parser, type Token } from 'markdown-it'
import { createFormulaFinder } from '../../../shared/model/basics/formulas'

/** Text longer than this is no prose; its Markdown would take longer to parse than it is worth. */
const longest = 100_000
/** The parser drops what is nested deeper. */
const deepest = 40

/** Reads Markdown as prose that people or models wrote. */
export const proseParser: Parser = new MarkdownIt('default', {
  html: false,
  linkify: true,
  maxNesting: deepest,
})
// "main.py" is no web address, though py is a country.
proseParser.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
// A definition would vanish, an entity would be another text than the one in the file.
proseParser.block.ruler.disable('reference')
proseParser.inline.ruler.disable('entity')
// The signs of a formula stand for themselves.
const endOfFormula = createFormulaFinder()
proseParser.inline.ruler.before('escape', 'formula', (state, silent) => {
  const end = endOfFormula(state)
  if (end === undefined || end > state.posMax) return false
  if (!silent) state.push('text', '', 0).content = state.src.slice(state.pos, end)
  state.pos = end
  return true
})
// Every destination is shown; the renderer decides which ones become links.
proseParser.validateLink = () => true
proseParser.normalizeLink = (url) => url
proseParser.normalizeLinkText = (url) => url

/**
 * Parses a Markdown text into tokens. Undefined where their rendering would not show every letter of it (a table row
 * with too many cells), and for texts that are too long or nested too deep.
 */
export function proseTokens(source: string): readonly Token[] | undefined {
  if (source.length > longest) return undefined
  const tokens = proseParser.parse(source, {})
  if (tokens.some(({ level }) => level >= deepest - 2)) return undefined
  return letters(source) === letters(renderedText(tokens)) ? tokens : undefined
}

/** Reads an attribute of a token; empty where it has none. */
export function tokenAttribute(token: Token | undefined, name: string): string {
  return String(token?.attrGet(name) ?? '')
}

/** All that a rendering shows, in the order of the source: words, list numbers, fences' words, addresses. */
function renderedText(tokens: readonly Token[]): string {
  let link: Token | undefined
  return tokens
    .map((token) => {
      switch (token.type) {
        case 'inline':
          return renderedText(token.children ?? [])
        case 'fence':
        case 'list_item_open':
          return token.info + token.content
        case 'image':
          return token.content + tokenAttribute(token, 'src') + tokenAttribute(token, 'title')
        case 'link_open':
          link = token
          return ''
        case 'link_close':
          return link?.info === 'auto'
            ? ''
            : tokenAttribute(link, 'href') + tokenAttribute(link, 'title')
        default:
          return token.content
      }
    })
    .join('')
}

/** Letters and digits alone; an entity, which an address has decoded and a text has not, is none. */
function letters(text: string): string {
  return text
    .replace(/&(#x?[0-9a-f]{1,8}|[a-z][a-z0-9]{1,31});/gi, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
