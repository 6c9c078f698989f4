import { readingOf } from '../../../shared/model/conversation/reading'
import { programFolder } from '../common/editor-folders'
import { readRecordFile } from '../common/read-record-file'
import type { HistoryReader } from '../common/reader'
import { listLog } from './files'
import { llmFormat } from './known'
import { logLine } from './line'
import { logRecords } from './log-records'

/**
 * The reader of the log of llm, a command line for models: both generations of its tables, a row for each answer, and since
 * July 2026 a row for each message, which threads share as a tree.
 *
 * Format: read from llm's source and its documentation to August 2026. Left out: the raw requests and answers of providers,
 * which say the same, definitions of tools, and the bytes of files; docs/sources/llm.md.
 */
export const llmReader: HistoryReader = {
  id: 'llm',
  databaseFormats: (databases) => [logRecords(databases)],
  defaultRoots: [programFolder('io.datasette.llm')],
  rootVariable: 'LLM_USER_PATH',
  forkRule: 'human-turns',
  list: listLog,
  meaningOf: logLine,
  restatesNumbers: true,
  known: llmFormat,
  read: (ref, disk, signal) => readingOf(ref.key, readRecordFile(ref, logLine, disk, signal)),
}
