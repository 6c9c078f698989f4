import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { removeTree } from '../../disk/writing/remove-tree'
import type { LibraryRoot } from '../sources/roots'
import { backupFolderOf } from './backup-places'
import { digestOf } from './copy-bytes'
import { inOpenPlace } from './open-place'
import { type BackupSeal, readBackupSeals } from './seals'

/** A copy that is not what its seal says. */
export interface BrokenSeal {
  /** Absolute. */
  readonly file: string
  readonly fault: 'missing' | 'changed' | 'unreadable'
}

/** The result of a check of a root's backup. */
export interface BackupCheck {
  readonly files: number
  readonly broken: readonly BrokenSeal[]
}

/**
 * Checks every copy of a root's backup against its seal. Bytes behind the sealed ones are those of a copy that was stopped, and
 * no fault; nor is a copy that is missing under one of its names, while it was moved among the earlier versions.
 *
 * @throws DiskError the seals cannot be read; the signal's reason
 */
export async function checkBackup(
  disk: Disk,
  archive: string,
  root: LibraryRoot,
  signal: AbortSignal,
): Promise<BackupCheck> {
  const folder = backupFolderOf(archive, root)
  const { seals } = await readBackupSeals(disk, folder)
  const broken: BrokenSeal[] = []
  const missing: BackupSeal[] = []
  const whole = new Set<string>()
  for (const seal of seals.values()) {
    const file = path.join(folder, seal.file)
    try {
      const stat = await disk.stat(file)
      if (stat === undefined) {
        missing.push(seal)
        continue
      }
      const { bytes, sha256 } = await digestOf(disk, file, signal, seal.bytes)
      if (bytes !== seal.bytes || sha256 !== seal.sha256) broken.push({ file, fault: 'changed' })
      else whole.add(contentOf(seal))
    } catch {
      signal.throwIfAborted()
      broken.push({ file, fault: 'unreadable' })
    }
  }
  for (const seal of missing)
    if (!whole.has(contentOf(seal)))
      broken.push({ file: path.join(folder, seal.file), fault: 'missing' })
  return { files: seals.size, broken }
}

/** The same for the newest copy of an original and an earlier version of it with the same bytes. */
function contentOf({ file, bytes, sha256 }: BackupSeal): string {
  return JSON.stringify([file.slice(file.indexOf('/') + 1), bytes, sha256])
}

/**
 * Deletes a root's backup: every copy, and what is gone at the root with it. The caller has asked a person.
 *
 * @throws AppError `busy`; DiskError
 */
export async function deleteBackup(
  disk: Disk,
  archive: string,
  root: LibraryRoot,
  signal: AbortSignal,
): Promise<void> {
  const folder = backupFolderOf(archive, root)
  if ((await disk.stat(folder)) === undefined) return
  await inOpenPlace(disk, folder, signal, async ({ book }) => {
    for (const name of await disk.list(folder))
      if (name === 'now' || /^earlier-\d+$/.test(name))
        await removeTree(disk, path.join(folder, name))
    book.seals.clear()
    book.lines = Number.POSITIVE_INFINITY // Has the seals written anew, without any.
  })
  await removeTree(disk, folder)
}
