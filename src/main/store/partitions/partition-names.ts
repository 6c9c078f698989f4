import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { isNameTaken, isNotFound } from '../../disk/reading/read'
import {
  isSameFile,
  linkOrMove,
  putBack,
  removeIfThere,
  renameFile,
} from '../../disk/writing/atomic'
import type { ContextPaths } from '../core/home-paths'
import { filterPathOf } from '../filters/sidecar'
import { FileMovedError } from '../lines/file-facts'

interface NamingScope {
  readonly disk: Disk
  readonly paths: ContextPaths
}

/**
 * Gives a file a new name among the partitions for good: no such name is ever removed or given to another file. Its
 * old name stays as well, except where the file system has no hard links.
 *
 * @param fromSleeper somebody who is stopped may be about to archive it: chibi would move what is the active partition by
 * then to the name of these times, over what has it. So the name is another, and stands before that
 *
 * @throws FileMovedError it has gone; DiskError
 */
export async function assignPermanentName(
  { disk, paths }: NamingScope,
  from: string,
  span: string,
  fromSleeper = false,
): Promise<{ readonly target: string; readonly isOldNameGone: boolean }> {
  const at = (end: string) => path.join(paths.partitions, `${span}${end}.jsonl`)
  const isLeftToOthers = fromSleeper || disk.statNow(at('-0')) !== undefined
  for (let n = fromSleeper ? 0 : 1; ; n++) {
    if (n === 1 && isLeftToOthers) continue
    const target = at(n === 1 ? '' : `-${n}`)
    // A filter without its partition was left by somebody; this partition must not seem to be the one it was made of.
    if (await disk.stat(filterPathOf(target))) continue
    try {
      return { target, isOldNameGone: (await linkOrMove(disk, from, target)) === 'moved' }
    } catch (error) {
      if (isNotFound(error)) throw new FileMovedError(`${from} went away`)
      if (!isNameTaken(error)) throw error
    }
  }
}

/**
 * Removes the active partition's name from a file that has another name for good, so that the next append makes a new
 * one. `meant` is that file's identity.
 *
 * Another process may have made a new active partition meanwhile, right after our check: so the name is not unlinked
 * but moved aside, among the partitions, and the moved file is checked. A file that is another's gets its name back,
 * or stays as a stray partition, which the next writer adopts: at each moment its lines are read.
 *
 * @throws FileMovedError it was another's: what is known of the context is not true any more; DiskError
 */
export async function releaseActiveName(
  { disk, paths }: NamingScope,
  active: string,
  meant: string | undefined,
): Promise<void> {
  const unique = randomBytes(4).toString('hex')
  const aside = path.join(paths.partitions, `moved-${Date.now()}-${unique}.jsonl`)
  try {
    await renameFile(disk, active, aside)
  } catch (error) {
    if (isNotFound(error)) throw new FileMovedError(`${active} went away`)
    throw error
  }
  if (disk.statNow(aside)?.identity === meant) return removeIfThere(disk, aside)
  if (await putBack(disk, aside, active)) await removeIfThere(disk, aside)
  throw new FileMovedError(`${active} was replaced by another process`)
}

/**
 * Removes a name of a file that was moved aside and has another name. The other name is checked after this one: the
 * active partition's name may have moved to this one since.
 */
export async function removeSpareName(
  disk: Disk,
  { path: spare, other }: { readonly path: string; readonly other: string },
): Promise<void> {
  const seen = disk.statNow(spare)
  if (isSameFile(seen, disk.statNow(other))) await removeIfThere(disk, spare)
}
