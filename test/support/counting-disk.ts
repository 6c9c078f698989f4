import type { Disk, DiskFile } from '../../src/main/disk/interface/disk'

/** Wraps a disk: `before` is called before each call of it and of its files, with how many there were, from 1. */
export function countingDisk(disk: Disk, before: (call: number) => void): Disk {
  let calls = 0
  const count = () => {
    calls += 1
    before(calls)
  }
  const file = (opened: DiskFile): DiskFile => ({
    async read(into, position) {
      count()
      return opened.read(into, position)
    },
    async write(bytes) {
      count()
      return opened.write(bytes)
    },
    async sync() {
      count()
      return opened.sync()
    },
    async stat() {
      count()
      return opened.stat()
    },
    async close() {
      count()
      return opened.close()
    },
  })
  return {
    async stat(path) {
      count()
      return disk.stat(path)
    },
    statNow(path) {
      count()
      return disk.statNow(path)
    },
    async list(folder) {
      count()
      return disk.list(folder)
    },
    async open(path, mode, permissions) {
      count()
      return file(await disk.open(path, mode, permissions))
    },
    async makeFolder(path, permissions) {
      count()
      return disk.makeFolder(path, permissions)
    },
    async rename(from, to) {
      count()
      return disk.rename(from, to)
    },
    async link(from, to) {
      count()
      return disk.link(from, to)
    },
    async unlink(path) {
      count()
      return disk.unlink(path)
    },
    async removeFolder(path) {
      count()
      return disk.removeFolder(path)
    },
    async syncFolder(path) {
      count()
      return disk.syncFolder(path)
    },
    async realPath(path) {
      count()
      return disk.realPath(path)
    },
  }
}
