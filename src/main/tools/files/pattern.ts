import vm from 'node:vm'
import { ToolRefusal } from '../base/define-tool'

/** Matches lines with a pattern; returns the indices of those that match. @throws ToolRefusal when it takes too long */
export type MatchLines = (lines: readonly string[]) => readonly number[]

const longestPattern = 1000

/**
 * Some 64 KB of text are searched in a millisecond; a pattern that computes for so long backtracks without end.
 */
const usualPatienceMs = 250
/** A machine that is busy, or slept, let it compute for a part of the time alone: so long it is tried in all. */
const longestWaitMs = 30_000

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

/**
 * Runs a script in a context of its own until it has computed for a quarter of a second, or `patienceMs`: the
 * engine's own limit counts the time in which it has to wait too. Throws what the script throws, and an error when it
 * is stopped: `hasTimedOut` tells that one.
 */
export function runWithTimeLimit(
  script: vm.Script,
  sandbox: vm.Context,
  patienceMs = usualPatienceMs,
): unknown {
  const longest = Math.max(longestWaitMs, patienceMs)
  for (let waitMs = patienceMs; ; waitMs *= 4) {
    const before = process.cpuUsage()
    try {
      return script.runInContext(sandbox, { timeout: waitMs })
    } catch (error) {
      const { user, system } = process.cpuUsage(before)
      const hasWaited = (user + system) / 1000 < patienceMs
      if (!hasTimedOut(error) || !hasWaited || waitMs * 4 > longest) throw error
    }
  }
}

/** Returns true where a script was stopped because it computed for too long. */
export function hasTimedOut(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

/** Errors of another context are of no class that is known here. */
function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null)?.message
  return typeof message === 'string' ? message : String(error)
}
