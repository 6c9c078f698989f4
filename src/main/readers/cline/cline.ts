import { firstWords } from '../../../shared/model/basics/first-words'
import { Gap, readingOf } from '../../../shared/model/conversation/reading'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { parseRecordPath } from '../../records/interface/record-format'
import { editorFolders } from '../common/editor-folders'
import { inOwnFile, lineFileFacts, pathOf } from '../common/one-file'
import { readRecordHead } from '../common/read-record-file'
import type { ConversationFact, HistoryReader, SourceFact, SourceRef } from '../common/reader'
import { lastEntryTimeIn } from '../common/record-values'
import { anyName } from '../common/sessions/layout'
import { withToolNames } from '../common/tool-names'
import { extensionFolders, listTasks, taskBackup } from './files'
import { taskFacts } from './history'
import { clineFormat } from './known'
import { taskLine } from './line'
import { taskComposing, taskRecords } from './records'

/**
 * The reader of tasks of Cline, of Roo Code and Kilo Code, which came of it, and of sessions of Cline CLI: a list of messages each, with
 * what the screen told of them in a file beside it.
 *
 * Format: read from the source of all three, of August 2026 (docs/sources/cline.md). What has no field is in `metadata`
 * (`images`, `attachments`, `usage`, `model`, `raw_type`, `raw_fields`). What the screen shows is used for times, tokens and
 * failures alone, since it repeats the messages.
 */
export const clineReader: HistoryReader = {
  id: 'cline',
  defaultRoots: [
    '~/.cline/data',
    ...editorFolders.map((folder) => `${folder}/globalStorage`),
    '~/.vscode-server/data/User/globalStorage',
  ],
  footprint: {
    conversation: ['', ...extensionFolders].flatMap((folder) => {
      const base = folder === '' ? [] : [folder]
      return [
        [...base, 'tasks', anyName, /^(?:api_conversation_history|claude_messages)\.json$/],
        [...base, 'sessions', anyName, /^[^.].*\.messages\.json$/i],
      ]
    }),
  },
  rootVariable: 'CLINE_DATA_DIR',
  watchedFolders: ['tasks', 'sessions', ...extensionFolders.map((folder) => `${folder}/tasks`)],
  backup: taskBackup,
  recordFormat: taskRecords,
  list: listTasks,
  known: clineFormat,
  lookInto: taskComposing.lookInto,
  meaningOf: taskLine,
  restatesNumbers: true,
  beginning: (ref, disk, signal) =>
    inOwnFile(ref, disk, (opened) => taskFact(ref, opened, disk, signal)),
  read: (ref, disk, signal) => readingOf(ref.key, readTask(ref, disk, signal)),
  lastTime: (ref, disk, signal) =>
    inOwnFile(ref, disk, (opened) => lastEntryTimeIn(opened, taskLine, signal)),
}

async function* readTask(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const begin = (opened: DiskFile) => taskFact(ref, opened, disk, signal)
  yield* lineFileFacts(ref, disk, signal, withToolNames(taskLine, 'tool'), begin)
  for (const part of ref.unread ?? []) yield new Gap(part)
}

async function taskFact(
  ref: SourceRef,
  opened: DiskFile,
  disk: Disk,
  signal: AbortSignal,
): Promise<ConversationFact> {
  const { conversation } = await readRecordHead(ref.key, opened, taskLine, signal)
  const container = parseRecordPath(pathOf(ref))?.container ?? pathOf(ref)
  const id = ref.key.split('/').at(-1) ?? ref.key
  const { title, prompt, project, createdAt } = await taskFacts(disk, container, id)
  const words = conversation.title === ref.key ? firstWords(prompt ?? '') : conversation.title
  return {
    ...conversation,
    title: title ?? (words || ref.key),
    storedTitle: title,
    project: project ?? conversation.project,
    // The id of a task is the time of its beginning, in milliseconds.
    createdAt: createdAt ?? (/^\d{13}$/.test(id) ? Number(id) / 1000 : undefined),
  }
}
