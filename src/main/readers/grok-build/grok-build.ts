import { readingOf } from '../../../shared/model/conversation/reading'
import { inOwnFile } from '../common/one-file'
import { readRecordFile } from '../common/read-record-file'
import type { HistoryReader } from '../common/reader'
import { lastEntryTimeIn } from '../common/record-values'
import { layoutBackup } from '../common/sessions/layout-backup'
import { namelessTool, withToolNames } from '../common/tool-names'
import { grokBuildFormat } from './known'
import { grokBuildLine } from './line'
import { grokLayouts, listGrokBuild } from './list'
import { grokComposing, grokSessions } from './records'

/**
 * The reader of Grok Build's sessions: a folder each, with a log of what was shown, in which texts come in pieces. A session is played
 * to its end; what was taken back stays as a branch.
 *
 * Format: Grok Build by its source of July to September 2026, and sessions to 1.0.41 as other readers describe them
 * (docs/sources/grok-build.md). Left out: the state of the program, progress of tools, and what the model was sent besides.
 */
export const grokBuildReader: HistoryReader = {
  id: 'grok-build',
  defaultRoots: ['~/.grok'],
  rootVariable: 'GROK_HOME',
  footprint: { conversation: grokLayouts.slice(0, 2) },
  watchedFolders: ['sessions'],
  backup: layoutBackup(grokLayouts, (name) => name === 'summary.json'),
  recordFormat: grokSessions,
  list: listGrokBuild,
  lookInto: grokComposing.lookInto,
  namesToolsEarlier: true,
  meaningOf: grokBuildLine,
  restatesNumbers: true,
  known: grokBuildFormat,
  forkRule: 'human-turns',
  read(ref, disk, signal) {
    const accept = withToolNames(grokBuildLine, namelessTool)
    return readingOf(ref.key, readRecordFile(ref, accept, disk, signal))
  },
  lastTime: (ref, disk, signal) =>
    inOwnFile(ref, disk, (opened) => lastEntryTimeIn(opened, grokBuildLine, signal)),
}
