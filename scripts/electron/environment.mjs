import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Variables that would lead the app to somebody's own conversations, models or keys, or make Electron a plain Node. */
const personal = /^(CHIBI_|OPENROUTER_|OPENAI_|XDG_|ELECTRON_RUN_AS_NODE$|NODE_OPTIONS$)/

/**
 * The environment without anything that is the person's own.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Record<string, string>}
 */
export function impersonalEnvironment(env) {
  const kept = Object.entries(env).filter(([name]) => !personal.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']))
}

/**
 * A person who has never run the app: an empty home folder and an environment that points into it.
 * @param {NodeJS.ProcessEnv} base
 * @returns {{ folder: string, env: Record<string, string>, remove: () => void }}
 */
export function newPerson(base) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-'))
  const runtime = path.join(folder, 'run')
  fs.mkdirSync(runtime, { mode: 0o700 })
  const env = {
    ...impersonalEnvironment(base),
    HOME: folder,
    USERPROFILE: folder,
    XDG_CONFIG_HOME: path.join(folder, '.config'),
    XDG_CACHE_HOME: path.join(folder, '.cache'),
    XDG_DATA_HOME: path.join(folder, '.local', 'share'),
    XDG_STATE_HOME: path.join(folder, '.local', 'state'),
    XDG_RUNTIME_DIR: runtime,
  }
  // Electron's helpers may still write for a moment after it has ended.
  const remove = () =>
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  return { folder, env, remove }
}
