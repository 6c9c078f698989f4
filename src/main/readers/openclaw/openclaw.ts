import { piFormRecords, piFormVersion } from '../common/pi-form/known'
import { piFormFields, piFormLine } from '../common/pi-form/line'
import { anyName, type LaidFile, type Layout } from '../common/sessions/layout'
import { layoutBackup } from '../common/sessions/layout-backup'
import { lineSessionReader } from '../common/sessions/line-sessions'
import { injectedAs, splitOpenclawWords } from './inbound'
import { openclawSideFacts, openclawTitle } from './store'

/** Not copies of sessions as they were before a compaction, what the program noted of runs, and what was deleted. */
const sessionFile =
  /^(?!.*\.(?:checkpoint|trajectory|deleted|bak)\b)[^.].*\.jsonl(?:\.reset\.[^/]+)?$/is

const layouts: readonly Layout[] = [['agents', anyName, 'sessions', sessionFile]]

/**
 * The reader of OpenClaw's sessions: one file each, in pi's form, below the agent that had it.
 *
 * Format: OpenClaw by its source of August to October 2026, and sessions of February to August 2026 as others published them;
 * docs/sources/openclaw.md. What the program tells its model in a person's message (channel, sender, time) is marked. Left out
 * are copies before compactions, deleted sessions, and databases of newer versions.
 */
export const openclawReader = lineSessionReader({
  id: 'openclaw',
  defaultRoots: ['~/.openclaw', '~/.clawdbot', '~/.moltbot', '~/.moldbot'],
  rootVariable: 'OPENCLAW_STATE_DIR',
  watchedFolders: ['agents'],
  backup: layoutBackup(layouts, (name) => name === 'sessions.json'),
  layouts,
  keyOf: openclawKeyOf,
  titleOf: openclawTitle,
  meaningOf: piFormLine({
    agent: 'openclaw',
    splitWords: splitOpenclawWords,
    injectedAs,
    ownProvider: 'openclaw',
  }),
  fieldsOf: piFormFields,
  titleNames: ['session_info'],
  sideFactsOf: openclawSideFacts,
  known: {
    proved: '3',
    versionOf: piFormVersion,
    record: piFormRecords([
      ...['idempotencyKey', 'provenance', 'senderIsOwner', '__openclaw', 'openclawAbort'],
      ...['MediaPath', 'MediaPaths', 'MediaType', 'MediaTypes', 'MediaUrl', 'MediaUrls'],
    ]),
  },
  restatesNumbers: true,
  forkRule: 'every-child',
  // Older names of the folder are links to the newer one, or what was left when it was copied.
  isRicher: (one, other) => one.bytes > other.bytes,
})

/** The session's id, which is its file's name. A session that was ended by a new one has the same name, and the time. */
function openclawKeyOf({ found: { name } }: LaidFile): string {
  return name.replace(/\.jsonl$/i, '').replace(/\.jsonl(\.reset\.)/i, '$1')
}
