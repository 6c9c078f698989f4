/**
 * Compiles a pattern of a query: `^` and `$` are the borders of lines. It goes by characters, and by UTF-16 units where its
 * escapes are none of those that a pattern of characters may have, such as `\-`.
 *
 * @param flags of `i` and `s`
 * @throws SyntaxError
 */
export function compiledRegex(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}gmu`)
  } catch {
    return new RegExp(source, `${flags}gm`)
  }
}
