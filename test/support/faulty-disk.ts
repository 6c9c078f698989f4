import {
  type Disk,
  DiskError,
  type DiskErrorCode,
  type DiskFile,
} from '../../src/main/disk/interface/disk'
import { callKind, openingKind } from './call-kinds'

/**
 * What goes wrong at a call. `short-write` takes half of the bytes and says so; other calls then fail with no space.
 * `done-then-io`: the call does its work and fails all the same, as on a network drive whose answer is lost.
 * `kill` ends the process right before it, as SIGKILL does.
 */
export type Fault = DiskErrorCode | 'short-write' | 'done-then-io' | 'kill'

/** Which call goes wrong, and how. */
export interface FaultPlan {
  /** Counts the calls that may change the disk, from 1; undefined: none fails. */
  readonly at?: number
  /**
   * Counts others instead: syncs of files alone; calls that only read (open, read, stat, list, real path); of those the ones
   * that take a descriptor (open, list).
   */
  readonly only?: 'sync' | 'read' | 'open'
  readonly fault: Fault
  /** Every later call fails as well, as after a crash: what is on the disk stays as it is. */
  readonly forEver?: boolean
}

/** A disk that fails when it is told to, over a real one. */
export interface FaultyDisk extends Disk {
  /** Calls so far that may have changed the disk. */
  readonly calls: () => number
  /** The kind of each of them, in order: what was called, and of which file, whatever its number. */
  readonly kinds: () => readonly string[]
  /** Begins to count anew with another plan. */
  readonly plan: (plan: FaultPlan) => void
}

/** Wraps a disk; reading never fails, but after a crash and where it is asked for. */
export function faultyDisk(disk: Disk, first: FaultPlan = { fault: 'io' }): FaultyDisk {
  let plan = first
  let calls = 0
  let kinds: string[] = []
  let crashed = false

  const counted = (kind: string) => {
    calls += 1
    kinds.push(kind)
  }
  const error = (path: string) => {
    const { fault } = plan
    const code =
      fault === 'short-write'
        ? 'no-space'
        : fault === 'done-then-io' || fault === 'kill'
          ? 'io'
          : fault
    return new DiskError(code, path, `${path}: injected ${code}`)
  }
  /** Counts a call that changes something; throws when it is the one. */
  const change = (name: string, path: string): boolean => {
    if (crashed) throw error(path)
    if (plan.only !== undefined && plan.only !== name) return false
    counted(callKind(name, path))
    if (calls !== plan.at) return false
    if (plan.fault === 'kill') process.kill(process.pid, 'SIGKILL')
    crashed = plan.forEver === true
    return true
  }
  const failing = async <T>(name: string, path: string, work: () => Promise<T>): Promise<T> => {
    if (!change(name, path)) return work()
    if (plan.fault === 'done-then-io') await work()
    throw error(path)
  }
  const reading = (name: string, path: string, takesDescriptor = false) => {
    if (crashed) throw error(path)
    if (plan.only !== 'read' && !(plan.only === 'open' && takesDescriptor)) return
    counted(name === 'open' ? openingKind(path) : callKind(name, path))
    if (calls === plan.at) throw error(path)
  }

  const file = (path: string, opened: DiskFile): DiskFile => ({
    async read(into, position) {
      reading('read', path)
      return opened.read(into, position)
    },
    async write(bytes) {
      if (!change('write', path)) return opened.write(bytes)
      if (plan.fault === 'done-then-io') await opened.write(bytes)
      if (plan.fault !== 'short-write') throw error(path)
      return opened.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
    },
    sync: () => failing('sync', path, () => opened.sync()),
    async stat() {
      reading('fstat', path)
      return opened.stat()
    },
    // A crash closes files as well.
    close: () => opened.close(),
  })

  return {
    calls: () => calls,
    kinds: () => kinds,
    plan(next) {
      plan = next
      calls = 0
      kinds = []
      crashed = false
    },
    async stat(path) {
      reading('stat', path)
      return disk.stat(path)
    },
    statNow(path) {
      reading('statNow', path)
      return disk.statNow(path)
    },
    async list(folder) {
      reading('list', folder, true)
      return disk.list(folder)
    },
    async open(path, mode, permissions) {
      if (mode === 'read') {
        reading('open', path, true)
        return file(path, await disk.open(path, mode))
      }
      if (!change('open', path)) return file(path, await disk.open(path, mode, permissions))
      if (plan.fault === 'done-then-io') await (await disk.open(path, mode, permissions)).close()
      throw error(path)
    },
    makeFolder: (path, permissions) =>
      failing('makeFolder', path, () => disk.makeFolder(path, permissions)),
    rename: (from, to) => failing('rename', to, () => disk.rename(from, to)),
    link: (from, to) => failing('link', to, () => disk.link(from, to)),
    unlink: (path) => failing('unlink', path, () => disk.unlink(path)),
    removeFolder: (path) => failing('removeFolder', path, () => disk.removeFolder(path)),
    syncFolder: (path) => failing('syncFolder', path, () => disk.syncFolder(path)),
    async realPath(path) {
      reading('realPath', path)
      return disk.realPath(path)
    },
  }
}
