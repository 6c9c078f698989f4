import { readingOf } from '../../../shared/model/conversation/reading'
import { inOwnFile } from '../common/one-file'
import { readRecordFile } from '../common/read-record-file'
import type { HistoryReader } from '../common/reader'
import { lastEntryTimeIn } from '../common/record-values'
import { geminiAppsFormat } from './known'
import { geminiAppsLine } from './line'
import { activityIndexes, listActivities } from './list'
import { activityRecords } from './records'

/**
 * The reader of the Gemini app's activity as Google Takeout exports it: a list of what a person asked, each with its answer. It names no
 * conversations: what follows each other without a long pause is taken for one.
 *
 * Format: no specification; exports of 2025 and 2026 as other readers describe them (docs/sources/gemini-apps.md). Answers are HTML there, and Markdown
 * here. What has no field is in `metadata` (`raw_type`, `raw_fields`).
 */
export const geminiAppsReader: HistoryReader = {
  id: 'gemini-apps',
  defaultRoots: [],
  isImported: true,
  footprint: { export: [[/^[^.]/]] },
  recordFormat: activityRecords,
  list: listActivities,
  lookInto: activityIndexes.lookInto,
  meaningOf: geminiAppsLine,
  known: geminiAppsFormat,
  read: (ref, disk, signal) =>
    readingOf(ref.key, readRecordFile(ref, geminiAppsLine, disk, signal)),
  lastTime: (ref, disk, signal) =>
    inOwnFile(ref, disk, (opened) => lastEntryTimeIn(opened, geminiAppsLine, signal)),
}
