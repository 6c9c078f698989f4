import path from 'node:path'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { timeIn } from '../common/drafts'
import { pathOf } from '../common/one-file'
import { anyName, type Layout } from '../common/sessions/layout'
import { layoutBackup } from '../common/sessions/layout-backup'
import { lineSessionReader } from '../common/sessions/line-sessions'
import { sideJson } from '../common/sessions/side-json'
import { antigravityFormat } from './known'
import { antigravityLine } from './line'

const logs = ['brain', anyName, '.system_generated', 'logs'] as const
/** The one with whole texts first: the other has the beginning of long ones. */
const layouts: readonly Layout[] = [
  [...logs, 'transcript_full.jsonl'],
  [...logs, 'transcript.jsonl'],
]

/** The newest conversation of each folder, by the folder. */
const newest = sideJson((value) => new Map(isJsonObject(value) ? Object.entries(value) : []))

/**
 * The reader of Antigravity's transcripts, of its editor and its command line: a file of steps for each conversation, in the folder
 * of what its agent wrote down.
 *
 * Format: no specification; transcripts of September and October 2026 as other readers describe them (docs/sources/antigravity.md).
 * Left out: the conversations themselves (`conversations/`), which are encrypted or in a binary form: branches, models and tokens are there.
 */
export const antigravityReader = lineSessionReader({
  id: 'antigravity',
  defaultRoots: ['~/.gemini/antigravity', '~/.gemini/antigravity-ide', '~/.gemini/antigravity-cli'],
  watchedFolders: ['brain'],
  layouts,
  backup: {
    ...layoutBackup(layouts, (name) => name === 'last_conversations.json'),
    folders: ['brain', 'cache'],
  },
  firstCounts: true,
  keyOf: ({ names, file }) => names[1] || path.posix.basename(file, '.jsonl'),
  meaningOf: antigravityLine,
  restatesNumbers: true,
  titleNames: [],
  fieldsOf: (step) => ({ time: timeIn(step.created_at) }),
  async sideFactsOf(ref, _found, disk) {
    const home = path.resolve(path.dirname(pathOf(ref)), '../../../..')
    const folders = await newest(disk, path.join(home, 'cache', 'last_conversations.json'))
    for (const [folder, id] of folders ?? []) if (id === ref.key) return { project: folder }
    return {}
  },
  known: antigravityFormat,
})
