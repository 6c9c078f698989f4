import type { Disk, DiskFile } from '../../src/main/disk/interface/disk'

/** Wraps a disk: `before` is called before each call of it and of its files, with how many there were, from 1, and what is called. */
export function countingDisk(disk: Disk, before: (call: number, name: string) => void): Disk {
  let calls = 0
  const count = (name: string) => {
    calls += 1
    before(calls, name)
  }
  const file = (opened: DiskFile): DiskFile => ({
    async read(into, position) {
      count('read')
      return opened.read(into, position)
    },
    async write(bytes) {
      count('write')
      return opened.write(bytes)
    },
    async sync() {
      count('sync')
      return opened.sync()
    },
    async stat() {
      count('stat')
      return opened.stat()
    },
    async close() {
      count('close')
      return opened.close()
    },
  })
  return {
    async stat(path) {
      count('stat')
      return disk.stat(path)
    },
    statNow(path) {
      count('statNow')
      return disk.statNow(path)
    },
    async list(folder) {
      count('list')
      return disk.list(folder)
    },
    async open(path, mode, permissions) {
      count('open')
      return file(await disk.open(path, mode, permissions))
    },
    async makeFolder(path, permissions) {
      count('makeFolder')
      return disk.makeFolder(path, permissions)
    },
    async rename(from, to) {
      count('rename')
      return disk.rename(from, to)
    },
    async link(from, to) {
      count('link')
      return disk.link(from, to)
    },
    async unlink(path) {
      count('unlink')
      return disk.unlink(path)
    },
    async removeFolder(path) {
      count('removeFolder')
      return disk.removeFolder(path)
    },
    async syncFolder(path) {
      count('syncFolder')
      return disk.syncFolder(path)
    },
    async realPath(path) {
      count('realPath')
      return disk.realPath(path)
    },
  }
}
