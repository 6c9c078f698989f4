import { anyName, type LaidFile, type Layout } from '../common/sessions/layout'
import { layoutBackup } from '../common/sessions/layout-backup'
import { lineSessionReader } from '../common/sessions/line-sessions'
import { droidFormat } from './known'
import { droidFields, droidLine } from './line'

const sessionFile = /^[^.].*\.jsonl$/is

const layouts: readonly Layout[] = [
  ['sessions', anyName, sessionFile],
  ['sessions', sessionFile],
]

/**
 * The reader of Factory Droid's sessions: one file each, one record per line, which names its parent; subagents are sessions
 * of their own.
 *
 * Format: no specification is published. Sessions of October 2025 to September 2026 as other readers and their tests show them;
 * docs/sources/droid.md. Lists of tasks and outcomes of turns are no entries. Left out: the model and the tokens of a whole
 * session, which lie in a file beside it.
 */
export const droidReader = lineSessionReader({
  id: 'droid',
  defaultRoots: ['~/.factory'],
  rootVariable: 'FACTORY_DIR',
  watchedFolders: ['sessions'],
  backup: layoutBackup(layouts),
  layouts,
  keyOf: ({ found: { name } }: LaidFile) => name.replace(/\.jsonl$/i, ''),
  meaningOf: droidLine,
  fieldsOf: droidFields,
  titleNames: ['session_start'],
  known: droidFormat,
  restatesNumbers: true,
  namesToolsEarlier: true,
  forkRule: 'human-turns',
})
