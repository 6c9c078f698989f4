import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { readSmallFile, readSmallText } from '../../disk/reading/read'
import { contextPaths } from '../core/home-paths'

/**
 * Reads AGENTS.md of a home, the instructions for any model that works in it; undefined where there is none.
 *
 * @throws DiskError
 */
export function readAgents(disk: Disk, home: string): Promise<string | undefined> {
  return readSmallText(disk, path.join(home, 'AGENTS.md'))
}

/** Types of images that every provider takes. */
const imageTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
}

/**
 * Reads an image file in a context's folder, or below it, as a data URL. Undefined where the name leads out of the
 * folder or is not an image's, or nothing is there.
 *
 * @throws DiskError also `too-large` above 16 MB
 */
export async function readContextImage(
  disk: Disk,
  home: string,
  context: string,
  name: string,
): Promise<string | undefined> {
  const type = imageTypes[path.extname(name).toLowerCase()]
  const { folder } = contextPaths(home, context)
  const target = path.resolve(folder, name)
  if (type === undefined || name.includes('\0') || (await disk.stat(target))?.kind !== 'file')
    return undefined
  // Links followed: a name from a transcript must not bring a file of the person's to a provider.
  const way = path.relative(await disk.realPath(folder), await disk.realPath(target))
  if (way.startsWith('..') || path.isAbsolute(way)) return undefined
  const bytes = await readSmallFile(disk, target)
  return bytes && `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}
