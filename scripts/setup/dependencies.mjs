import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { run } from './child.mjs'
import { readStamp, writeStamp } from './fingerprint.mjs'
import { withLock } from './lock.mjs'
import { root } from './project.mjs'
import { Fault, say } from './words.mjs'

/**
 * Installs exactly what package-lock.json names, unless that is there already.
 *
 * Two at once take turns, and the second finds the work done. A killed install is done again: npm empties node_modules
 * first, and with it goes the stamp.
 * @param {string} [project]
 */
export async function ensureDependencies(project = root) {
  if (areInstalled(project)) return
  await withLock(
    'set-up',
    async () => {
      if (areInstalled(project)) return
      say('Installing the dependencies (npm ci) …')
      await install(project)
      writeStamp(stampFile(project), wantedStamp(project))
    },
    path.join(project, 'out'),
  )
}

/** @param {string} project */
function areInstalled(project) {
  if (readStamp(stampFile(project)) === wantedStamp(project)) return true
  if (!holdsLock(project)) return false
  // npm was run by hand and left what we would install.
  try {
    writeStamp(stampFile(project), wantedStamp(project))
  } catch {
    // A checkout that this user may not write to: it is looked at again the next time.
  }
  return true
}

/** @param {string} project */
function stampFile(project) {
  return path.join(project, 'node_modules', '.skein-setup')
}

/**
 * Native parts differ by system, so a folder that moved to another one is installed again.
 * @param {string} project
 */
function wantedStamp(project) {
  const lock = fs.readFileSync(path.join(project, 'package-lock.json'))
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}\n`
}

/** @param {string} project */
async function install(project) {
  // No install scripts: nothing needs one, and the typings of the older Electron would download that Electron.
  // No age is asked for (.npmrc): what the lock names was let in when it was locked, and is known by its digest.
  const args = [
    'ci',
    '--ignore-scripts',
    '--min-release-age=0',
    '--include=dev',
    '--include=optional',
  ]
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const { code } = await run('npm', [...args, ...quiet], { cwd: project, output: 'show' })
  if (code !== 0)
    throw new Fault(
      `The dependencies could not be installed: npm ended with ${code}, its words are above. ` +
        'When the registry cannot be reached, connect and run the same command again.',
    )
}

/**
 * Whether npm's own record of what it installed has every package of the lock, at its version.
 * @param {string} project
 */
export function holdsLock(project) {
  const installed = readPackages(path.join(project, 'node_modules', '.package-lock.json'))
  const wanted = readPackages(path.join(project, 'package-lock.json'))
  if (installed === undefined || wanted === undefined) return false
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '' || entry.optional) return true
    const other = installed[place]
    return other?.version === entry.version && other?.integrity === entry.integrity
  })
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockedPackage
 * @param {string} file
 * @returns {Record<string, LockedPackage> | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}
