import path from 'node:path'
import { type Disk, DiskError } from './disk'

/**
 * A disk on which the names in some folders are known: what is not among them is told to be missing without a look.
 *
 * For one look over many small folders, where most of what is asked for is not there, and each miss costs as much as a
 * hit. What comes after the names were read is not seen.
 */
export function listedDisk(disk: Disk, names: ReadonlyMap<string, ReadonlySet<string>>): Disk {
  const isMissing = (target: string) =>
    names.get(path.dirname(target))?.has(path.basename(target)) === false
  return {
    ...disk,
    stat: async (target) => (isMissing(target) ? undefined : disk.stat(target)),
    async list(folder) {
      if (isMissing(folder)) throw missing(folder)
      return disk.list(folder)
    },
    async open(target, mode, permissions) {
      if (mode === 'read' && isMissing(target)) throw missing(target)
      return disk.open(target, mode, permissions)
    },
  }
}

/** Without the stack: thousands are made for a list, as the usual answer, and each stack costs as much as a look. */
function missing(target: string): DiskError {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return new DiskError('not-found', target, `${target} is not there`)
  } finally {
    Error.stackTraceLimit = limit
  }
}
