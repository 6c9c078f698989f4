import { ConversationKey } from '../../../shared/model/conversation/conversation'
import { Gap, readingOf } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import { statSource } from '../common/found-files'
import { jsonLineFacts } from '../common/json-lines'
import { factsOfFile, fileOf, inOwnFile, pathOf } from '../common/one-file'
import type { ConversationFact, HistoryReader, SourceFact, SourceRef } from '../common/reader'
import { agentsIn } from './agents'
import { listSessions } from './files'
import { SessionFollower } from './follow'
import { readCopilotEnd, readCopilotHead } from './head'
import { copilotLine, ownLines } from './line'

/**
 * The reader of GitHub Copilot CLI's sessions: a folder for each, with its events in one file, those of its subagents among
 * them; each subagent is a conversation of its own.
 *
 * Format: the schema of events that CLI and SDK 1.0.14 ship (August 2026), and sessions up to 1.0.80. Left out are events that
 * repeat a call or show progress, and the sums of tokens at a session's end; what has no field is in `metadata`
 * (`attachments`, `reasoning`, `usage`, `model`, `raw_type`, `raw_fields`): docs/sources/copilot.md.
 */
export const copilotReader: HistoryReader = {
  id: 'copilot',
  defaultRoots: ['~/.copilot'],
  rootVariable: 'COPILOT_HOME',
  watchedFolders: ['session-state'],
  list: listSessions,
  meaningOf: copilotLine,
  beginning,
  read: (ref, disk, signal) => readingOf(ref.key, readSession(ref, disk, signal)),
  lastTime: (ref, disk, signal) =>
    inOwnFile(ref, disk, async (opened) => (await readCopilotEnd(opened, signal)).time),
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
      project: head.project,
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
  const call = agent?.call === undefined ? {} : { call: agent.call }
  return {
    key: ref.key,
    title: agent?.words ?? agent?.name ?? id,
    project: found?.project ?? null,
    createdAt: agent?.first,
    parent: { key: session, entries: 0 },
    subagentOf: { key: ConversationKey.parse(session), ...call },
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
