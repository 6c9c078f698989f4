import path from 'node:path'
import type { Disk, FileStat } from '../../disk/interface/disk'
import { isLinkCircle, namesInFolder } from '../../disk/reading/read'
import { liesInFolder, realPathIfPresent } from '../../disk/reading/real-path'
import { isTemporaryName } from '../../disk/writing/atomic'

/** A file that a snapshot takes. */
export interface FileToCopy {
  readonly path: string
  /** In the snapshot, with slashes. */
  readonly name: string
  readonly stat: FileStat
}

/** Files below a folder, and the names of what no copy can be made of. */
export interface FoundToCopy {
  readonly files: readonly FileToCopy[]
  /** Devices, pipes, links to nothing, in a circle, or to a folder around the one that is copied; names that are not UTF-8. */
  readonly leftOut: readonly string[]
}

/** Returns true for a lock, which is its holder's, and for what is half written: it has another name when it is whole. */
export function isPassing(name: string): boolean {
  return /^\.lock(\.|$)/.test(name) || /^\..+\.part$/.test(name) || isTemporaryName(name)
}

/**
 * Lists all files below a folder, hidden ones too, in order of name; links are followed, each folder once, but none to a folder
 * around this one: `/` would be the whole disk. Locks and temporary files are passed over. A file is listed itself, and nothing
 * at all is left out.
 *
 * @param name that the folder has in the snapshot
 * @param isWanted asked of names in the folder itself
 * @throws DiskError; the signal's reason
 */
export async function filesToCopy(
  disk: Disk,
  folder: string,
  name: string,
  signal: AbortSignal,
  isWanted: (name: string) => boolean = () => true,
): Promise<FoundToCopy> {
  const files: FileToCopy[] = []
  const leftOut: string[] = []
  const walked = new Set<string>()
  const top = await realPathIfPresent(disk, folder)
  const outer = await realPathIfPresent(disk, path.dirname(folder))
  const liesAround = (real: string) =>
    (outer !== undefined && liesInFolder(real, outer)) ||
    (top !== undefined && real !== top && liesInFolder(real, top))

  async function walk(at: string, shown: string, isTop: boolean): Promise<void> {
    const real = await realPathIfPresent(disk, at)
    // Gone by now, or there already under another name.
    if (real === undefined || walked.has(real)) return
    if (liesAround(real)) {
      leftOut.push(shown)
      return
    }
    walked.add(real)
    for (const one of [...(await namesInFolder(disk, at))].sort()) {
      signal.throwIfAborted()
      if (isPassing(one) || (isTop && !isWanted(one))) continue
      const target = path.join(at, one)
      const inside = `${shown}/${one}`
      const stat = await statOf(disk, target)
      if (stat?.kind === 'directory') await walk(target, inside, false)
      else if (stat?.kind === 'file') files.push({ path: target, name: inside, stat })
      else leftOut.push(inside)
    }
  }

  const stat = await statOf(disk, folder)
  if (stat?.kind === 'directory') await walk(folder, name, true)
  else if (stat?.kind === 'file') files.push({ path: folder, name, stat })
  else leftOut.push(name)
  return { files, leftOut }
}

/** Undefined for links in a circle as well, which lead to nothing. @throws DiskError */
async function statOf(disk: Disk, target: string): Promise<FileStat | undefined> {
  try {
    return await disk.stat(target)
  } catch (error) {
    if (isLinkCircle(error)) return undefined
    throw error
  }
}
