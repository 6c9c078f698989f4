import path from 'node:path'
import type { Disk } from '../interface/disk'
import { isNotFound } from './read'

/** Resolves a path with every link followed; to undefined where nothing is there, also at the end of a link. @throws DiskError */
export async function realPathIfPresent(disk: Disk, target: string): Promise<string | undefined> {
  try {
    return await disk.realPath(target)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Resolves a path with every link followed; to undefined also where it cannot be followed, as a loop of links. Never rejects. */
export async function realPathOrNone(disk: Disk, target: string): Promise<string | undefined> {
  try {
    return await disk.realPath(target)
  } catch {
    return undefined
  }
}

/** Tells whether a path is a folder or lies below it. Both must be real paths: links are not followed here. */
export function liesInFolder(folder: string, real: string): boolean {
  const way = path.relative(folder, real)
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way)
}
