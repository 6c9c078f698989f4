/** Backups: copies of other systems' files, kept where those systems delete them. */

export {
  type BackupDone,
  type BackupSize,
  backUpRoot,
  backupSize,
} from './backups/back-up-root'
export { findBackupFaults } from './backups/backup-faults'
export { listPlaces } from './backups/backup-places'
export { backupRootsFor } from './backups/backup-roots'
export { type BackupCheck, checkBackup, deleteBackup } from './backups/check-backup'
export { backupReasonOf, isMissingIn } from './sources/backed-up'
