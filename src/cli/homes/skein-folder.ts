import os from 'node:os'
import path from 'node:path'

/** Where the window keeps what was set in Skein itself, and which plugins are trusted; Electron's own rule. */
export function skeinFolder(environment: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'darwin')
    return path.join(os.homedir(), 'Library', 'Application Support', 'Skein')
  if (process.platform === 'win32')
    return path.join(environment.APPDATA ?? path.join(os.homedir(), 'AppData', 'Roaming'), 'Skein')
  return path.join(environment.XDG_CONFIG_HOME || path.join(os.homedir(), '.config'), 'Skein')
}
