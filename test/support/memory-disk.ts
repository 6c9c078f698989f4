import { type Disk, DiskError, type FileStat } from '../../src/main/disk/interface/disk'

/** A disk in memory that nobody can write to but the test itself: for thousands of small roots. */
export interface MemoryDisk extends Disk {
  /** Puts a file in place of what was there: another one, by its identity. */
  put(file: string, bytes: Buffer): void
  /** Adds to a file that is there, as a writer does. */
  add(file: string, bytes: Buffer): void
}

interface Held {
  bytes: Buffer
  mtimeMs: number
  readonly identity: string
}

/** Paths are absolute, with slashes. Every call that would change something rejects. */
export function memoryDisk(): MemoryDisk {
  const files = new Map<string, Held>()
  const folders = new Map<string, Set<string>>()
  let clock = 1_760_000_000_000
  let made = 0

  const gone = (path: string) => new DiskError('not-found', path, `${path} is not there`)
  const refused = (path: string) =>
    Promise.reject(new DiskError('denied', path, `${path} was written to`))

  const statNow = (path: string): FileStat | undefined => {
    const file = files.get(path)
    if (file !== undefined) return statOf(file)
    if (!folders.has(path)) return undefined
    return { kind: 'directory', sizeBytes: 0, mtimeMs: 0, identity: `2:${path.length}` }
  }

  return {
    put(file, bytes) {
      clock += 1
      made += 1
      files.set(file, { bytes, mtimeMs: clock, identity: `1:${made}` })
      for (let path = file; path.lastIndexOf('/') > 0; ) {
        const folder = path.slice(0, path.lastIndexOf('/'))
        const names = folders.get(folder) ?? new Set<string>()
        names.add(path.slice(folder.length + 1))
        folders.set(folder, names)
        path = folder
      }
    },
    add(file, bytes) {
      const held = files.get(file)
      if (held === undefined) throw gone(file)
      clock += 1
      held.bytes = Buffer.concat([held.bytes, bytes])
      held.mtimeMs = clock
    },
    stat: async (path) => statNow(path),
    statNow,
    async list(folder) {
      const names = folders.get(folder)
      if (names === undefined) throw gone(folder)
      return [...names]
    },
    async open(path, mode) {
      const file = files.get(path)
      if (mode !== 'read') return refused(path)
      if (file === undefined) throw gone(path)
      return {
        read: async (into, position) => file.bytes.copy(into, 0, position),
        write: () => refused(path),
        sync: () => refused(path),
        stat: async () => statOf(file),
        close: async () => undefined,
      }
    },
    realPath: async (path) => path,
    makeFolder: refused,
    rename: refused,
    link: refused,
    unlink: refused,
    removeFolder: refused,
    syncFolder: refused,
  }
}

function statOf({ bytes, mtimeMs, identity }: Held): FileStat {
  return { kind: 'file', sizeBytes: bytes.length, mtimeMs, identity }
}
