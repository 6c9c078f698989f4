import { readingOf } from '../../../shared/model/conversation/reading'
import { parseRecordPath } from '../../records/interface/record-format'
import { pathOf } from '../common/one-file'
import { readRecordFile } from '../common/read-record-file'
import type { HistoryReader, SourceRef } from '../common/reader'
import { anyName } from '../common/sessions/layout'
import { withToolNames } from '../common/tool-names'
import { folderOf, listStudio, studioBackup } from './files'
import { studioTable } from './known'
import { studioLine } from './line'
import { studioComposing, studioRecords } from './records'

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
  backup: studioBackup,
  recordFormat: studioRecords,
  forkRule: 'every-child',
  joinsPieces: true,
  list: listStudio,
  known: studioTable,
  lookInto: studioComposing.lookInto,
  meaningOf: studioLine,
  read: (ref, disk, signal) => {
    const accept = withToolNames(studioLine, 'tool')
    return readingOf(
      ref.key,
      readRecordFile(ref, accept, disk, signal, { project: projectOf(ref) }),
    )
  },
}

function projectOf(ref: SourceRef): string | null {
  return folderOf(parseRecordPath(pathOf(ref))?.container ?? pathOf(ref))
}
