/** Snapshots: one dated, checked file that holds a whole home and what Skein keeps of its own. */

export { checkSnapshot } from './snapshots/check-snapshot'
export { isEncryptedSnapshot, requireNewPassphrase } from './snapshots/encrypted-snapshot'
export type { PlacesInUse } from './snapshots/places-outside'
export { restoreSnapshot } from './snapshots/restore-snapshot'
export {
  inlineSnapshots,
  type SnapshotActs,
  threadSnapshots,
} from './snapshots/snapshot-acts'
export type { SnapshotProgress } from './snapshots/snapshot-form'
export { type SnapshotDeps, takeSnapshot } from './snapshots/take-snapshot'
