import type { RootBackup } from '../../src/shared/model/settings/source-roots'

/** Backup of a root that is off and has nothing, of a system that deletes after 30 days. */
export const noBackup: RootBackup = {
  isOn: false,
  isRunning: false,
  files: 0,
  bytes: 0,
  sharedBytes: 0,
  earlier: 0,
  gone: null,
  problem: null,
  deletesAfterDays: 30,
}
