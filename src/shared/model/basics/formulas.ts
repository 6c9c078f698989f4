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
  const two = text.slice(at, at + 2)
  switch (two) {
    case '\\(':
      return closed(text, at, '\\)')
    case '\\[':
      return closed(text, at, '\\]')
    case '$$':
      return closed(text, at, '$$')
    default:
      return text[at] === '$' && text[at - 1] !== '$' ? inDollars(text, at) : undefined
  }
}

function closed(text: string, at: number, close: string): number | undefined {
  const near = text.slice(at + 2, at + 2 + longest)
  const length = near.indexOf(close)
  if (length < 0) return undefined
  const inner = near.slice(0, length)
  // A formula has no empty line, and what is in backticks is code.
  if (inner.trim() === '' || /\n[ \t]*\n|`/.test(inner)) return undefined
  return at + 2 + length + close.length
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
  return !/[\\^_={]/.test(inner) && /\p{L}{2,},? \p{L}{2,}|^\d.* \p{L}{2,}/u.test(inner)
}
