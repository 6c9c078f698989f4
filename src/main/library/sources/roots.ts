import os from 'node:os'
import path from 'node:path'
import { SourceId } from '../../../shared/model/conversation/conversation'
import { readers } from '../../readers/index'

/** A root: a folder or file in which a source's histories are. */
export interface LibraryRoot {
  readonly source: SourceId
  /** Absolute; need not exist. */
  readonly path: string
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the roots of other systems: the path in their environment variable (`VOICEMODE_BASE_DIR`), else their
 * default.
 */
export function foreignRoots(environment: Environment): readonly LibraryRoot[] {
  return readers
    .filter(({ id }) => id !== 'chibi')
    .flatMap(({ id, defaultRoots, rootVariable = '' }) => {
      const named = environment[rootVariable]
      return (named ? [named] : defaultRoots).map((root) => ({
        source: id,
        path: path.resolve(root.replace(/^~(?=$|\/)/, os.homedir())),
      }))
    })
}

/**
 * Parses `SOURCE=PATH`, the argument of `--root`; returns the fault as a sentence where it is wrong.
 *
 * @param folder what relative paths are relative to
 */
export function parseRootOption(text: string, folder: string): LibraryRoot | string {
  const at = text.indexOf('=')
  const place = text.slice(at + 1)
  if (at <= 0 || place === '') return `--root needs SOURCE=PATH, not "${text}".`
  const source = SourceId.safeParse(text.slice(0, at))
  if (!source.success)
    return `"${text.slice(0, at)}" is no source; known: ${SourceId.options.join(', ')}.`
  return { source: source.data, path: path.resolve(folder, place) }
}

/** Returns the platform's cache folder for Skein, for the app window and the command line alike. */
export function defaultCacheFolder(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches', 'Skein')
  if (platform === 'win32') {
    const local = environment.LOCALAPPDATA || path.join(os.homedir(), 'AppData', 'Local')
    return path.join(local, 'Skein', 'Cache')
  }
  return path.join(environment.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'skein')
}
