import os from 'node:os'
import path from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the folder of what a person set in Skein itself, trusted plugins included: Electron's `userData`, for a process
 * without Electron.
 */
export function skeinFolder(environment: Environment, platform = process.platform): string {
  return userFolders(environment, platform).settings
}

/** Returns the folder in which exports of other systems are kept, once a person has imported them. */
export function importsFolder(environment: Environment, platform = process.platform): string {
  return path.join(skeinFolder(environment, platform), 'imports')
}

/** Returns the folder in which copies of other systems' files are kept, where a person has these backed up. */
export function backupsFolder(environment: Environment, platform = process.platform): string {
  return path.join(skeinFolder(environment, platform), 'backups')
}

/** Returns the platform's cache folder for Skein, for the app window and the command line alike. */
export function defaultCacheFolder(environment: Environment, platform = process.platform): string {
  return userFolders(environment, platform).cache
}

/** Decision 40 says why no package knows these. */
function userFolders(environment: Environment, platform: NodeJS.Platform) {
  const inHome = (...names: readonly string[]) => path.join(os.homedir(), ...names)
  switch (platform) {
    case 'darwin':
      return {
        settings: inHome('Library', 'Application Support', 'Skein'),
        cache: inHome('Library', 'Caches', 'Skein'),
      }
    case 'win32':
      return {
        settings: path.join(environment.APPDATA || inHome('AppData', 'Roaming'), 'Skein'),
        cache: path.join(environment.LOCALAPPDATA || inHome('AppData', 'Local'), 'Skein', 'Cache'),
      }
    default:
      return {
        settings: path.join(environment.XDG_CONFIG_HOME || inHome('.config'), 'Skein'),
        cache: path.join(environment.XDG_CACHE_HOME || inHome('.cache'), 'skein'),
      }
  }
}
