import { sleep } from '../async/sleep'
import { isGroupRunning } from '../disk/process/process-group'

/** Between two looks whether a group is gone. */
const lookMs = 20
/** The ms to wait for the end of killed processes. */
const killedMs = 1_000

/**
 * Ends a process group: asks every process of it to end, and after the grace makes them. Resolves when none is left, or
 * when the rest was killed; at once where there is none. A process that left the group is not reached.
 */
export async function endGroup(pid: number, graceMs: number): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM') || (await isGone(pid, graceMs))) return
  // It cannot refuse, but it takes a moment; one that waits for a disk which does not answer takes longer.
  if (signalGroup(pid, 'SIGKILL')) await isGone(pid, killedMs)
}

/** Resolves to true where no process of it is left within a time. */
async function isGone(pid: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += lookMs) {
    await sleep(lookMs)
    if (!isGroupRunning(pid)) return true
  }
  return false
}

/** Returns true where a process got the signal. The group's number is not reused while a process of it lives. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch {
    return false // ESRCH; on macOS also EPERM, for a group whose processes have all ended.
  }
}
