import path from 'node:path'
import type { PluginLook } from '../../shared/model/settings/plugins'
import type { Disk } from '../disk/interface/disk'
import { shownPath } from '../disk/interface/shown-path'
import { pluginHeadBytes, readPluginContent } from './content'
import type { PluginLocation } from './find-plugins'

const shownFiles = 200

/**
 * Reads what a person sees of a plugin before they trust it: at most 200 files, and 32 KB of its program.
 *
 * @throws PluginContentError, DiskError
 */
export async function previewPlugin(disk: Disk, place: PluginLocation): Promise<PluginLook> {
  // The text is from the bytes that were hashed: what is seen is what is trusted.
  const { hash, sizeBytes, files, head } = await readPluginContent(disk, place)
  const text = textOf(head.subarray(0, pluginHeadBytes - 1))
  return {
    name: place.name,
    shown: shownPath(place.path),
    program: shownPath(place.program),
    kind: place.kind,
    hash,
    sizeBytes,
    files: files
      .slice(0, shownFiles)
      .map((file) => ({ path: file.path, sizeBytes: file.sizeBytes })),
    fileCount: files.length,
    text: text ?? null,
    isWhole: text !== undefined && head.length < pluginHeadBytes,
  }
}

/** Decodes UTF-8; undefined where it is no text. A character that the end cuts is left out. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** Returns the folder in which chibi looks for a home's plugins. */
export function pluginsFolderOf(home: string): string {
  return path.join(home, 'plugins')
}
