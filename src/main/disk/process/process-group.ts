import fs from 'node:fs'

/**
 * Returns true while a process of the group runs. A zombie, which has ended and waits for its parent, does not count;
 * without /proc that is unknown, and it counts as running.
 *
 * Reads every process of the machine: some milliseconds where there are hundreds.
 */
export function isGroupRunning(group: number): boolean {
  try {
    process.kill(-group, 0)
  } catch {
    return false // ESRCH; on macOS also EPERM, for a group whose processes have all ended.
  }
  const pids = numbersIn('/proc')
  return pids === undefined || pids.some((pid) => runsIn(group, pid))
}

function numbersIn(folder: string): readonly string[] | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return fs.readdirSync(folder).filter((name) => /^\d+$/.test(name))
  } catch {
    return undefined
  }
}

function runsIn(group: number, pid: string): boolean {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the command in parentheses and may hold spaces and parentheses itself.
    const [state, , ofGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(ofGroup) === group && state !== 'Z' && state !== 'X'
  } catch {
    return false // Gone since it was listed.
  }
}
