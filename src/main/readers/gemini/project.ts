import path from 'node:path'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { Disk } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { inListedFile } from '../common/found-files'

const largestBytes = 4 * 1024 * 1024

/**
 * Reads the folder of the project that a session is of: `.project_root` in the project's own folder, else Gemini's list of
 * projects; undefined where neither names it.
 *
 * @param file of the session: `<home>/tmp/<project>/chats/...`
 */
export async function projectOf(disk: Disk, file: string): Promise<string | undefined> {
  const parts = file.split(path.sep)
  const at = parts.lastIndexOf('chats')
  const name = parts[at - 1]
  if (at < 2 || name === undefined) return undefined
  const folder = parts.slice(0, at).join(path.sep)
  const own = (await textOf(disk, path.join(folder, '.project_root')))?.trim()
  if (own) return own
  const list = await textOf(disk, path.join(path.dirname(path.dirname(folder)), 'projects.json'))
  return list === undefined ? undefined : namedIn(list, name)
}

async function textOf(disk: Disk, file: string): Promise<string | undefined> {
  try {
    const bytes = await inListedFile(disk, file, (opened) => readExactly(opened, 0, largestBytes))
    return new TextDecoder().decode(bytes)
  } catch {
    return undefined // A session without its project's name is still a session.
  }
}

function namedIn(json: string, name: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json)
    const projects = isJsonObject(value) && isJsonObject(value.projects) ? value.projects : {}
    return Object.entries(projects).find(([, id]) => id === name)?.[0]
  } catch {
    return undefined
  }
}
