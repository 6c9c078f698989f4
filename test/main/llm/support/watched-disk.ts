import fs from 'node:fs'
import type { Disk, DiskFile } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'

/** Tells a line on stdout, and resolves when a byte comes on stdin for it. */
export type Step = (words: string) => Promise<void>

/** For a process that a test kills: whoever reads its lines decides when it goes on, and whether. */
export function steps(): Step {
  // Some changes are made side by side: each waits for a byte of its own.
  const waiting: (() => void)[] = []
  let free = 0
  process.stdin.on('data', (bytes) => {
    for (free += bytes.length; free > 0 && waiting.length > 0; free--) waiting.shift()?.()
  })
  return (words) => {
    // Synchronous: what was told is on the pipe when the process dies.
    fs.writeSync(1, `${words}\n`)
    return new Promise<void>((resolve) => {
      if (free > 0) {
        free--
        resolve()
      } else waiting.push(resolve)
    })
  }
}

/** The disk, which tells each change of it before it is made. */
export function toldDisk(step: Step): Disk {
  const file = (path: string, opened: DiskFile): DiskFile => ({
    read: (into, position) => opened.read(into, position),
    stat: () => opened.stat(),
    close: () => opened.close(),
    async write(bytes) {
      await step(`write ${path}`)
      return opened.write(bytes)
    },
    async sync() {
      await step(`sync ${path}`)
      return opened.sync()
    },
  })
  return {
    ...nodeDisk,
    async open(path, mode, permissions) {
      if (mode !== 'read') await step(`open ${path}`)
      return file(path, await nodeDisk.open(path, mode, permissions))
    },
    async rename(from, to) {
      await step(`rename ${to}`)
      return nodeDisk.rename(from, to)
    },
    async link(from, to) {
      await step(`link ${to}`)
      return nodeDisk.link(from, to)
    },
    async unlink(path) {
      await step(`unlink ${path}`)
      return nodeDisk.unlink(path)
    },
  }
}
