import path from 'node:path'
import { timeIn } from '../common/drafts'
import { anyName, type LaidFile, type Layout } from '../common/sessions/layout'
import { layoutBackup } from '../common/sessions/layout-backup'
import { lineSessionReader } from '../common/sessions/line-sessions'
import { qwenFormat } from './known'
import { qwenLine } from './line'
import { qwenSideFacts } from './side-files'
import { fieldsOfSystem } from './system'

const sessionFile = /^[^.].*\.jsonl(?:\.gz|\.zst)?$/is
const agentFile = /^agent-.*\.jsonl(?:\.gz|\.zst)?$/is
const layouts: readonly Layout[] = [
  ['projects', anyName, 'chats', sessionFile],
  ['projects', anyName, 'chats', 'archive', sessionFile],
  ['tmp', anyName, 'chats', sessionFile],
  ['projects', anyName, 'subagents', anyName, agentFile],
]

/**
 * The reader of Qwen Code's sessions: one file each, one record per line, which names its parent; subagents in files of
 * their own.
 *
 * Format: Qwen Code by its source of August to October 2026, and sessions of 0.11 to 0.22.2 as others published them;
 * docs/sources/qwen.md. Records of the program's own state are no entries. Left out: `toolCallResult`, which repeats for the
 * screen what the result says, and sessions of the versions before `chats/ID.jsonl`.
 */
export const qwenReader = lineSessionReader({
  id: 'qwen',
  defaultRoots: ['~/.qwen'],
  rootVariable: [['QWEN_RUNTIME_DIR', 'QWEN_HOME']],
  watchedFolders: ['projects', 'tmp'],
  layouts,
  backup: layoutBackup(layouts, (name) => /^agent-.*\.meta\.json$/i.test(name)),
  keyOf: qwenKeyOf,
  meaningOf: qwenLine,
  titleNames: ['custom_title'],
  fieldsOf: (record) => ({
    ...fieldsOfSystem(record),
    project: typeof record.cwd === 'string' && record.cwd !== '' ? record.cwd : undefined,
    time: timeIn(record.timestamp),
  }),
  sideFactsOf: qwenSideFacts,
  known: qwenFormat,
  restatesNumbers: true,
  forkRule: 'every-child',
})

/** The session's id, which is its file's name; a subagent's is behind that of its session. */
function qwenKeyOf({ layout, names }: LaidFile): string {
  const stem = (names.at(-1) ?? '').replace(/\.jsonl(?:\.gz|\.zst)?$/i, '')
  return layout === 3 ? path.posix.join(names.at(-2) ?? '', stem) : stem
}
