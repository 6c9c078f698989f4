import path from 'node:path'
import type { BackupRule } from '../../known/backup-rule'
import type { Layout } from './layout'

/**
 * Makes the rule by which files that lie as layouts say are backed up: those that a layout names, and side files.
 *
 * @param isSideFile whether a file of another name is read too, by its name
 */
export function layoutBackup(
  layouts: readonly Layout[],
  isSideFile: (name: string) => boolean = () => false,
): BackupRule {
  const files = layouts.flatMap((layout) => layout.slice(-1))
  const isSession = (name: string) =>
    files.some((file) => (typeof file === 'string' ? file === name : file.test(name)))
  return {
    folders: [
      ...new Set(layouts.flatMap(([folder]) => (typeof folder === 'string' ? [folder] : []))),
    ],
    levels: Math.max(...layouts.map(({ length }) => length)) - 1,
    isWanted(file) {
      const name = path.posix.basename(file)
      return isSession(name) || isSideFile(name)
    },
  }
}
