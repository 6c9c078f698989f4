import { readingOf } from '../../../shared/model/conversation/reading'
import { inOwnFile } from '../common/one-file'
import { readRecordFile } from '../common/read-record-file'
import type { HistoryReader } from '../common/reader'
import { lastEntryTimeIn } from '../common/record-values'
import { librechatTable } from './known'
import { librechatLine } from './line'
import { listLibrechat } from './list'
import { librechatRecords } from './records'

/**
 * The reader of LibreChat's exports: a JSON document for each conversation, with its messages in a list or as a tree.
 *
 * Format: LibreChat by its source of August 2026 (docs/sources/librechat.md). An export does not say which message a conversation is at: it is
 * the newest. What has no field is in `metadata` (`attachments`, `usage`, `model`, `raw_type`, `raw_fields`).
 */
export const librechatReader: HistoryReader = {
  id: 'librechat',
  defaultRoots: [],
  isImported: true,
  footprint: { export: [[/^[^.]/]] },
  recordFormat: librechatRecords,
  list: listLibrechat,
  forkRule: 'every-child',
  meaningOf: librechatLine,
  known: librechatTable,
  read: (ref, disk, signal) => readingOf(ref.key, readRecordFile(ref, librechatLine, disk, signal)),
  lastTime: (ref, disk, signal) =>
    inOwnFile(ref, disk, (opened) => lastEntryTimeIn(opened, librechatLine, signal)),
}
