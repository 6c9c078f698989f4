import path from 'node:path'
import { type Disk, DiskError } from './disk'

/**
 * Wraps a disk with the known names of some folders: a name that is not among them is missing, without asking the
 * disk.
 *
 * For one pass over many small folders, where most files that are asked for do not exist and a miss costs as much as a
 * hit. Files that are created after the names were read are not seen.
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

/** Without the stack: thousands are made for a list, as the usual answer, and a stack costs as much as a `stat`. */
function missing(target: string): DiskError {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return new DiskError('not-found', target, `${target} is not there`)
  } finally {
    Error.stackTraceLimit = limit
  }
}
