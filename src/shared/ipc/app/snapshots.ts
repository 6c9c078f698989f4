import { z } from 'zod'
import { call, event } from '../wire/primitives'

/** The progress of a snapshot that is taken or restored, by the bytes of its files. */
export const SnapshotStep = z.object({
  act: z.enum(['take', 'restore']),
  /** The snapshot is read back while it is `checking`. */
  phase: z.enum(['copying', 'checking']),
  bytes: z.int(),
  totalBytes: z.int(),
})
export type SnapshotStep = z.infer<typeof SnapshotStep>

/** A snapshot that was taken, or restored. */
export const SnapshotDone = z.object({
  act: z.enum(['take', 'restore']),
  files: z.int(),
  bytes: z.int(),
  /** The new file, or the restored home, as people write it. */
  shown: z.string(),
  /** Names of what is no file, and is in no snapshot. */
  leftOut: z.array(z.string()),
})
export type SnapshotDone = z.infer<typeof SnapshotDone>

/** A passphrase as a person typed it. It goes to main, and never comes back. */
const Passphrase = z.string().min(1).max(1000)

/** One that encrypts: blanks alone are none, though they may open what another program made. */
const NewPassphrase = Passphrase.regex(/\S/)

/** Calls and events of snapshots: the whole home in one file. One is taken or restored at a time. */
export const snapshotsContract = {
  /**
   * Asks for a folder by the system's dialog and writes the open home, and Skein's own files, into a new file there; null when it
   * was cancelled. Encrypted where a passphrase is given. Throws `busy`, `not-found`, `bad-argument`, `exists`, `disk-full`, `io`, and
   * `cancelled` after `stop`: then nothing was written.
   */
  take: call(z.object({ passphrase: NewPassphrase.optional() }), SnapshotDone.nullable()),
  /**
   * Asks for a snapshot and for a folder by the system's dialogs, and makes a new folder in that one; null when one was
   * cancelled. Throws as `take`, and `unreadable`; `passphrase` where it needs one, or another one: a call with a passphrase goes on
   * with the snapshot and the folder that were picked then.
   */
  restore: call(z.object({ passphrase: Passphrase.optional() }), SnapshotDone.nullable()),
  /** Ends what is going on. Does nothing when nothing is. */
  stop: call(z.void(), z.void()),
  /** At most ten a second. */
  progress: event(SnapshotStep),
  /** A snapshot or a restore has ended, for pages that did not ask for it: one that was loaded anew. Null where nothing was done. */
  ended: event(z.object({ done: SnapshotDone.nullable() })),
}
