import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { pushAll } from '../../../shared/model/basics/long-lists'
import type { Disk } from '../../disk/interface/disk'
import { type FoundName, outputsStamp, sortedNamesIn, statNames } from '../common/found-files'
import { geminiOutputs, geminiOutputsFolder } from './saved-output'

/** The outputs of a project. */
interface ProjectOutputs {
  /** Absolute. */
  readonly folder: string
  /** A text of those that older versions put beside the chats of all. */
  readonly shared: string | undefined
  /** Names of the folders of sessions, sorted. */
  readonly sessions: readonly string[]
}

/**
 * Creates a function that makes the text for `SourceFile.outputs` of a session: of the files in its own folders, and of those
 * that older versions put beside the chats of all. A project's folder and its files are looked at once.
 *
 * @param disk with the files
 */
export function sessionOutputs(
  disk: Disk,
  signal: AbortSignal,
): (file: string, sessions: readonly (string | undefined)[]) => Promise<string | undefined> {
  const projects = new Map<string, Promise<ProjectOutputs>>()
  return async (file, sessions) => {
    const place = geminiOutputs.folderOf(file)
    if (place === undefined) return undefined
    const project = path.join(place.base, place.below)
    const known = projects.get(project) ?? outputsOf(project, disk, signal)
    projects.set(project, known)
    const { folder, shared, sessions: all } = await known
    const found: FoundName[] = []
    const own = new Set(sessions.flatMap((id) => (id === undefined ? [] : namedAfter(all, id))))
    for (const name of own) {
      const inside = path.join(folder, name)
      pushAll(found, await statsOf(disk, inside, await namesIn(disk, inside), signal))
    }
    const texts = [shared, outputsStamp(found)].filter((one) => one !== undefined)
    return texts.length === 0 ? undefined : texts.join(' ')
  }
}

async function outputsOf(
  project: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<ProjectOutputs> {
  const folder = path.join(project, geminiOutputsFolder)
  const beside = await namesIn(disk, project)
  const all = beside.includes(geminiOutputsFolder) ? await namesIn(disk, folder) : []
  const isOfSession = (name: string) => name.startsWith('session-')
  const oldest = beside.filter((name) => name.endsWith('.output'))
  const older = all.filter((name) => !isOfSession(name))
  const found = [
    ...(await statsOf(disk, project, oldest, signal)),
    ...(await statsOf(disk, folder, older, signal)),
  ]
  return { folder, shared: outputsStamp(found), sessions: all.filter(isOfSession) }
}

/** The folders of a session, which stand together in a sorted list. */
function namedAfter(sorted: readonly string[], session: string): readonly string[] {
  const wanted = folderNameOf(session)
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < wanted) low = middle + 1
    else high = middle
  }
  let end = low
  while (sorted[end]?.startsWith(wanted) === true) end += 1
  return sorted.slice(low, end)
}

/** The name that Gemini CLI gives the folder; those of one prompt have more behind it. */
function folderNameOf(session: string): string {
  return `session-${session.replace(/[^a-zA-Z0-9_-]/g, '_')}`
}

/** Without stats where these cannot be read. */
async function statsOf(
  disk: Disk,
  folder: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly FoundName[]> {
  try {
    return await statNames(disk, folder, names, signal)
  } catch (error) {
    if (error instanceof AppError) return names.map((name) => ({ name, stat: undefined }))
    throw error
  }
}

/** None where the folder cannot be listed: whoever reads an output reports why. */
async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return await sortedNamesIn(disk, folder)
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}
