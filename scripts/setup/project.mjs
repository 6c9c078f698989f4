import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault } from './words.mjs'

/** The project's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** The oldest Node that runs the tools which package.json pins (Vite 8). */
const oldestNode = [20, 19]

/**
 * Says at once what is wrong with an old Node; the tools' own errors would not.
 * @param {string} [version]
 */
export function checkNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = oldestNode
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return
  throw new Fault(`Skein is built with Node ${oldestNode.join('.')} or newer; this is ${version}.`)
}

/**
 * Folders for what can be fetched again, best first: the person's cache, shared by all checkouts, then one of this
 * checkout, for users whose home is missing or read-only.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function cacheFolders(env = process.env) {
  const home = env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache')
  return [path.join(home, 'skein'), path.join(root, 'node_modules', '.cache', 'skein')]
}

/** Whether this process may install the system's packages. */
export function isRoot() {
  return process.geteuid?.() === 0
}
