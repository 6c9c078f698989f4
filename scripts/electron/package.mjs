import fs from 'node:fs'
import path from 'node:path'
import { run } from '../setup/child.mjs'
import { root } from '../setup/project.mjs'

/** Files that unpacking the package's own download leaves. */
const executableNames = {
  win32: 'electron.exe',
  darwin: 'Electron.app/Contents/MacOS/Electron',
  linux: 'electron',
}

const folder = path.join(root, 'node_modules', 'electron')
const dist = path.join(folder, 'dist')
/** Names the executable inside dist. Written last: without it, dist was not unpacked to its end. */
const pathFile = path.join(folder, 'path.txt')

/** The executable's name inside a runtime's folder, on this system. */
const executableName =
  executableNames[/** @type {keyof typeof executableNames} */ (process.platform)] ?? 'electron'

/** The version that package.json pins. */
export function packageVersion() {
  return String(JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version)
}

/** The executable that `require('electron')` names, with links followed; undefined where there is none yet. */
export function packageExecutable() {
  try {
    return fs.realpathSync(path.join(dist, fs.readFileSync(pathFile, 'utf8')))
  } catch {
    return undefined
  }
}

/** Whether the package serves a runtime from elsewhere: see `link`. */
export function isLinked() {
  return fs.lstatSync(dist, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

/**
 * Makes `require('electron')`, electron-vite and Playwright use this runtime.
 * @param {string} executable
 */
export function link(executable) {
  unlink()
  fs.symlinkSync(path.dirname(executable), dist, 'dir')
  fs.writeFileSync(pathFile, executableName)
}

/**
 * Whether the host with Electron's releases answers here. A closed network says no at once; a slow one is cut off.
 * @param {number} timeoutMs
 */
export async function hostAnswers(timeoutMs) {
  const version = packageVersion()
  const base =
    process.env.ELECTRON_MIRROR ||
    process.env.npm_config_electron_mirror ||
    'https://github.com/electron/electron/releases/download/'
  const url = `${base}v${version}/electron-v${version}-${process.platform}-${process.arch}.zip`
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal })
    return response.status < 400
  } catch {
    return false
  }
}

/**
 * Runs the package's own download, which checks its sums.
 * @param {number} timeoutMs
 * @returns {Promise<string | undefined>} the executable, or undefined where it did not come
 */
export async function download(timeoutMs) {
  unlink() // or the archive would be unpacked into the cache behind the link
  await run(process.execPath, [path.join(folder, 'install.js')], { output: 'show', timeoutMs })
  return packageExecutable()
}

function unlink() {
  fs.rmSync(pathFile, { force: true })
  fs.rmSync(dist, { recursive: true, force: true })
}
