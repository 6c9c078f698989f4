import { execFileSync } from 'node:child_process'
import { root } from '../setup/project.mjs'

/**
 * The time that packed files get, in seconds: `SOURCE_DATE_EPOCH` where it is set (reproducible-builds.org), else that of the
 * last commit, else of 2026: never the time of packing, which would give other bytes each time.
 */
export function sourceTime() {
  const given = Number(process.env.SOURCE_DATE_EPOCH)
  if (Number.isSafeInteger(given) && given > 0) return given
  try {
    const args = ['log', '-1', '--format=%ct']
    return Number(execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return Date.UTC(2026, 0, 1) / 1000
  }
}
