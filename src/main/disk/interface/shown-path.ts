import os from 'node:os'
import path from 'node:path'

/** Returns a path as people write it, with their home folder as `~`. */
export function shownPath(file: string, ownFolder: string = os.homedir()): string {
  return file === ownFolder || file.startsWith(ownFolder + path.sep)
    ? `~${file.slice(ownFolder.length)}`
    : file
}
