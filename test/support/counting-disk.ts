import type { Disk, DiskFile } from '../../src/main/disk/interface/disk'

/** Wraps a disk: `before` is called before each call of it and of its files, with how many there were, from 1, and what is called of which file. */
export function countingDisk(
  disk: Disk,
  before: (call: number, name: string, path: string) => void,
): Disk {
  let calls = 0
  const count = (name: string, path: string) => {
    calls += 1
    before(calls, name, path)
  }
  const file = (path: string, opened: DiskFile): DiskFile => ({
    async read(into, position) {
      count('read', path)
      return opened.read(into, position)
    },
    async write(bytes) {
      count('write', path)
      return opened.write(bytes)
    },
    async sync() {
      count('sync', path)
      return opened.sync()
    },
    async stat() {
      count('stat', path)
      return opened.stat()
    },
    async close() {
      count('close', path)
      return opened.close()
    },
  })
  return {
    async stat(path) {
      count('stat', path)
      return disk.stat(path)
    },
    statNow(path) {
      count('statNow', path)
      return disk.statNow(path)
    },
    async list(folder) {
      count('list', folder)
      return disk.list(folder)
    },
    async open(path, mode, permissions) {
      count('open', path)
      return file(path, await disk.open(path, mode, permissions))
    },
    async makeFolder(path, permissions) {
      count('makeFolder', path)
      return disk.makeFolder(path, permissions)
    },
    async rename(from, to) {
      count('rename', to)
      return disk.rename(from, to)
    },
    async link(from, to) {
      count('link', to)
      return disk.link(from, to)
    },
    async unlink(path) {
      count('unlink', path)
      return disk.unlink(path)
    },
    async removeFolder(path) {
      count('removeFolder', path)
      return disk.removeFolder(path)
    },
    async syncFolder(path) {
      count('syncFolder', path)
      return disk.syncFolder(path)
    },
    async realPath(path) {
      count('realPath', path)
      return disk.realPath(path)
    },
  }
}
