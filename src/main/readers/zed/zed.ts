import { readingOf } from '../../../shared/model/conversation/reading'
import { listedTime } from '../common/glance'
import { readRecordFile } from '../common/read-record-file'
import type { HistoryReader } from '../common/reader'
import { withToolNames } from '../common/tool-names'
import { zedFormat } from './known'
import { zedLine } from './line'
import { listZed, threadsFolder } from './list'
import { zedThreadRecords } from './thread-records'

const folders: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: '~/Library/Application Support/Zed',
  win32: '~/AppData/Local/Zed',
}

/**
 * The reader of the threads of Zed's agent: a row of a database each, with all of the thread in it, packed.
 *
 * Format: read from Zed's source to September 2026 (threads of version 0.3.0, 0.2.0 and before), and from databases that follow it
 * (docs/sources/zed.md). No message has a time. Left out: text threads, which are files of another kind.
 */
export const zedReader: HistoryReader = {
  id: 'zed',
  databaseFormats: (databases) => [zedThreadRecords(databases)],
  defaultRoots: [folders[process.platform] ?? '~/.local/share/zed'],
  watchedFolders: [threadsFolder],
  list: listZed,
  restatesNumbers: true,
  joinsPieces: true,
  namesToolsEarlier: true,
  meaningOf: zedLine,
  known: zedFormat,
  read: (ref, disk, signal) =>
    readingOf(
      ref.key,
      readRecordFile(ref, withToolNames(zedLine, 'tool'), disk, signal, {
        updatedAt: listedTime(ref),
      }),
    ),
}
