import MarkdownIt, { type Env, type MarkdownIt as Parser, type Token } from 'markdown-it'
import { addFormulas } from './math/formula-rules'

/** Variant of Markdown: `full` for texts of models; `light` for typed texts, in which only code is formatted. */
export type MarkdownVariant = 'full' | 'light'

/** Top-level block of a text; the same object while it stays as it is, so that its view is not drawn again. */
export interface MarkdownBlock {
  readonly type: 'tokens' | 'plain'
  readonly source: string
  readonly tokens: readonly Token[]
  /** Labels of link definitions that its text asks for, there or not. */
  readonly asked: ReadonlySet<string>
}

/** Parsed text in blocks, to be passed back with a longer text. */
export interface ParsedMarkdown {
  readonly text: string
  readonly variant: MarkdownVariant
  readonly blocks: readonly MarkdownBlock[]
  /** Definitions of links of the whole text, by label. */
  readonly references: References
  readonly finished: FinishedPart
}

/** Beginning of a text whose blocks stay as they are, whatever comes behind it. */
interface FinishedPart {
  /** Its length in UTF-16 units. */
  readonly end: number
  /** The number of its blocks. */
  readonly blocks: number
  readonly references: References
}

type References = NonNullable<Env['references']>

/** Longest block that is formatted, in characters: layout of a longer one takes too long. */
const longestBlock = 40_000
/** Deepest nesting that is formatted: markdown-it drops deeper content, so such a block is shown plain. */
const deepest = 40

const parsers: Readonly<Record<MarkdownVariant, Parser>> = {
  full: parser('default'),
  light: parser('zero').enable(['fence', 'backticks', 'linkify', 'text_join']),
}

const nothingFinished: FinishedPart = { end: 0, blocks: 0, references: noReferences() }

/**
 * Parses a text. With the parse of its beginning only what follows that one's finished blocks is parsed, and blocks that
 * name a link which is defined since; the blocks are those of a parse of the whole text.
 */
export function parseMarkdown(
  text: string,
  variant: MarkdownVariant,
  known?: ParsedMarkdown,
): ParsedMarkdown {
  const normal = normalized(text)
  if (known === undefined || known.variant !== variant || !normal.startsWith(known.text))
    return parsed(normal, variant, undefined)
  return known.text === normal ? known : parsed(normal, variant, known)
}

/** Ends lines with a line feed, and takes no NUL, as markdown-it does. */
function normalized(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return lines.includes('\0') ? lines.replaceAll('\0', '\ufffd') : lines
}

function parsed(
  text: string,
  variant: MarkdownVariant,
  known: ParsedMarkdown | undefined,
): ParsedMarkdown {
  const before = known?.finished ?? nothingFinished
  const part = text.slice(before.end)
  // The first definition of a label counts, so those of the finished part come first.
  const references: References = Object.create(before.references)
  const groups = groupsOf(part, variant, references)
  const changed = changedLabels(known?.references, references)
  const asksForChanged = ({ asked }: MarkdownBlock) => changed.some((label) => asked.has(label))

  const blocks = (known?.blocks ?? []).slice(0, before.blocks).map((block) =>
    // Its blocks stay, what stands in its lines is read again.
    asksForChanged(block) ? blockOf(block.source, block.tokens, variant, references) : block,
  )
  for (const group of groups) {
    if (group.type === definition) continue
    const old = known?.blocks[blocks.length]
    const isSame =
      old !== undefined &&
      old.source === group.source &&
      !asksForChanged(old) &&
      (old.type === 'plain' || haveSameBlocks(old.tokens, group.tokens))
    blocks.push(isSame ? old : blockOf(group.source, group.tokens, variant, references))
  }
  const finished = grownPart(before, part, groups, references)
  return { text, variant, blocks, references, finished }
}

/** Tokens of one top-level block: of its lines, not yet of what stands in them. */
interface TokenGroup {
  /** Type of its first token. */
  readonly type: string
  readonly tokens: readonly Token[]
  readonly source: string
  /** Its first line, and the one behind its last. */
  readonly from: number
  readonly to: number
  /** Labels that are defined in it. */
  readonly labels: readonly string[]
}

const definition = 'reference_definition'

