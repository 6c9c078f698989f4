import { Gap, readingOf } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import { documentFormat } from '../../records/document/document-format'
import type { DocumentShape } from '../../records/document/shape'
import { documentIndexes } from '../common/document-index'
import { callerFacts } from '../common/drafts'
import { glanceOf } from '../common/glance'
import { pathOf } from '../common/one-file'
import type { ConversationFact, HistoryReader, SourceFact, SourceRef } from '../common/reader'
import { anyName } from '../common/sessions/layout'
import { geminiBackup, listGemini } from './files'
import { geminiFormat } from './known'
import { geminiLine } from './line'
import { projectOf } from './project'
import { type PlayedSession, playSession } from './read'
import { geminiOutputs } from './saved-output'

const shape: DocumentShape = {
  id: 'gemini',
  records: 'messages',
  facts: ['sessionId'],
  record: { id: ['id'], parent: ['parent'], time: ['timestamp'] },
}

const indexes = documentIndexes({
  source: 'gemini',
  shape,
  isOwn: ({ sessionId }) => typeof sessionId === 'string',
})

/**
 * The reader of Gemini CLI's sessions: a file for each, of lines or as one JSON document, and one for each of its
 * subagents.
 *
 * Format: Gemini CLI by its source of August 2026. A message that is written again takes the place of what it was; messages that
 * were taken back stay as a branch. What has no field is in `metadata` (`images`, `attachments`, `usage`, `model`, `raw_type`,
 * `raw_fields`): docs/sources/gemini.md.
 */
export const geminiReader: HistoryReader = {
  id: 'gemini',
  defaultRoots: ['~/.gemini'],
  footprint: {
    conversation: [
      ['tmp', anyName, 'chats', /^session-.*\.jsonl?$/i],
      ['tmp', anyName, 'chats', anyName, /^[^.].*\.jsonl?$/i],
    ],
  },
  watchedFolders: ['tmp'],
  backup: geminiBackup,
  recordFormat: documentFormat(shape),
  list: (root, disk, signal, elsewhere) => listGemini(indexes, root, disk, signal, elsewhere),
  lookInto: indexes.lookInto,
  known: geminiFormat,
  restatesNumbers: true,
  keepsSigns: true,
  meaningOf: geminiLine,
  forkRule: 'every-child',
  savedOutputs: geminiOutputs,
  read: (ref, disk, signal) => readingOf(ref.key, readSession(ref, disk, signal)),
  async glance(ref, disk, signal) {
    const played = await playSession(ref, disk, signal)
    const conversation = await conversationOf(ref, played, disk)
    const times = timesIn(played)
    return glanceOf(ref, conversation, times.at(-1), times[0])
  },
}

function timesIn({ facts }: PlayedSession): readonly number[] {
  return facts.flatMap((fact) =>
    'type' in fact && fact.type === 'entry' ? (fact.entry.timestamp ?? []) : [],
  )
}

async function* readSession(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const played = await playSession(ref, disk, signal)
  yield { type: 'conversation', conversation: await conversationOf(ref, played, disk) }
  yield* played.facts
  for (const part of ref.unread ?? []) yield new Gap(part)
}

async function conversationOf(
  ref: SourceRef,
  { fields, words }: PlayedSession,
  disk: Disk,
): Promise<ConversationFact> {
  const { summary, createdAt, directory } = fields
  const project = await projectOf(disk, pathOf(ref))
  const caller = /^(.+)\/[^/]+$/.exec(ref.key)?.[1]
  return {
    key: ref.key,
    title: summary ?? words ?? ref.key,
    storedTitle: summary,
    project: project ?? directory ?? null,
    createdAt,
    ...callerFacts(caller),
  }
}
