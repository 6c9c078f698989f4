import crypto from 'node:crypto'
import path from 'node:path'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { Disk } from '../../disk/interface/disk'
import { callerFacts, textIn, timeIn, trimmedIn } from '../common/drafts'
import { pathOf } from '../common/one-file'
import type { SourceRef } from '../common/reader'
import type { LaidFile } from '../common/sessions/layout'
import type { LineFacts } from '../common/sessions/line-ends'
import type { SessionSideFacts } from '../common/sessions/line-sessions'
import { sideJson } from '../common/sessions/side-json'

const main = 'main'

/**
 * Returns the key of the session that a file is: its id. That of an agent's, and of messages that were turned away, is behind
 * the id of the session.
 */
export function kimiKeyOf({ layout, names }: LaidFile): string | undefined {
  const [, , session = '', , agent = '', file = ''] = names
  if (layout === 0) return agent === main ? session : path.posix.join(session, agent)
  if (layout === 2) return path.posix.join(session, agent)
  const stem = (layout === 1 ? (names[3] ?? '') : session).replace(/\.jsonl$/i, '')
  if (layout === 3) return file === '' ? stem : undefined
  return stem === 'context' && session !== '' ? session : path.posix.join(session, stem)
}

/** What lies beside a session. Of its fields these alone are read. */
interface SessionState {
  readonly title: string | undefined
  readonly project: string | undefined
  readonly createdAt: number | undefined
  /** The agents that began others, by these; undefined for those that the session itself began. */
  readonly callers: ReadonlyMap<string, string>
}

const readState = sideJson((value): SessionState => {
  const state = isJsonObject(value) ? value : {}
  const agents = isJsonObject(state.agents) ? Object.entries(state.agents) : []
  return {
    title: trimmedIn(state.custom_title) ?? trimmedIn(state.customTitle) ?? trimmedIn(state.title),
    project: trimmedIn(state.workDir) ?? trimmedIn(state.cwd),
    createdAt: timeIn(state.createdAt),
    callers: new Map(
      agents.flatMap(([agent, one]) => {
        const caller = isJsonObject(one) ? textIn(one.parentAgentId) : undefined
        return caller === undefined || caller === main ? [] : [[agent, caller] as const]
      }),
    ),
  }
})

/** Reads the name of a session in the file beside it; undefined for agents and messages that were turned away. */
export async function kimiTitle(
  laid: LaidFile,
  base: string,
  disk: Disk,
): Promise<string | undefined> {
  const key = kimiKeyOf(laid)
  if (key === undefined || key.includes('/')) return undefined
  return (await stateOf(disk, path.join(base, laid.file)))?.title
}

/** Reads the project of a session, and of an agent's which one began it. */
export async function kimiSideFacts(
  ref: SourceRef,
  found: LineFacts,
  disk: Disk,
): Promise<SessionSideFacts> {
  const file = pathOf(ref)
  const state = await stateOf(disk, file)
  const project = state?.project ?? (await projectOf(disk, file))
  const [session = '', agent] = ref.key.split('/')
  const isAgent = agent !== undefined && !/^context(?:_\d+)?$/i.test(agent)
  const facts = {
    ...(project === undefined ? {} : { project }),
    ...(state?.createdAt === undefined || isAgent ? {} : { createdAt: state.createdAt }),
  }
  if (!isAgent) return facts
  const by = state?.callers.get(agent)
  const caller = by === undefined ? session : `${session}/${by}`
  return {
    ...facts,
    ...(found.prompt === undefined ? {} : { title: found.prompt }),
    ...callerFacts(caller),
  }
}

/** The session's own folder is above the agents' folders. */
async function stateOf(disk: Disk, file: string): Promise<SessionState | undefined> {
  const own = path.dirname(file)
  const above = path.basename(path.dirname(own))
  const folder = above === 'agents' || above === 'subagents' ? path.dirname(path.dirname(own)) : own
  const state = await readState(disk, path.join(folder, 'state.json'))
  return state?.title === undefined && state?.project === undefined
    ? ((await readState(disk, path.join(folder, 'metadata.json'))) ?? state)
    : state
}

const readProjects = sideJson((value): ReadonlyMap<string, string> => {
  const listed = isJsonObject(value) && Array.isArray(value.work_dirs) ? value.work_dirs : []
  return new Map(
    listed.flatMap((one: unknown) => {
      const folder = isJsonObject(one) ? textIn(one.path) : undefined
      if (folder === undefined) return []
      // How Kimi CLI names the folder; nothing secret depends on it.
      return [[crypto.createHash('md5').update(folder).digest('hex'), folder] as const]
    }),
  )
})

/** Kimi CLI names the folder of a project by the checksum of its path, and has a list of the projects. */
async function projectOf(disk: Disk, file: string): Promise<string | undefined> {
  const parts = file.split(path.sep)
  const at = parts.lastIndexOf('sessions')
  const checksum = parts[at + 1]
  if (at < 1 || checksum === undefined) return undefined
  const list = path.join(parts.slice(0, at).join(path.sep) || path.sep, 'kimi.json')
  return (await readProjects(disk, list))?.get(checksum.replace(/^.*_/, ''))
}
