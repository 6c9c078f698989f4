import { type Disk, DiskError, type DiskFile } from '../../src/main/disk/interface/disk'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { callKind } from './call-kinds'

/** One call of a disk or of a file that it opened. */
export interface DiskCall {
  /** Counted from 1. */
  readonly at: number
  readonly name: string
  readonly path: string
}

export interface WatchedDisk extends Disk {
  readonly calls: () => number
  /** The kind of each of them, in order: what was called, and of which file, whatever its number. */
  readonly kinds: () => readonly string[]
  /** Paths of the files and folders that are open now. */
  readonly openFiles: () => readonly string[]
}

/** What is done right before and right after each call. What `before` throws is what the call throws. */
export interface DiskHooks {
  before?(call: DiskCall): void
  after?(call: DiskCall): void
}

/** A disk over a real one that counts every call, reading ones too, and knows which files are open. */
export function watchedDisk(hooks: DiskHooks = {}, inner: Disk = nodeDisk): WatchedDisk {
  let calls = 0
  const kinds: string[] = []
  const open = new Map<object, string>()
  const { pin } = inner

  const begin = (name: string, path: string): DiskCall => {
    calls += 1
    kinds.push(callKind(name, path))
    const call = { at: calls, name, path }
    hooks.before?.(call)
    return call
  }
  const around = async <T>(name: string, path: string, work: () => Promise<T>): Promise<T> => {
    const call = begin(name, path)
    const value = await work()
    hooks.after?.(call)
    return value
  }

  const fileOf = (path: string, opened: DiskFile): DiskFile => {
    open.set(opened, path)
    return {
      read: (into, position) => around('read', path, () => opened.read(into, position)),
      write: (bytes) => around('write', path, () => opened.write(bytes)),
      sync: () => around('sync', path, () => opened.sync()),
      stat: () => around('fstat', path, () => opened.stat()),
      realPath: () => around('frealPath', path, async () => opened.realPath?.()),
      async close() {
        // A handle is gone whatever its closing says.
        open.delete(opened)
        await opened.close()
        await around('close', path, async () => {})
      },
    }
  }

  return {
    calls: () => calls,
    kinds: () => kinds,
    openFiles: () => [...open.values()],
    stat: (path) => around('stat', path, () => inner.stat(path)),
    statNow(path) {
      const call = begin('statNow', path)
      const stat = inner.statNow(path)
      hooks.after?.(call)
      return stat
    },
    list: (folder) => around('list', folder, () => inner.list(folder)),
    open: (path, mode, permissions) =>
      around('open', path, async () => fileOf(path, await inner.open(path, mode, permissions))),
    makeFolder: (path, permissions) =>
      around('makeFolder', path, () => inner.makeFolder(path, permissions)),
    rename: (from, to) => around('rename', to, () => inner.rename(from, to)),
    link: (from, to) => around('link', to, () => inner.link(from, to)),
    unlink: (path) => around('unlink', path, () => inner.unlink(path)),
    removeFolder: (path) => around('removeFolder', path, () => inner.removeFolder(path)),
    syncFolder: (path) => around('syncFolder', path, () => inner.syncFolder(path)),
    realPath: (path) => around('realPath', path, () => inner.realPath(path)),
    ...(pin === undefined
      ? {}
      : {
          pin: (folder: string) =>
            around('pin', folder, async () => {
              const pinned = await pin(folder)
              const handle = {}
              open.set(handle, folder)
              return {
                path: pinned.path,
                close() {
                  open.delete(handle)
                  return pinned.close()
                },
              }
            }),
        }),
  }
}

/** Makes the hooks that have one call fail. */
export function failingAt(at: number): DiskHooks {
  return {
    before(call) {
      if (call.at === at)
        throw new DiskError('io', call.path, `${call.path}: injected io at ${call.name} ${at}`)
    },
  }
}
