import path from 'node:path'
import { z } from 'zod'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { Disk } from '../../disk/interface/disk'
import { callerFacts } from '../common/drafts'
import { pathOf } from '../common/one-file'
import type { SourceRef } from '../common/reader'
import type { LaidFile } from '../common/sessions/layout'
import type { LineFacts } from '../common/sessions/line-ends'
import type { SessionSideFacts } from '../common/sessions/line-sessions'
import { sideJson } from '../common/sessions/side-json'

const words = z.string().trim().min(1).optional().catch(undefined)
/** Of the fields of a session these alone are read: others may hold names of accounts. */
const Entry = z.object({
  sessionId: z.string().min(1),
  sessionFile: words,
  label: words,
  displayName: words,
  subject: words,
  spawnedBy: words,
})

interface SessionStore {
  readonly titles: ReadonlyMap<string, string>
  /** By the key of a channel or subagent. */
  readonly ids: ReadonlyMap<string, string>
  /** The keys of those that began others, by these. */
  readonly callers: ReadonlyMap<string, string>
}

const readStore = sideJson((value): SessionStore => {
  const titles = new Map<string, string>()
  const ids = new Map<string, string>()
  const callers = new Map<string, string>()
  for (const [key, entry] of Object.entries(isJsonObject(value) ? value : {})) {
    const known = Entry.safeParse(entry).data
    if (known === undefined) continue
    const { sessionId, sessionFile, label, displayName, subject, spawnedBy } = known
    const title = label ?? displayName ?? subject
    // A topic of a group has a file of its own under its session's id.
    const id = sessionFile === undefined ? sessionId : idOf(sessionFile.replace(/^.*[/\\]/, ''))
    ids.set(key, id)
    if (title !== undefined) titles.set(id, title)
    if (spawnedBy !== undefined) callers.set(id, spawnedBy)
  }
  return { titles, ids, callers }
})

/** Reads the name of a session in the list of its agent's sessions; undefined where it has none. */
export async function openclawTitle(
  { file, found }: LaidFile,
  base: string,
  disk: Disk,
): Promise<string | undefined> {
  const store = await readStore(disk, path.join(base, path.posix.dirname(file), 'sessions.json'))
  return store?.titles.get(idOf(found.name))
}

/** Reads which session began a subagent's, by the list of its agent's sessions, or that of the other one's agent. */
export async function openclawSideFacts(
  ref: SourceRef,
  _found: LineFacts,
  disk: Disk,
): Promise<SessionSideFacts> {
  const file = pathOf(ref)
  const sessions = path.dirname(file)
  const store = await readStore(disk, path.join(sessions, 'sessions.json'))
  const callerKey = store?.callers.get(idOf(path.basename(file)))
  if (callerKey === undefined) return {}
  const [, agent = ''] = callerKey.split(':')
  // A key is no path: the agent's name has to be one folder's.
  const isName = /^[\w-]+$/.test(agent)
  const elsewhere = path.join(
    path.dirname(path.dirname(sessions)),
    agent,
    'sessions',
    'sessions.json',
  )
  const caller =
    store?.ids.get(callerKey) ??
    (isName ? (await readStore(disk, elsewhere))?.ids.get(callerKey) : undefined)
  return caller === undefined ? {} : callerFacts(caller)
}

function idOf(name: string): string {
  return name.replace(/\.jsonl.*$/i, '')
}
