import path from 'node:path'
import type { BackupReason } from '../../../shared/model/backup/backup'
import type { Disk } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import type { SourceRef } from '../../readers/common/reader'
import { realFileOf } from '../../records/interface/record-format'
import type { LibraryRoot } from './roots'

/** A listed conversation that is shown, and why from a backup, where it is. */
export interface ShownRef {
  readonly ref: SourceRef
  readonly backup?: BackupReason
}

/**
 * Chooses what is shown of the conversations under one of several roots: all, except in a backup. There only what the root that it
 * was made of does not have any more, and earlier versions.
 *
 * @param refs what is listed under each root, in their order
 */
export async function shownUnder(
  disk: Disk,
  roots: readonly LibraryRoot[],
  refs: readonly (readonly SourceRef[])[],
  listed: readonly SourceRef[],
  at: number,
): Promise<readonly ShownRef[]> {
  const root = roots[at]
  if (root?.backup === undefined) return listed.map((ref) => ({ ref }))
  const { of, version } = root.backup
  if (version === 'earlier') return listed.map((ref) => ({ ref, backup: version }))
  const isOriginal = (other: LibraryRoot) =>
    other.backup === undefined && other.source === root.source && other.path === of
  const live = refs.filter((_, index) => roots[index] !== undefined && isOriginal(roots[index]))
  return mapConcurrent(listed.filter(isMissingIn(live.flat())), async (ref) => {
    const backup = await backupReasonOf(disk, root, ref)
    return backup === undefined ? { ref } : { ref, backup }
  })
}

/** Returns why a conversation is read from a backup; undefined where its root is none. Never rejects. */
export async function backupReasonOf(
  disk: Disk,
  root: LibraryRoot,
  ref: SourceRef,
): Promise<BackupReason | undefined> {
  if (root.backup === undefined) return undefined
  const { of, version } = root.backup
  if (version === 'earlier') return version
  // Also where a scan of the originals failed, or was stopped.
  return (await hasOriginal(disk, root, of, ref)) ? 'unlisted' : 'gone'
}

/**
 * Returns whether a copy has what its root lacks by now: a file that is not among those listed there, in a conversation that is not
 * there in another file, such as a packed one or one in an archive.
 */
export function isMissingIn(live: Iterable<SourceRef>): (copy: SourceRef) => boolean {
  const files = new Set<string>()
  const bytes = new Map<string, number>()
  for (const ref of live) {
    bytes.set(ref.key, ref.bytes)
    for (const { file } of ref.files) files.add(realFileOf(file))
  }
  return (copy) => {
    const isListed = copy.files.every(({ file }) => files.has(realFileOf(file)))
    return !isListed && (bytes.get(copy.key) ?? -1) < copy.bytes
  }
}

/** Whether the originals are all there, or may be. */
async function hasOriginal(
  disk: Disk,
  { path: backup }: LibraryRoot,
  of: string,
  { root, files }: SourceRef,
): Promise<boolean> {
  // A root that is a file has its copies under its own name; its places are relative to the folder above.
  const original = root === backup ? of : path.join(of, path.relative(backup, root))
  const stats = await mapConcurrent(files, ({ file }) =>
    disk.stat(realFileOf(path.join(original, file))).catch(() => 'unknown' as const),
  )
  return stats.every((stat) => stat !== undefined)
}
