import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isJsonObject } from '../../../../shared/model/basics/json-object'
import type { Disk } from '../../../disk/interface/disk'
import { readSmallText } from '../../../disk/reading/read'
import { textIn } from '../../common/drafts'

const largestBytes = 1024 * 1024

/**
 * Reads the folder that a window of VS Code had open, from the `workspace.json` of a workspace's storage: the folder, or the file of a
 * workspace with several; undefined where none is named.
 */
export async function workspaceProject(disk: Disk, storage: string): Promise<string | undefined> {
  const file = path.join(storage, 'workspace.json')
  const text = await readSmallText(disk, file, largestBytes).catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return undefined
    const { folder, workspace, configuration } = value
    const uri = textIn(folder) ?? textIn(workspace) ?? textIn(configuration)
    return uri === undefined ? undefined : pathOfUri(uri)
  } catch {
    return undefined // A chat without its project's name is still a chat.
  }
}

/** A path on this machine, or on another that was reached from it; as it is where it is no URI. */
function pathOfUri(uri: string): string {
  if (!URL.canParse(uri)) return uri
  const { protocol, pathname } = new URL(uri)
  try {
    if (protocol === 'file:') return fileURLToPath(uri)
    return decodeURIComponent(pathname) || uri
  } catch {
    return uri
  }
}
