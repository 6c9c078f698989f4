import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { pushAll } from '../../../shared/model/basics/long-lists'
import type { Disk } from '../../disk/interface/disk'
import { type FoundName, outputsStamp, sortedNamesIn, statNames } from '../common/found-files'
import { geminiOutputs, geminiOutputsFolder } from './saved-output'

/**
 * Creates a function that makes the text for `SourceFile.outputs` of a session: of the files in its own folders, and of those
 * that older versions put beside the chats of all. A project's folder is looked at once.
 *
 * @param disk with the files
 */
export function sessionOutputs(
  disk: Disk,
  signal: AbortSignal,
): (file: string, sessions: readonly (string | undefined)[]) => Promise<string | undefined> {
  const projects = new Map<string, Promise<readonly string[]>>()
  const names = (folder: string) => {
    const known = projects.get(folder) ?? namesIn(disk, folder)
    projects.set(folder, known)
    return known
  }
  return async (file, sessions) => {
    const place = geminiOutputs.folderOf(file)
    if (place === undefined) return undefined
    const project = path.join(place.base, place.below)
    const folder = path.join(project, geminiOutputsFolder)
    const beside = await names(project)
    const all = beside.includes(geminiOutputsFolder) ? await names(folder) : []
    const own = all.filter((name) =>
      sessions.some((id) => id !== undefined && name.startsWith(folderNameOf(id))),
    )
    const places: (readonly [string, readonly string[]])[] = [
      [project, beside.filter((name) => name.endsWith('.output'))],
      [folder, all.filter((name) => !name.startsWith('session-'))],
    ]
    for (const name of own)
      places.push([path.join(folder, name), await namesIn(disk, path.join(folder, name))])
    const found: FoundName[] = []
    for (const [where, some] of places) pushAll(found, await statsOf(disk, where, some, signal))
    return outputsStamp(found)
  }
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
