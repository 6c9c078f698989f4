import type vm from 'node:vm'

/** Some 64 KB of text are searched in a millisecond; what computes for so long backtracks without end. */
const usualPatienceMs = 250
/** A machine that is busy, or slept, let it compute for a part of the time alone: so long it is tried in all. */
const longestWaitMs = 30_000

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
