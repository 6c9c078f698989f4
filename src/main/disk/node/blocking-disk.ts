import fs from 'node:fs'
import { type Disk, DiskError, type DiskFile } from '../interface/disk'
import { diskError, fileStat, nodeDisk, undefinedIfMissing } from './node-disk'

/** So long a thread works on before it hears what it was told meanwhile, such as that nobody wants its answer. */
const breathMs = 20

/**
 * The real disk for a thread that has nothing else to do than to read: it waits for the disk itself. Handing each short
 * operation to one of Node's threads and back takes ten times as long as the operation does.
 *
 * Never for the thread that a window waits for. What writes is as on `nodeDisk`.
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
