import { isJsonObject } from '../../../shared/model/basics/json-object'
import { Gap, readingOf } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import { callerFacts } from '../common/drafts'
import { editorFolders } from '../common/editor-folders'
import { statSource } from '../common/found-files'
import { jsonLineFacts } from '../common/json-lines'
import { factsOfFile, fileOf, inOwnFile, pathOf } from '../common/one-file'
import type { ConversationFact, HistoryReader, SourceFact, SourceRef } from '../common/reader'
import { anyName } from '../common/sessions/layout'
import { agentsIn } from './agents'
import { chatComposing, chatRecords } from './chat/chat-records'
import { chatLine, isChatLine } from './chat/line'
import { chatLayouts, watchedChatFolders } from './chat/list'
import { chatBeginning, isChatFile, lastTimeOfChat, projectOfFile, readChat } from './chat/read'
import { copilotBackup, listSessions } from './files'
import { SessionFollower } from './follow'
import { readCopilotEnd, readCopilotHead } from './head'
import { copilotFormat } from './known'
import { copilotLine, ownLines } from './line'

/**
 * The reader of GitHub Copilot. Of Copilot CLI's sessions: a folder for each, with its events in one file, those of its
 * subagents among them; each subagent is a conversation of its own. Of the chats in VS Code (`chat/`): a file for each.
 *
 * Format: the schema of events that CLI and SDK 1.0.14 ship (August 2026), and sessions up to 1.0.80; VS Code by its source of
 * August 2026. Left out are events that repeat a call or show progress, and the sums of tokens at a session's end; what has no
 * field is in `metadata` (`attachments`, `images`, `reasoning`, `usage`, `model`, `raw_type`, `raw_fields`):
 * docs/sources/copilot.md.
 */
export const copilotReader: HistoryReader = {
  id: 'copilot',
  defaultRoots: ['~/.copilot', ...editorFolders],
  footprint: {
    conversation: [
      ['session-state', anyName, 'events.jsonl'],
      ['session-state', /^[^.].*\.jsonl(?:\.gz|\.zst)?$/i],
      ...chatLayouts,
    ],
  },
  rootVariable: 'COPILOT_HOME',
  watchedFolders: ['session-state', ...watchedChatFolders],
  backup: copilotBackup,
  recordFormat: chatRecords,
  forkRule: 'every-child',
  list: listSessions,
  known: copilotFormat,
  lookInto: chatComposing.lookInto,
  restatesNumbers: true,
  joinsPieces: true,
  namesToolsEarlier: true,
  meaningOf: (value, text, position) =>
    isJsonObject(value) && isChatLine(value)
      ? chatLine(value, text, position)
      : copilotLine(value, text, position),
  beginning: (ref, disk, signal) =>
    isChatFile(fileOf(ref)) ? chatBeginning(ref, disk, signal) : beginning(ref, disk, signal),
  read: (ref, disk, signal) =>
    readingOf(
      ref.key,
      isChatFile(fileOf(ref)) ? readChat(ref, disk, signal) : readSession(ref, disk, signal),
    ),
  lastTime: (ref, disk, signal) =>
    isChatFile(fileOf(ref))
      ? lastTimeOfChat(ref, disk, signal)
      : inOwnFile(ref, disk, async (opened) => (await readCopilotEnd(opened, signal)).time),
}

async function beginning(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<ConversationFact> {
  const { lineKey = ownLines } = fileOf(ref)
  if (lineKey !== ownLines) return agentFact(ref, lineKey, disk, signal)
  return inOwnFile(ref, disk, async (opened) => {
    const head = await readCopilotHead(opened, signal)
    const storedTitle = ref.storedTitle ?? (await readCopilotEnd(opened, signal)).title
    return {
      key: ref.key,
      title: storedTitle ?? head.words ?? ref.key,
      storedTitle,
      project: head.project ?? (await projectOfFile(disk, pathOf(ref))) ?? null,
      createdAt: head.createdAt,
      parent: null,
    }
  })
}

async function agentFact(
  ref: SourceRef,
  id: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<ConversationFact> {
  const whole = pathOf(ref)
  const stat = await statSource(disk, whole)
  const found = stat === undefined ? undefined : await agentsIn(disk, whole, stat, signal)
  const agent = found?.agents.find((one) => one.id === id)
  const session = ref.key.slice(0, -id.length - 1)
  return {
    key: ref.key,
    title: agent?.words ?? agent?.name ?? id,
    project: found?.project ?? null,
    createdAt: agent?.first,
    ...callerFacts(session, agent?.call),
  }
}

async function* readSession(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const { file, lineKey = ownLines } = fileOf(ref)
  yield { type: 'conversation', conversation: await beginning(ref, disk, signal) }
  const session = new SessionFollower()
  const facts = factsOfFile(disk, pathOf(ref), (opened) =>
    jsonLineFacts(opened, file, session.accept, signal, { key: lineKey }),
  )
  // The file is accounted for with the session.
  for await (const fact of session.follow(facts))
    if (lineKey === ownLines || isOfAgent(fact)) yield fact
}

function isOfAgent(fact: SourceFact | Gap): boolean {
  return fact instanceof Gap || fact.type === 'entry' || fact.type === 'damaged'
}
