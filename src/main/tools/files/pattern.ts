import vm from 'node:vm'
import { runWithTimeLimit } from '../../async/time-limit'
import { ToolRefusal } from '../base/define-tool'

/** Matches lines with a pattern; returns the indices of those that match. @throws ToolRefusal when it takes too long */
export type MatchLines = (lines: readonly string[]) => readonly number[]

const longestPattern = 1000

const compile = new vm.Script('re = new RegExp(pattern, flags); undefined')
const match = new vm.Script(
  `(() => {
    const found = []
    for (let i = 0; i < lines.length; i++) if (re.test(lines[i])) found.push(i)
    return found
  })()`,
)

/**
 * Makes a JavaScript regular expression safe to run: in a context of its own, the engine is stopped when it has
 * computed for a quarter of a second. A leading `(?i)`, as other languages have it, ignores case.
 *
 * @throws ToolRefusal no regular expression, too long
 */
export function createMatcher(asked: string): MatchLines {
  if (asked.length > longestPattern)
    throw new ToolRefusal(`the pattern is longer than ${longestPattern} characters`)
  const ignoresCase = asked.startsWith('(?i)')
  const pattern = ignoresCase ? asked.slice(4) : asked
  const flags = ignoresCase ? 'i' : ''
  const sandbox = vm.createContext({ pattern, flags: `${flags}u`, re: undefined, lines: [] })
  try {
    runWithTimeLimit(compile, sandbox)
  } catch {
    // Without `u` more escapes are allowed, such as `\-`.
    sandbox.flags = flags
    try {
      runWithTimeLimit(compile, sandbox)
    } catch (error) {
      throw new ToolRefusal(`the pattern cannot be used: ${messageOf(error)}`)
    }
  }
  return (lines) => {
    sandbox.lines = lines
    try {
      return [...(runWithTimeLimit(match, sandbox) as readonly number[])]
    } catch {
      throw new ToolRefusal('the pattern takes too long on these lines; ask for a simpler one')
    }
  }
}

/** Errors of another context are of no class that is known here. */
function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null)?.message
  return typeof message === 'string' ? message : String(error)
}
