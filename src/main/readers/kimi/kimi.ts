import { anyName, type Layout } from '../common/sessions/layout'
import { layoutBackup } from '../common/sessions/layout-backup'
import { lineSessionReader } from '../common/sessions/line-sessions'
import { StepFollower } from './follow'
import { kimiFormat } from './known'
import { kimiFields, kimiLine } from './line'
import { kimiKeyOf, kimiSideFacts, kimiTitle } from './places'

const context = /^context(?:_sub)?(?:_\d+)?\.jsonl$/i
/** Folders of projects: a checksum of the project's path, as Kimi Code's names begin otherwise. */
const checksum = /^(?!wd_)/

/** Ids of sessions: another name would take the files of other systems for its own. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/i

const layouts: readonly Layout[] = [
  ['sessions', /^wd_/, anyName, 'agents', anyName, 'wire.jsonl'],
  ['sessions', checksum, anyName, context],
  ['sessions', checksum, anyName, 'subagents', anyName, 'context.jsonl'],
  ['sessions', checksum, uuid],
]

/**
 * The reader of Kimi Code's sessions, a file of records for each agent, and of those of Kimi CLI before it, a file of messages each.
 *
 * Format: both by their source of August 2026, and records of protocol 1.0 to 1.5 as others published them;
 * docs/sources/kimi.md. Records of the program's own state are no entries; a prompt is the message that it became. Left out are
 * the events that Kimi CLI keeps beside its messages (`wire.jsonl`).
 */
export const kimiReader = lineSessionReader({
  id: 'kimi',
  defaultRoots: ['~/.kimi-code', '~/.kimi'],
  rootVariable: ['KIMI_CODE_HOME', 'KIMI_SHARE_DIR'],
  watchedFolders: ['sessions'],
  backup: {
    ...layoutBackup(layouts, (name) => /^(?:state|metadata)\.json$/i.test(name)),
    // The list of projects, which names their folders.
    isBeside: (name) => name === 'kimi.json',
  },
  layouts,
  keyOf: kimiKeyOf,
  titleOf: kimiTitle,
  meaningOf: kimiLine,
  fieldsOf: kimiFields,
  titleNames: [],
  sideFactsOf: kimiSideFacts,
  follower: () => new StepFollower(),
  known: kimiFormat,
  restatesNumbers: true,
  namesToolsEarlier: true,
  forkRule: 'every-child',
})
