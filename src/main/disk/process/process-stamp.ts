import fs from 'node:fs'
import os from 'node:os'

/** The identity of one process for as long as any trace of it may be on a disk: a pid alone is reused. */
export interface ProcessStamp {
  readonly host: string
  readonly pid: number
  /** Linux: clock ticks from boot to the process's start. */
  readonly startTime?: string | undefined
  /** Linux: another after each boot. */
  readonly boot?: string | undefined
  /** Linux: the pid namespace; pids of another container mean nothing here. */
  readonly namespace?: string | undefined
}

/** Returns the stamp of this process. */
export function ownStamp(): ProcessStamp {
  const { startTime, boot, namespace } = ownLife()
  return { host: os.hostname(), pid: process.pid, startTime, boot, namespace }
}

/** Returns true where two stamps are of one process. */
export function isSameProcess(a: ProcessStamp, b: ProcessStamp): boolean {
  return (
    a.host === b.host &&
    a.pid === b.pid &&
    a.startTime === b.startTime &&
    a.boot === b.boot &&
    a.namespace === b.namespace
  )
}

/**
 * Returns true where the process has certainly ended. False while it lives, and where that cannot be known from here:
 * another host, another container.
 *
 * Without /proc only the pid is checked: a pid that was given to another process counts as alive.
 */
export function isDead(stamp: ProcessStamp): boolean {
  if (stamp.host !== os.hostname()) return false
  const own = ownLife()
  if (stamp.boot !== own.boot) return stamp.boot !== undefined && own.boot !== undefined
  if (stamp.namespace !== own.namespace) return false
  if (stamp.startTime !== undefined) {
    const now = startTimeOf(stamp.pid)
    if (now === undefined) return !canSignal(stamp.pid)
    // A zombie runs no code any more: its parent has not asked for its end yet.
    return now.startTime !== stamp.startTime || now.state === 'Z' || now.state === 'X'
  }
  return !canSignal(stamp.pid)
}

/**
 * Returns true where the process certainly exists, also a stopped one: its claims, which only our own programs
 * respect, stay valid that long. False where that cannot be known from here.
 */
export function isAlive(stamp: ProcessStamp): boolean {
  const { host, boot, namespace, startTime } = stamp
  const own = ownLife()
  if (host !== os.hostname() || boot === undefined || boot !== own.boot) return false
  if (namespace === undefined || namespace !== own.namespace || startTime === undefined)
    return false
  const now = startTimeOf(stamp.pid)
  return now?.startTime === startTime && now.state !== 'Z' && now.state !== 'X'
}

type OwnLife = Pick<ProcessStamp, 'startTime' | 'boot' | 'namespace'>

let life: OwnLife | undefined

/** Facts that stay the same for as long as this process lives: asked for several times at each lock, so /proc is read once. */
function ownLife(): OwnLife {
  life ??= {
    startTime: startTimeOf(process.pid)?.startTime,
    boot: bootId(),
    namespace: pidNamespace(),
  }
  return life
}

function startTimeOf(pid: number): { startTime: string; state: string } | undefined {
  const stat = readProc(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The second field is the command in parentheses and may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startTime] = [fields[0], fields[19]]
  return state === undefined || startTime === undefined ? undefined : { state, startTime }
}

function bootId(): string | undefined {
  return readProc('/proc/sys/kernel/random/boot_id')?.trim()
}

function pidNamespace(): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return fs.readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined // Without /proc the namespace is as unknown to us as to every other process here.
  }
}

function readProc(file: string): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    return undefined // No such process, or no /proc at all: both are answers, not failures.
  }
}

function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    return (error as { code?: unknown }).code === 'EPERM'
  }
}
