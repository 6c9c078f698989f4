import vm from 'node:vm'
import { Refusal } from './define'

/** Tells which of some lines a pattern matches, by their indices. @throws Refusal when it takes too long */
export type MatchLines = (lines: readonly string[]) => readonly number[]

const longestPattern = 1000

/** Some 64 KB of text are looked through in a millisecond; a pattern that takes so long backtracks without end. */
const patienceMs = 250

const compile = new vm.Script('re = new RegExp(pattern, flags); undefined')
const match = new vm.Script(
  `(() => {
    const found = []
    for (let i = 0; i < lines.length; i++) if (re.test(lines[i])) found.push(i)
    return found
  })()`,
)

/**
 * Makes a JavaScript regular expression safe to run: in a context of its own, the engine is stopped after a
 * second. A leading `(?i)`, as other languages have it, ignores case.
 *
 * @throws Refusal no regular expression, too long
 */
export function matcherOf(asked: string): MatchLines {
  if (asked.length > longestPattern)
    throw new Refusal(`the pattern is longer than ${longestPattern} characters`)
  const ignoresCase = asked.startsWith('(?i)')
  const pattern = ignoresCase ? asked.slice(4) : asked
  const flags = ignoresCase ? 'i' : ''
  const sandbox = vm.createContext({ pattern, flags: `${flags}u`, re: undefined, lines: [] })
  try {
    compile.runInContext(sandbox, { timeout: patienceMs })
  } catch {
    // Without `u` more escapes are allowed, such as `\-`.
    sandbox.flags = flags
    try {
      compile.runInContext(sandbox, { timeout: patienceMs })
    } catch (error) {
      throw new Refusal(`the pattern cannot be used: ${messageOf(error)}`)
    }
  }
  return (lines) => {
    sandbox.lines = lines
    try {
      return [...match.runInContext(sandbox, { timeout: patienceMs })]
    } catch {
      throw new Refusal('the pattern takes too long on these lines; ask for a simpler one')
    }
  }
}

/** Errors of another context are of no class that is known here. */
function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null)?.message
  return typeof message === 'string' ? message : String(error)
}
