import { readingOf } from '../../../shared/model/conversation/reading'
import { listedTime } from '../common/glance'
import { inOwnFile } from '../common/one-file'
import { readRecordFile } from '../common/read-record-file'
import type { HistoryReader } from '../common/reader'
import { lastEntryTimeIn } from '../common/record-values'
import { withToolNames } from '../common/tool-names'
import { tableRecords } from '../tables/table-records'
import { gooseFormat } from './known'
import { gooseLine } from './line'
import { gooseFolders, listGoose } from './list'
import { gooseTables } from './tables'

/**
 * The reader of Goose's sessions: rows of its database, and the files of JSON lines that it kept before.
 *
 * Format: read from Goose's source to the tables of version 9, from two other readers for what is newer (the ledger of usage, parents of
 * subagents), and from databases that follow both (docs/sources/goose.md). Left out: recipes and the values given to them, the state
 * of extensions, what a request alone cost; sums of a session are with its last answer.
 */
export const gooseReader: HistoryReader = {
  id: 'goose',
  databaseFormats: (databases) => [tableRecords(databases, gooseTables)],
  defaultRoots: [
    process.platform === 'win32' ? '~/AppData/Roaming/Block/goose/data' : '~/.local/share/goose',
  ],
  rootVariable: 'GOOSE_PATH_ROOT',
  footprint: {
    database: gooseLayouts('sessions.db'),
    conversation: gooseLayouts(/^[^.].*\.jsonl$/i),
    beside: gooseLayouts('sessions.db-wal'),
  },
  watchedFolders: gooseFolders,
  list: listGoose,
  restatesNumbers: true,
  namesToolsEarlier: true,
  meaningOf: gooseLine,
  known: gooseFormat,
  read: (ref, disk, signal) =>
    readingOf(
      ref.key,
      readRecordFile(ref, withToolNames(gooseLine, 'tool'), disk, signal, {
        updatedAt: listedTime(ref),
      }),
    ),
  lastTime: (ref, disk, signal) =>
    inOwnFile(ref, disk, (opened) => lastEntryTimeIn(opened, gooseLine, signal)),
}

/** A file in each of the folders of sessions. */
function gooseLayouts(file: string | RegExp): readonly (readonly (string | RegExp)[])[] {
  return gooseFolders.map((folder) => [...folder.split('/'), file])
}
