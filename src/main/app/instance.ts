import { createHash } from 'node:crypto'
import path from 'node:path'
import type { App } from 'electron'
import { type HandedFiles, packFiles } from './opened/named-files'

/**
 * Claims a home for this process: Electron's single-instance lock lies in userData, and userData is one folder per
 * home. Returns false when another Skein has the home; that one shows itself then, and gets what is handed over.
 *
 * Claiming another home gives the first one back.
 *
 * @param handed the files of this start: of the arguments themselves Chromium changes the order
 */
export function claimHome(
  app: App,
  userDataRoot: string,
  home: string,
  handed: HandedFiles = packFiles([], []),
): boolean {
  const before = app.getPath('userData')
  const folder = path.join(userDataRoot, 'homes', homeId(home))
  if (app.hasSingleInstanceLock()) {
    if (before === folder) return true
    app.releaseSingleInstanceLock()
  }
  app.setPath('userData', folder)
  if (app.requestSingleInstanceLock({ ...handed })) return true
  app.setPath('userData', before)
  return false
}

/** Returns a short, stable id of a home: the same for one path on one machine, and safe as a folder's name. */
export function homeId(home: string): string {
  return createHash('sha256').update(home).digest('hex').slice(0, 16)
}
