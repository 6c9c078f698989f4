import { readingOf } from '../../../shared/model/conversation/reading'
import { parseRecordPath } from '../../records/interface/record-format'
import { inOwnFile, pathOf } from '../common/one-file'
import { readRecordFile } from '../common/read-record-file'
import type { HistoryReader, SourceRef } from '../common/reader'
import { lastEntryTimeIn } from '../common/record-values'
import { anyName } from '../common/sessions/layout'
import { withToolNames } from '../common/tool-names'
import { folderOf, listStudio } from './files'
import { studioTable } from './known'
import { studioLine } from './line'
import { studioRecords } from './records'

/**
 * The reader of LM Studio's conversations: a document each, in folders of a person's own. A message has versions, of which one is
 * shown: they are branches, and what follows goes on from the one that is shown.
 *
 * Format: conversations of August 2026; the maker calls it internal (docs/sources/lm-studio.md). No message has a time. What has no
 * field is in `metadata` (`attachments`, `usage`, `model`, `raw_type`, `raw_fields`).
 */
export const lmStudioReader: HistoryReader = {
  id: 'lm-studio',
  defaultRoots: ['~/.lmstudio', '~/.cache/lm-studio'],
  // Folders are a person's own, and may lie in each other.
  footprint: {
    conversation: [0, 1, 2, 3].map((depth) => [
      'conversations',
      ...Array<RegExp>(depth).fill(anyName),
      /^[^.].*\.conversation\.json$/i,
    ]),
  },
  watchedFolders: ['conversations'],
  recordFormat: studioRecords,
  forkRule: 'every-child',
  joinsPieces: true,
  list: listStudio,
  known: studioTable,
  meaningOf: studioLine,
  read: (ref, disk, signal) => {
    const accept = withToolNames(studioLine, 'tool')
    return readingOf(
      ref.key,
      readRecordFile(ref, accept, disk, signal, { project: projectOf(ref) }),
    )
  },
  lastTime: (ref, disk, signal) =>
    inOwnFile(ref, disk, (opened) => lastEntryTimeIn(opened, studioLine, signal)),
}

function projectOf(ref: SourceRef): string | null {
  return folderOf(parseRecordPath(pathOf(ref))?.container ?? pathOf(ref))
}
