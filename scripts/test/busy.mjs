import { spawn } from 'node:child_process'

/** Takes a core for itself until whoever started it is gone, even if that one was killed and could end nothing. */
const busily =
  'const parent = Number(process.argv[1]); while (process.ppid === parent) for (let n = 0; n < 1e7; n++);'

/**
 * Starts processes that are always busy, as a machine is on which others work as well.
 *
 * They end with `end`, and with this process however that ends.
 * @param {number} count
 * @returns {{ pids: readonly number[], end: () => void }}
 */
export function startBusy(count) {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', busily, String(process.pid)], { stdio: 'ignore' }),
  )
  const end = () => {
    for (const child of children) child.kill('SIGKILL')
    process.off('exit', end)
  }
  process.once('exit', end)
  return { pids: children.flatMap(({ pid }) => (pid === undefined ? [] : [pid])), end }
}
