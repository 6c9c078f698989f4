import path from 'node:path'
import { type Disk, DiskError } from '../interface/disk'
import { isLinkCircle, isNotFound } from './read'

/** Resolves a path with every link followed; to undefined where nothing is there, also at the end of a link. @throws DiskError */
export async function realPathIfPresent(disk: Disk, target: string): Promise<string | undefined> {
  try {
    return await disk.realPath(target)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/**
 * Resolves a path with every link followed; to undefined also where it leads nowhere for this process: through a file, in a circle
 * of links, through a folder that is not for it, or onto a disk that is gone. A disk that fails says nothing of where a path leads, which is no permission.
 *
 * @throws DiskError of the disk
 */
export async function realPathOrNone(disk: Disk, target: string): Promise<string | undefined> {
  try {
    return await disk.realPath(target)
  } catch (error) {
    if (isNotFound(error) || isLinkCircle(error)) return undefined
    if (error instanceof DiskError && (error.code === 'denied' || isOutOfReach(error)))
      return undefined
    throw error
  }
}

/** Errors of a mount whose disk or machine is gone: nothing is written by that path either. */
const outOfReach: ReadonlySet<unknown> = new Set([
  'ENOTCONN',
  'ESTALE',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENODEV',
  'ENXIO',
])

function isOutOfReach({ cause }: DiskError): boolean {
  return cause instanceof Error && 'code' in cause && outOfReach.has(cause.code)
}

/** Tells whether a path is a folder or lies below it. Both must be real paths: links are not followed here. */
export function liesInFolder(folder: string, real: string): boolean {
  const way = path.relative(folder, real)
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way)
}
