import path from 'node:path'
import type { PluginLook } from '../../shared/model/plugins'
import type { Disk } from '../disk/disk'
import { shownPath } from '../disk/shown-path'
import { contentOf, firstBytes } from './content'
import type { PluginPlace } from './find'

const shownBytes = 32 * 1024
const shownFiles = 200

/** What somebody sees of a plugin before they trust it. @throws NoContent, DiskError */
export async function lookAt(disk: Disk, place: PluginPlace): Promise<PluginLook> {
  const { hash, sizeBytes, files } = await contentOf(disk, place)
  const beginning = await firstBytes(disk, place.program, shownBytes + 1)
  const text = textOf(beginning.subarray(0, shownBytes))
  return {
    name: place.name,
    shown: shownPath(place.path),
    program: shownPath(place.program),
    kind: place.kind,
    hash,
    sizeBytes,
    files: files.slice(0, shownFiles).map((file) => ({ ...file })),
    fileCount: files.length,
    text: text ?? null,
    isWhole: text !== undefined && beginning.length <= shownBytes,
  }
}

/** Undefined where it is no text. A character that the end cuts is left out. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** Where chibi looks for the plugins of a home. */
export function pluginsFolderOf(home: string): string {
  return path.join(home, 'plugins')
}
