import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { FirstFailure } from '../common/first-failure'
import {
  type FoundName,
  findRoot,
  foundIn,
  inListedFile,
  isFolder,
  sortedNamesIn,
  sourceFileOf,
  statNames,
} from '../common/found-files'
import { glanceOf } from '../common/glance'
import type { LookElsewhere, SourceRef } from '../common/reader'
import type { BackupRule } from '../known/backup-rule'
import { agentsIn } from './agents'
import { chatFolderNames, chatInFile, findChats } from './chat/list'
import { readCopilotHead } from './head'
import { ownLines } from './line'
import { sessionName } from './workspace'

const sessionsFolder = 'session-state'
const eventsFile = 'events.jsonl'
const flatName = /^[^.].*\.jsonl(?:\.gz|\.zst)?$/is

/** Sessions of the CLI with their names, and VS Code's chats with the folders that they are of; no settings. */
export const copilotBackup: BackupRule = {
  folders: [sessionsFolder, ...chatFolderNames],
  levels: 4,
  isWanted: (file) =>
    /(?:^|\/)(?:events\.jsonl|workspace\.yaml|workspace\.json)$/.test(file) ||
    /(?:^|\/)(?:chatSessions|emptyWindowChatSessions|transferredChatSessions|transcripts)\/[^./][^/]*\.jsonl?$/i.test(
      file,
    ) ||
    /^(?:session-state\/)?[^./][^/]*\.jsonl(?:\.gz|\.zst)?$/i.test(file),
}

/**
 * Lists the sessions under a root, each followed by its subagents: Copilot's own folder, its folder of sessions, the folder
 * of one session, or one file; and the chats of VS Code, where it is a folder of those (`findChats`).
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed; what else is there is listed before
 */
export async function* listSessions(
  root: string,
  disk: Disk,
  signal: AbortSignal,
  elsewhere?: LookElsewhere,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  if (top.type === 'file') {
    const { folder, found } = top
    const { name } = found
    if (name !== eventsFile && !(await isSession(root, disk, signal))) {
      const chat = await chatInFile(folder, found, disk)
      if (chat !== undefined) yield chat
      return
    }
    const key = name === eventsFile ? path.basename(folder) : stemOf(name)
    return yield* refsOf({ root: folder, key, file: name }, found, disk, signal)
  }
  const failure = new FirstFailure()
  yield* failure.in(chatsIn(root, disk, signal, elsewhere))
  const names = await sortedNamesIn(disk, root)
  if (names.includes(eventsFile))
    yield* failure.in(sessionIn(root, '', path.basename(root), disk, signal))
  if (names.includes(sessionsFolder))
    yield* failure.in(sessionsIn(root, sessionsFolder, disk, signal))
  else if (path.basename(root) === sessionsFolder)
    yield* failure.in(sessionsIn(root, '', disk, signal))
  failure.throw()
}

/** Chats of VS Code. What Copilot wrote down of one has the form of a session. */
async function* chatsIn(
  root: string,
  disk: Disk,
  signal: AbortSignal,
  elsewhere: LookElsewhere | undefined,
): AsyncGenerator<SourceRef> {
  const { refs, transcripts, failure } = await findChats(root, disk, signal, elsewhere)
  for (const { key, file, one } of transcripts)
    yield* failure.in(refsOf({ root, key, file }, one, disk, signal))
  yield* refs
  failure.throw()
}

async function* sessionsIn(
  root: string,
  folder: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const failure = new FirstFailure()
  for (const one of await foundIn(disk, root, folder, signal)) {
    const place = path.posix.join(folder, one.name)
    if (isFolder(one)) yield* failure.in(sessionIn(root, place, one.name, disk, signal))
    else if (flatName.test(one.name))
      yield* failure.in(refsOf({ root, key: stemOf(one.name), file: place }, one, disk, signal))
    else failure.passedBy(one)
  }
  failure.throw()
}

/** None where the folder has no events. */
async function* sessionIn(
  root: string,
  folder: string,
  key: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const whole = path.join(root, folder)
  const names = (await sortedNamesIn(disk, whole)).filter((name) => name === eventsFile)
  for (const one of await statNames(disk, whole, names, signal)) {
    const storedTitle = await sessionName(disk, whole)
    const file = path.posix.join(folder, one.name)
    yield* refsOf({ root, key, file, storedTitle }, one, disk, signal)
  }
}

interface FoundSession {
  readonly root: string
  readonly key: string
  /** Relative to the root. */
  readonly file: string
  readonly storedTitle?: string | undefined
}

/** A session, and the subagents in its file. */
async function* refsOf(
  { root, key, file, storedTitle }: FoundSession,
  one: FoundName,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const source = sourceFileOf(file, one)
  const { bytes, mtimeMs: updatedAtMs } = source
  const { stat } = one
  const isThere = stat?.kind === 'file' && one.fault === undefined
  const { agents, project } = isThere
    ? await agentsOf(path.join(root, file), stat, disk, signal)
    : noAgents
  const agentBytes = agents.reduce((sum, agent) => sum + agent.bytes, 0)
  const known = { source: 'copilot', root, updatedAtMs, isLinear: true } as const
  yield {
    ...known,
    key,
    files: [{ ...source, lineKey: ownLines }],
    bytes: bytes - agentBytes,
    ...(storedTitle === undefined ? {} : { storedTitle }),
  }
  for (const agent of agents) {
    const { id, name, words, first, last } = agent
    const title = words ?? name ?? id
    yield {
      ...known,
      key: `${key}/${id}`,
      files: [{ ...source, lineKey: id }],
      bytes: agent.bytes,
      glance: glanceOf({ updatedAtMs }, { title, project, createdAt: first }, last),
    }
  }
}

const noAgents = { agents: [], project: null }

/** Those of a file that cannot be read are not known: reading the session reports why. */
async function agentsOf(
  file: string,
  stat: NonNullable<FoundName['stat']>,
  disk: Disk,
  signal: AbortSignal,
): ReturnType<typeof agentsIn> {
  try {
    return await agentsIn(disk, file, stat, signal)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return noAgents
  }
}

async function isSession(file: string, disk: Disk, signal: AbortSignal): Promise<boolean> {
  const head = await inListedFile(disk, file, (opened) => readCopilotHead(opened, signal))
  return head.isSession
}

function stemOf(name: string): string {
  return name.replace(/\.jsonl(?:\.gz|\.zst)?$/i, '')
}
