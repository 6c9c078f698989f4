import fs from 'node:fs'
import { type Disk, DiskError, type DiskFile } from '../interface/disk'
import { diskError, fileStat, nodeDisk, undefinedIfMissing } from './node-disk'

/** Longest time without a turn of the event loop, so that messages such as a cancellation are received. */
const breathMs = 20

/**
 * Returns the real disk for a worker thread that only reads: its calls block. Handing a short operation to Node's
 * thread pool and back takes ten times as long as the operation.
 *
 * Never for the main thread. Writing works as on `nodeDisk`.
 */
export function blockingDisk(): Disk {
  let breathedAt = performance.now()

  async function breathe(): Promise<void> {
    if (performance.now() - breathedAt < breathMs) return
    await new Promise((resolve) => setImmediate(resolve))
    breathedAt = performance.now()
  }

  const statNow = (target: string) => {
    try {
      return fileStat(fs.statSync(target))
    } catch (cause) {
      return undefinedIfMissing(target, cause)
    }
  }

  return {
    ...nodeDisk,
    async stat(target) {
      await breathe()
      return statNow(target)
    },
    async list(folder) {
      await breathe()
      return now(folder, () => fs.readdirSync(folder))
    },
    async open(target, mode, permissions) {
      if (mode !== 'read') return nodeDisk.open(target, mode, permissions)
      // A pipe in the place of a file would be waited for, without end.
      if (statNow(target)?.kind === 'other')
        throw new DiskError('io', target, `${target} is not a file`)
      return openedFile(
        target,
        now(target, () => fs.openSync(target, 'r')),
        breathe,
      )
    },
  }
}

function openedFile(target: string, descriptor: number, breathe: () => Promise<void>): DiskFile {
  const refuse = () =>
    Promise.reject(new DiskError('denied', target, `${target} is opened for reading`))
  return {
    async read(into, position) {
      await breathe()
      return now(target, () => fs.readSync(descriptor, into, 0, into.length, position))
    },
    write: refuse,
    sync: refuse,
    stat: async () => now(target, () => fileStat(fs.fstatSync(descriptor))),
    close: async () => now(target, () => fs.closeSync(descriptor)),
  }
}

function now<T>(target: string, operation: () => T): T {
  try {
    return operation()
  } catch (cause) {
    throw diskError(target, cause)
  }
}
