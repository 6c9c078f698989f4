import fs from 'node:fs'
import path from 'node:path'
import { run } from './child.mjs'
import { hasTime64, missingLibraries, packageOf } from './libraries.mjs'
import { isRoot } from './project.mjs'
import { Fault, say } from './words.mjs'

/**
 * What a command needs of the system.
 * @typedef {object} Needs
 * @property {string} [electron] this executable's libraries
 * @property {boolean} [virtualDisplay] a display where the machine has none
 * @property {boolean} [fonts] every script that the pictures show; without them the command works all the same
 * @property {boolean} [browser] Chromium, for the window's own tests
 */

/** Fonts for Latin, Arabic and Hebrew, for Chinese, Japanese and Korean, and for emoji. */
const fontPackages = ['fonts-noto-core', 'fonts-noto-cjk', 'fonts-noto-color-emoji']

/** Whichever of them is there drives the window's own tests. */
const browsers = ['chromium', 'chromium-browser', 'google-chrome']

/**
 * Sees to it that the system has what is needed: installs what is missing when it runs as root on Debian, else names
 * all of it in one line.
 * @param {Needs} needs
 */
export async function ensureSystem(needs) {
  const missing = await missingPackages(needs)
  if (missing.length === 0) return
  if (!isRoot() || findCommand('apt-get') === undefined) {
    refuse(missing)
    return
  }
  say(`Installing what the system lacks (apt-get, a minute or two): ${missing.join(' ')} …`)
  await install(missing)
  const left = await missingPackages(needs)
  if (left.length > 0) refuse(left)
}

/**
 * Only fonts missing is no reason to stop: the pictures then have boxes for some letters.
 * @param {readonly string[]} missing
 */
function refuse(missing) {
  const line = `  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing.join(' ')}`
  if (missing.every((name) => fontPackages.includes(name)))
    say(`Some letters will show as boxes until these fonts are installed:\n${line}`)
  else
    throw new Fault(
      `The system lacks packages that are needed here. Install them, then run the same command again:\n${line}`,
    )
}

/** @param {Needs} needs */
async function missingPackages(needs) {
  if (process.platform !== 'linux') return []
  const time64 = hasTime64(readOsRelease())
  const libraries = needs.electron === undefined ? [] : await missingLibraries(needs.electron)
  const missing = new Set(libraries.map((library) => packageOf(library, time64)))
  if (needs.virtualDisplay && findCommand('Xvfb') === undefined) missing.add('xvfb')
  if (needs.browser && browsers.every((name) => findCommand(name) === undefined))
    missing.add('chromium')
  if (needs.fonts) for (const name of await missingFonts()) missing.add(name)
  return [...missing].sort()
}

/** Asked of dpkg, so where there is none nothing is known to be missing. */
async function missingFonts() {
  if (findCommand('dpkg-query') === undefined) return []
  // biome-ignore lint/suspicious/noTemplateCurlyInString: these are dpkg's own placeholders
  const format = '${Package} ${db:Status-Status}\n'
  const { stdout } = await run('dpkg-query', ['-W', '-f', format, ...fontPackages])
  const installed = new Set(stdout.split('\n'))
  return fontPackages.filter((name) => !installed.has(`${name} installed`))
}

/** @param {readonly string[]} packages */
async function install(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const updated = await run('apt-get', ['update', '-qq'], { env })
  // The lists that are there may still do.
  if (updated.code !== 0) say(updated.stderr.trim())
  const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
  const installed = await run('apt-get', args, { env })
  // Hundreds of lines of apt are worth reading only when it fails.
  if (installed.code !== 0) say(`${installed.stdout}${installed.stderr}`.trim())
}

/**
 * The full path of a command; undefined where it is not on the path.
 * @param {string} name
 */
export function findCommand(name) {
  // The system's folders are not on every user's path.
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/sbin']
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, name))
    .find((file) => isExecutable(file))
}

/** @param {string} file */
function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}

function readOsRelease() {
  try {
    return fs.readFileSync('/etc/os-release', 'utf8')
  } catch {
    return ''
  }
}
