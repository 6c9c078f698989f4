/** The longest formula, in UTF-16 units: a dollar sign far away belongs to another sentence. */
const longest = 10_000

/**
 * Finds where the formula ends that begins at a place of a text; undefined where none begins. Its signs stand for
 * themselves: Markdown would take `\(` for a bracket, `\\` for one backslash and `x^*` for emphasis.
 *
 * Known are `\(...\)`, `\[...\]`, `$$...$$` and, by Pandoc's rule, `$...$`: no blank after the first sign or before the
 * last, no digit behind it, since `$5 and $10` are prices. Source: Pandoc's manual, tex_math_dollars.
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
  return at + 1 + match[0].length
}
