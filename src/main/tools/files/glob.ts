import { ToolRefusal } from '../base/define-tool'
import { createMatcher, type MatchLines } from './pattern'

/**
 * Matches whole paths (with slashes) with a glob: `*` and `?` stay in one name, `**` goes through
 * folders, `[a-z]` and `[!a]` are one character, `{a,b}` is one of several.
 *
 * @throws ToolRefusal where the glob is none
 */
export function globMatcher(glob: string): MatchLines {
  let source = ''
  let open = 0
  for (let at = 0; at < glob.length; ) {
    const rest = glob.slice(at)
    const token = /^(\*\*\/|\*\*|\[[!^]?\]?[^\]/]*\]|\\?.)/s.exec(rest)?.[0] ?? rest.charAt(0)
    at += token.length
    if (token === '{') open += 1
    if (token === '}' && open === 0)
      throw new ToolRefusal('the glob closes a brace that is not open')
    source += sourceOf(token, open > 0)
    if (token === '}') open -= 1
  }
  if (open > 0) throw new ToolRefusal('the glob does not close its brace')
  return createMatcher(`^(?:${source})$`)
}

function sourceOf(token: string, inBraces: boolean): string {
  if (token === '**/') return '(?:[^/]+/)*'
  if (token === '**') return '.*'
  if (token === '*') return '[^/]*'
  if (token === '?') return '[^/]'
  if (token === '{') return '(?:'
  if (token === '}') return ')'
  if (token === ',' && inBraces) return '|'
  if (token.length > 1 && token.startsWith('[')) {
    const isNot = token[1] === '!' || token[1] === '^'
    const inside = token.slice(isNot ? 2 : 1, -1).replace(/[\\[\]^]/g, '\\$&')
    return isNot ? `[^/${inside}]` : `[${inside}]`
  }
  const plain = token.length > 1 && token.startsWith('\\') ? token.slice(1) : token
  return plain.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
