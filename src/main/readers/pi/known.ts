import { piFormRecords, piFormVersion } from '../common/pi-form/known'
import type { KnownFormat } from '../known/known-format'

/** Table of what the reader knows of pi's records. */
export const piFormat: KnownFormat = {
  proved: '3',
  versionOf: piFormVersion,
  record: piFormRecords(),
}
