import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { readOwnFile } from '../../disk/reading/own-file'
import { realFileOf } from '../../records/interface/record-format'
import { pathOf } from '../common/one-file'
import type { SourceRef } from '../common/reader'
import { assetParts } from './lines/pictures'

const storages: ReadonlySet<string> = new Set(['globalStorage', 'workspaceStorage'])

/**
 * Reads a picture that a message names, from the folders in which the editor keeps pictures of each workspace
 * (`workspaceStorage/HASH/images`), never from elsewhere; undefined where it is not there, or has more than `most` bytes.
 */
export async function readCursorImage(
  ref: SourceRef,
  id: string,
  disk: Disk,
  most: number,
): Promise<Uint8Array | undefined> {
  const parts = assetParts(id)
  const user = userFolder(realFileOf(pathOf(ref)))
  if (parts === undefined || user === undefined) return undefined
  const below = `workspaceStorage/${parts.hash}/images/${parts.name}`
  const read = await readOwnFile(disk, user, below, async (file, { sizeBytes }) =>
    sizeBytes > most ? undefined : readExactly(file, 0, sizeBytes),
  )
  return read.type === 'read' ? read.value : undefined
}

/** The editor's folder of user data, in which a chat's database lies; undefined for a chat of the command line. */
function userFolder(file: string): string | undefined {
  for (let at = path.dirname(file); at !== path.dirname(at); at = path.dirname(at))
    if (storages.has(path.basename(at))) return path.dirname(at)
  return undefined
}
