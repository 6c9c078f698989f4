import MarkdownIt, { type MarkdownIt as Parser, type Token } from 'markdown-it'

/** A stretch of text in which some characters are literal. */
export interface Zone {
  readonly start: number
  readonly end: number
  readonly kind: 'code' | 'destination' | 'address'
}

/** Zones of a text and the brackets that must be escaped, by position. */
export interface Zones {
  readonly zones: Zone[]
  /** Brackets of links to something else than web and mail: with these escaped they are no links. */
  readonly deadBrackets: Set<number>
}

/** Returns true for an address of web or mail, to which a link in a document may lead. */
export function isWebAddress(url: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(url)
}

/**
 * Parses the blocks of a Markdown text. Link definitions count as text, since they would vanish and change other
 * entries.
 */
export function blockTokens(text: string): readonly Token[] {
  return parser.parse(text, {})
}

/** Finds code, link destinations and web addresses in the text of one block. */
export function zonesOf(content: string): Zones {
  const found: Zones = { zones: [], deadBrackets: new Set() }
  parser.inline.parse(content, parser, { found }, [])
  return found
}

const parser: Parser = new MarkdownIt('default', { html: false })
parser.core.ruler.enableOnly(['normalize', 'block'])
parser.block.ruler.disable('reference')
// `![` and `&` will be escaped: for what comes after them it matters that they are read as text.
parser.inline.ruler.disable(['image', 'entity'])
parser.normalizeLink = (url) => url
parser.validateLink = isSafe

/** Whether a destination, decoded, has no scheme at all or that of web and mail. */
function isSafe(url: string): boolean {
  // Browsers skip these when they look for the scheme: `java\tscript:` runs.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const bare = url.replace(/[\u0000-\u0020]/g, '')
  return isWebAddress(bare) || !/^[a-z][a-z0-9+.-]*:/i.test(bare)
}

watch('backticks', (state, rule, silent) => {
  const start = state.pos
  const made = state.tokens.length
  const isDone = rule(state, silent)
  if (!silent && state.tokens.length > made) note(state, { start, end: state.pos, kind: 'code' })
  return isDone
})

watch('autolink', (state, rule, silent) => {
  const start = state.pos
  const isDone = rule(state, silent)
  if (isDone && !silent) note(state, { start, end: state.pos, kind: 'address' })
  return isDone
})

watch('link', (state, rule, silent) => {
  const start = state.pos
  if (state.src[start] !== '[') return false
  const labelEnd = parser.helpers.parseLinkLabel(state, start, true)
  if (labelEnd < 0) return false
  // `<` in front of a destination will be escaped, and then it is none.
  const isAngled = /^\(\s*</.test(state.src.slice(labelEnd + 1, labelEnd + 100))
  if (!isAngled && rule(state, silent)) {
    if (!silent) note(state, { start: labelEnd, end: state.pos, kind: 'destination' })
    return true
  }
  if (!silent && state.src[labelEnd + 1] === '(') {
    const { deadBrackets } = state.env.found as Zones
    deadBrackets.add(start).add(labelEnd)
  }
  return false
})

type Rule = Parameters<Parser['inline']['ruler']['at']>[1]
type State = Parameters<Rule>[0]

function watch(
  name: string,
  watcher: (state: State, rule: Rule, silent: boolean) => boolean,
): void {
  // The parser gives out rules without their names; with this one alone enabled, it is the first.
  const alone = new MarkdownIt()
  alone.inline.ruler.enableOnly(name)
  const [rule] = alone.inline.ruler.getRules('')
  if (rule === undefined) throw new Error(`markdown-it has no rule "${name}"`)
  parser.inline.ruler.at(name, (state, silent) => watcher(state, rule, silent))
}

function note(state: State, zone: Zone): void {
  ;(state.env.found as Zones).zones.push(zone)
}
