import { type AST, RegExpParser } from '@eslint-community/regexpp'

/**
 * Parses a pattern into a tree, by characters or by UTF-16 units as `compiledRegex` takes it.
 *
 * @param source compiles, see `compiledRegex`
 */
export function parsedRegex(source: string): AST.Pattern {
  const parser = new RegExpParser()
  try {
    return parser.parsePattern(source, 0, source.length, { unicode: true })
  } catch {
    return parser.parsePattern(source, 0, source.length, { unicode: false })
  }
}
