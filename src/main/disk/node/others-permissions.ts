import fs from 'node:fs'
import path from 'node:path'
import { diskError } from './node-disk'

/** Access of others to a file or folder. */
export interface OthersAccess {
  /** The lowest six bits of its mode: those of its group, and of everybody else. */
  readonly bits: number
  /** Where its name is a link: the path that it leads to, whose bits these are. */
  readonly target?: string
}

/** Windows has no such permissions. */
const hasModes = process.platform !== 'win32'

/**
 * Resolves to what a file or folder allows to others than its owner. Undefined where nothing is there, and on systems without modes.
 *
 * @throws DiskError
 */
export async function othersAccess(file: string): Promise<OthersAccess | undefined> {
  if (!hasModes) return undefined
  try {
    const { mode } = await fs.promises.stat(file)
    const isLink = (await fs.promises.lstat(file)).isSymbolicLink()
    const target = isLink
      ? path.resolve(path.dirname(file), await fs.promises.readlink(file))
      : undefined
    return { bits: mode & 0o077, ...(target === undefined ? {} : { target }) }
  } catch (cause) {
    const error = diskError(file, cause)
    if (error.code === 'not-found') return undefined
    throw error
  }
}

/**
 * Takes permissions of others from a file or folder; its owner's stay. Never those of what a link leads to.
 *
 * @param bits of its mode, as `othersAccess` gives them
 *
 * @throws DiskError also where it is a link by now
 */
export async function takeFromOthers(file: string, bits: number): Promise<void> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
  try {
    const handle = await fs.promises.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const { mode } = await handle.stat()
      fs.fchmodSync(handle.fd, mode & 0o7777 & ~(bits & 0o077))
    } finally {
      await handle.close()
    }
  } catch (cause) {
    throw diskError(file, cause)
  }
}
