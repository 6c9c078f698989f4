/** The longest formula, in UTF-16 units: a dollar sign far away belongs to another sentence. */
const longest = 10_000

/** A formula as it was written, taken apart. */
export interface FormulaSource {
  /** What stands between its signs. */
  readonly tex: string
  /** True where it stands on lines of its own: `\[...\]`, `$$...$$`. */
  readonly isDisplay: boolean
}

/** Takes the signs off a formula that `formulaEnd` found. */
export function formulaSource(source: string): FormulaSource {
  const isDollar = source.startsWith('$') && !source.startsWith('$$')
  return {
    tex: isDollar ? source.slice(1, -1) : source.slice(2, -2),
    isDisplay: source.startsWith('\\[') || source.startsWith('$$'),
  }
}

/**
 * Finds where the formula ends that begins at a place of a text; undefined where none begins. Its signs stand for
 * themselves: Markdown would take `\(` for a bracket, `\\` for one backslash and `x^*` for emphasis.
 *
 * Known are `\(...\)`, `\[...\]`, `$$...$$` and, by Pandoc's rule, `$...$`: no blank after the first sign or before the
 * last, no digit behind it, since `$5 and $10` are prices. Variables of a shell and words between two prices are no
 * formulas either. Source: Pandoc's manual, tex_math_dollars.
 */
export function formulaEnd(text: string, at: number): number | undefined {
  return endOf(text, at, signsOf(text))
}

/** A parser's place in its text. */
interface PlaceInText {
  readonly src: string
  readonly pos: number
}

/**
 * Makes a `formulaEnd` for a parser that asks at many places of its text, which stays the same. What it has looked for once
 * is known from then on: all places together cost as much as the text is long.
 */
export function createFormulaFinder(): (state: PlaceInText) => number | undefined {
  const known = new WeakMap<PlaceInText, Signs>()
  return (state) => {
    const signs = known.get(state) ?? signsOf(state.src)
    known.set(state, signs)
    return endOf(state.src, state.pos, signs)
  }
}

/** Signs of a text that end formulas; each finds the first at a place or behind it, Infinity where there is none. */
interface Signs {
  readonly round: (from: number) => number
  readonly square: (from: number) => number
  readonly dollars: (from: number) => number
  /** Empty lines and backticks: a formula has no empty line, and what is in backticks is code. */
  readonly breaks: (from: number) => number
}

function signsOf(text: string): Signs {
  const emptyLineOrCode = /\n[ \t]*\n|`/g
  return {
    round: remembered((from) => text.indexOf('\\)', from)),
    square: remembered((from) => text.indexOf('\\]', from)),
    dollars: remembered((from) => text.indexOf('$$', from)),
    breaks: remembered((from) => {
      emptyLineOrCode.lastIndex = from
      return emptyLineOrCode.exec(text)?.index ?? -1
    }),
  }
}

/** Makes a search that looks only at places that the last one has not seen. */
function remembered(search: (from: number) => number): (from: number) => number {
  let seenFrom = 0
  let found = -1
  return (from) => {
    if (from < seenFrom || from > found) {
      const next = search(from)
      seenFrom = from
      found = next < 0 ? Number.POSITIVE_INFINITY : next
    }
    return found
  }
}

function endOf(text: string, at: number, signs: Signs): number | undefined {
  const two = text.slice(at, at + 2)
  switch (two) {
    case '\\(':
      return closed(text, at, signs.round, signs)
    case '\\[':
      return closed(text, at, signs.square, signs)
    case '$$':
      return closed(text, at, signs.dollars, signs)
    default:
      return text[at] === '$' && text[at - 1] !== '$' ? inDollars(text, at) : undefined
  }
}

function closed(
  text: string,
  at: number,
  closing: (from: number) => number,
  { breaks }: Signs,
): number | undefined {
  const end = closing(at + 2)
  if (end > at + longest || breaks(at + 2) < end) return undefined
  return text.slice(at + 2, end).trim() === '' ? undefined : end + 2
}

function inDollars(text: string, at: number): number | undefined {
  const rest = text.slice(at + 1, at + longest)
  const match = /^(?![\s$])((?:\\[\s\S]|[^\\$`\n])*?[^\s\\$`])\$(?![0-9$])/.exec(rest)
  if (match === null || match[0].endsWith('\\$')) return undefined
  if (isProse(match[1] ?? '', rest[match[0].length] ?? '')) return undefined
  return at + 1 + match[0].length
}

/** Returns true for what stands between two dollar signs by chance: `$HOME/bin:$PATH`, `$5k up to 10k$`. */
function isProse(inner: string, next: string): boolean {
  if (/[/:]$/.test(inner)) return true
  if (/^[A-Z_][A-Z0-9_]+$/.test(inner) && /[A-Za-z_]/.test(next)) return true
  return !/[\\^_={]/.test(inner) && /\p{L}{2},? \p{L}{2}|^\d.* \p{L}{2}/u.test(inner)
}
