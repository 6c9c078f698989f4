import { piFormFields } from '../common/pi-form/line'
import { anyName, type LaidFile, type Layout } from '../common/sessions/layout'
import { layoutBackup } from '../common/sessions/layout-backup'
import { lineSessionReader } from '../common/sessions/line-sessions'
import { piFormat } from './known'
import { piLine } from './line'

const sessionFile = /^[^.].*\.jsonl$/is
const layouts: readonly Layout[] = [
  ['sessions', sessionFile],
  ['sessions', anyName, sessionFile],
]

/**
 * The reader of pi's sessions: one file each, one record per line, which names its parent: a tree in one file.
 *
 * Format: pi's session format, version 3, by its specification and source of August 2026; docs/sources/pi.md. Settings and
 * states of extensions are no entries; what has no field is in the source line.
 */
export const piReader = lineSessionReader({
  id: 'pi',
  defaultRoots: ['~/.pi/agent'],
  rootVariable: 'PI_CODING_AGENT_DIR',
  watchedFolders: ['sessions'],
  layouts,
  backup: layoutBackup(layouts),
  keyOf: piKeyOf,
  meaningOf: piLine,
  fieldsOf: piFormFields,
  titleNames: ['session_info'],
  known: piFormat,
  restatesNumbers: true,
  forkRule: 'every-child',
})

/** The session's id, which pi writes behind the time: `2026-09-10T09-00-00-000Z_<id>.jsonl`. */
function piKeyOf({ found: { name } }: LaidFile): string {
  const stem = name.replace(/\.jsonl$/i, '')
  return /^[\dTZ-]+_(.+)$/.exec(stem)?.[1] ?? stem
}
