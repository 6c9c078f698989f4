import path from 'node:path'
import type { Disk } from '../../../disk/interface/disk'
import type { FirstFailure } from '../../common/first-failure'
import { sortedNamesIn } from '../../common/found-files'

/** A session of the oldest generation, which has a file for each session, message and part. */
export interface StoredSession {
  readonly id: string
  /** The session's own file; absolute. */
  readonly file: string
}

/** The folders of a session's messages, and of a message's parts. */
export interface StoredFolders {
  readonly messages: string
  partsOf(message: string): string
}

const json = '.json'

/**
 * Lists the sessions that lie in files below the program's data folder; each once, the newer layout first.
 *
 * @param failure gets that of a folder that cannot be listed
 */
export async function storedSessions(
  root: string,
  failure: FirstFailure,
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly StoredSession[]> {
  const found = new Map<string, StoredSession>()
  for (const folder of await sessionFolders(root, failure, disk)) {
    signal.throwIfAborted()
    for (const name of await failure.or(sortedNamesIn(disk, folder), [])) {
      const id = path.basename(name, json)
      if (!name.endsWith(json) || !id.startsWith('ses') || found.has(id)) continue
      found.set(id, { id, file: path.join(folder, name) })
    }
  }
  return [...found.values()]
}

/** Returns where the messages and parts of a session's file lie. */
export function storedFolders(file: string): StoredFolders {
  const session = path.basename(file, json)
  const above = path.dirname(file)
  if (path.basename(above) === 'info') {
    const base = path.dirname(above)
    const parts = path.join(base, 'part', session)
    return {
      messages: path.join(base, 'message', session),
      partsOf: (message) => path.join(parts, message),
    }
  }
  const storage = path.dirname(path.dirname(above))
  return {
    messages: path.join(storage, 'message', session),
    partsOf: (message) => path.join(storage, 'part', message),
  }
}

async function sessionFolders(
  root: string,
  failure: FirstFailure,
  disk: Disk,
): Promise<readonly string[]> {
  const folders: string[] = []
  for (const storage of [path.join(root, 'storage'), root]) {
    const sessions = path.join(storage, 'session')
    for (const project of await failure.or(sortedNamesIn(disk, sessions), []))
      folders.push(path.join(sessions, project))
  }
  const projects = path.join(root, 'project')
  for (const name of await failure.or(sortedNamesIn(disk, projects), []))
    folders.push(path.join(projects, name, 'storage', 'session', 'info'))
  return folders
}
