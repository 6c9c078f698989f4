import os from 'node:os'
import path from 'node:path'

/** A path as people write it: with their own folder as `~`. */
export function shownPath(file: string, ownFolder: string = os.homedir()): string {
  return file === ownFolder || file.startsWith(ownFolder + path.sep)
    ? `~${file.slice(ownFolder.length)}`
    : file
}
