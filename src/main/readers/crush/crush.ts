import path from 'node:path'
import { readingOf } from '../../../shared/model/conversation/reading'
import { parseRecordPath } from '../../records/interface/record-format'
import { listedTime } from '../common/glance'
import { inOwnFile, pathOf } from '../common/one-file'
import { readRecordFile } from '../common/read-record-file'
import type { HistoryReader, SourceRef } from '../common/reader'
import { lastEntryTimeIn } from '../common/record-values'
import { withToolNames } from '../common/tool-names'
import { tableRecords } from '../tables/table-records'
import { crushFormat } from './known'
import { crushLine } from './line'
import { listCrush, projectOfData } from './list'
import { crushTables } from './tables'

/**
 * The reader of Crush's sessions: rows of a database in each project.
 *
 * Format: read from Crush's source to September 2026, and from databases that follow it (docs/sources/crush.md). Left out: copies of
 * files, lists of files that were read, tasks to do.
 */
export const crushReader: HistoryReader = {
  id: 'crush',
  databaseFormats: (databases) => [tableRecords(databases, crushTables)],
  defaultRoots: [process.platform === 'win32' ? '~/AppData/Local/crush' : '~/.local/share/crush'],
  rootVariable: 'CRUSH_GLOBAL_DATA',
  list: listCrush,
  restatesNumbers: true,
  meaningOf: crushLine,
  known: crushFormat,
  read: (ref, disk, signal) => {
    const accept = withToolNames(crushLine, 'tool')
    return readingOf(
      ref.key,
      readRecordFile(ref, accept, disk, signal, {
        project: projectOf(ref),
        updatedAt: listedTime(ref),
      }),
    )
  },
  lastTime: (ref, disk, signal) =>
    inOwnFile(ref, disk, (opened) => lastEntryTimeIn(opened, crushLine, signal)),
}

function projectOf(ref: SourceRef): string | null {
  return projectOfData(path.dirname(parseRecordPath(pathOf(ref))?.container ?? pathOf(ref)))
}
