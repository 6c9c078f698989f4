import { z } from 'zod'

/**
 * Reason why a conversation is read from a backup. `gone`: its files are not at its source any more. `unlisted`: they are, but could
 * not be listed there. `earlier`: it is an earlier version, which was rewritten there.
 */
export const BackupReason = z.enum(['gone', 'unlisted', 'earlier'])
export type BackupReason = z.infer<typeof BackupReason>

/** Returns a sentence that says why a conversation is read from its backup. */
export function backupSentence(reason: BackupReason, system: string): string {
  switch (reason) {
    case 'gone':
      return `${system} no longer has this conversation. This is the backup.`
    case 'unlisted':
      return `The folder of ${system} could not be listed whole. This is the backup of the conversation.`
    case 'earlier':
      return `${system} has rewritten this conversation. This is an earlier version, from the backup.`
  }
}

/** Returns the same in a few words, for a row of a list. */
export function backupWords(reason: BackupReason, system: string): string {
  switch (reason) {
    case 'gone':
      return `gone from ${system}, in the backup`
    case 'unlisted':
      return 'read from the backup'
    case 'earlier':
      return 'earlier version, in the backup'
  }
}
