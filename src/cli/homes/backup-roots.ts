import type { Disk } from '../../main/disk/interface/disk'
import { backupRootsFor } from '../../main/library/backups'
import { backupsFolder } from '../../main/settings/user-folders'
import type { Arguments } from '../command/arguments'

/**
 * Returns arguments with the roots of backups behind those that were named: what is gone from a root is read from there.
 *
 * @param note gets a sentence where backups cannot be listed
 */
export async function withBackupRoots(
  args: Arguments,
  disk: Disk,
  environment: Readonly<Record<string, string | undefined>>,
  note: (words: string) => void,
): Promise<Arguments> {
  const backups = await backupRootsFor(disk, backupsFolder(environment), args.roots, { note })
  if (backups.length === 0) return args
  return {
    ...args,
    roots: [...args.roots, ...backups.map((root) => ({ ...root, writable: false }))],
  }
}