function groupsOf(
  text: string,
  variant: MarkdownVariant,
  references: References,
): readonly TokenGroup[] {
  const tokens: Token[] = []
  parsers[variant].block.parse(text, parsers[variant], { references }, tokens)
  const starts = lineStarts(text)
  const groups: TokenGroup[] = []
  let group: Token[] = []
  for (const token of tokens) {
    group.push(token)
    if (token.level > 0 || token.nesting === 1) continue
    const [from, to] = group[0]?.map ?? [0, 0]
    groups.push({
      type: group[0]?.type ?? '',
      tokens: group.filter(({ type }) => type !== definition),
      source: text.slice(starts[from], starts[to] ?? text.length),
      from,
      to,
      labels: group.flatMap(({ type, meta }) => (type === definition ? [String(meta?.label)] : [])),
    })
    group = []
  }
  return groups
}

/**
 * Finds how far a text is finished: up to the last block behind which another has begun for certain. While the last line
 * is not complete, it may still belong to the block before: `***` is a rule, and `***word` goes on with a paragraph.
 */
function grownPart(
  before: FinishedPart,
  part: string,
  groups: readonly TokenGroup[],
  references: References,
): FinishedPart {
  const starts = lineStarts(part)
  const isBlank = (line: number) =>
    line >= 0 && /^[ \t]*$/.test(part.slice(starts[line], (starts[line + 1] ?? 0) - 1))
  const last = groups.findLastIndex((group, index) => {
    const next = groups[index + 1]
    if (next === undefined) return false
    const isApart = isBlank(next.from - 1)
    // The line below a definition may become its title.
    if (group.type === definition && !isApart) return false
    // The second line of a table makes it one.
    const decisive = next.type === 'table_open' ? next.from + 1 : next.from
    if (decisive < starts.length - 1) return true
    // "2" below a list becomes its item "2."
    return !group.type.endsWith('list_open') && (isApart || closedByThemselves.has(group.type))
  })
  const done = groups.slice(0, last + 1)
  const labels = done.flatMap((group) => group.labels)
  return {
    end: before.end + (starts[done.at(-1)?.to ?? 0] ?? 0),
    blocks: before.blocks + done.filter(({ type }) => type !== definition).length,
    references:
      labels.length === 0
        ? before.references
        : Object.assign(
            noReferences(),
            before.references,
            Object.fromEntries(labels.map((label) => [label, references[label]])),
          ),
  }
}

/** Blocks to which no line without a sign can belong. */
const closedByThemselves: ReadonlySet<string> = new Set([
  'heading_open',
  'hr',
  'fence',
  'formula_block',
  'code_block',
])

function noReferences(): References {
  return Object.create(null)
}

/** Returns the labels that another parse of the text's beginning found defined otherwise. */
function changedLabels(old: References | undefined, now: References): readonly string[] {
  if (old === undefined) return []
  const labels = new Set([...Object.keys(old), ...Object.keys(now)])
  return [...labels].filter(
    (label) => old[label]?.href !== now[label]?.href || old[label]?.title !== now[label]?.title,
  )
}

function haveSameBlocks(old: readonly Token[], now: readonly Token[]): boolean {
  return (
    old.length === now.length &&
    old.every((token, index) => {
      const other = now[index]
      return (
        token.type === other?.type &&
        token.content === other.content &&
        token.info === other.info &&
        token.markup === other.markup &&
        token.hidden === other.hidden &&
        String(token.attrs) === String(other.attrs)
      )
    })
  )
}

/** Makes a block of its tokens, with what stands in its lines. */
function blockOf(
  source: string,
  tokens: readonly Token[],
  variant: MarkdownVariant,
  references: References,
): MarkdownBlock {
  const asked = new Set<string>()
  const isCode = tokens[0]?.type === 'fence' || tokens[0]?.type === 'code_block'
  const isPlain =
    (!isCode && source.length > longestBlock) || tokens.some(({ level }) => level >= deepest - 2)
  if (isPlain) return { type: 'plain', source, tokens: [], asked }
  const { core } = parsers[variant]
  const state = new core.State(source, parsers[variant], {
    references: recording(references, asked),
  })
  state.tokens = tokens.map((token) =>
    token.type === 'inline'
      ? Object.assign(Object.create(Object.getPrototypeOf(token)), token, { children: [] })
      : token,
  )
  core.process(state)
  return { type: 'tokens', source, tokens: state.tokens, asked }
}

/** The same definitions, noting which are asked for. */
function recording(references: References, asked: Set<string>): References {
  return new Proxy(references, {
    get(target, label) {
      if (typeof label !== 'string') return undefined
      asked.add(label)
      return target[label]
    },
  })
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
  // Lines become blocks before, once for a whole part; these rules are for what stands in the lines of one block.
  markdown.core.ruler.disable(['normalize', 'block'])
  addFormulas(markdown, preset === 'default')
  return markdown
}
