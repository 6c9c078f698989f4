import fs from 'node:fs'
import path from 'node:path'
import { run } from '../setup/child.mjs'
import { root } from '../setup/project.mjs'
import { Fault } from '../setup/words.mjs'
import { bundledComponents, licencesOf } from './bundled.mjs'
import { updateFeedOf, writeUpdateFeed } from './feed.mjs'
import { writeIcons } from './icons.mjs'
import { sourceTime } from './source-time.mjs'

/** @typedef {import('../electron-runtime.mjs').Runtime} Runtime */

const packaging = path.join(root, 'packaging')

/** @typedef {{ flag: string, platform: NodeJS.Platform }} System electron-builder's flag of it, and Node's name */

/** @type {System} */
const linux = { flag: '--linux', platform: 'linux' }

/** @type {ReadonlyMap<string, System>} */
const systems = new Map([
  ['AppImage', linux],
  ['dmg', { flag: '--mac', platform: 'darwin' }],
  ['nsis', { flag: '--win', platform: 'win32' }],
])

/**
 * The app as a folder that runs as it is: `Skein-linux-x64` below `output`, with the command `bin/skein`. The same bytes,
 * modes and times for the same source and Electron.
 * @param {Runtime} runtime
 * @param {string} output
 */
export async function unpackedApp(runtime, output) {
  const work = path.join(output, '.work')
  await electronBuilder(['--linux', 'dir'], runtime, 'linux', work)
  const app = path.join(output, `Skein-linux-${process.arch}`)
  fs.renameSync(path.join(work, unpackedName(work)), app)
  fs.rmSync(work, { recursive: true, force: true })
  // Electron's own app, for folders that are named on its command line: nothing but ours is to run.
  fs.rmSync(path.join(app, 'resources', 'default_app.asar'), { force: true })
  fs.mkdirSync(path.join(app, 'bin'))
  fs.copyFileSync(path.join(packaging, 'linux', 'skein'), path.join(app, 'bin', 'skein'))
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(app, 'LICENSE.skein.txt'))
  fs.writeFileSync(path.join(app, 'LICENSES.bundled.txt'), licencesOf(bundledComponents()))
  settle(app)
  return app
}

/**
 * Has electron-builder make files of formats whose tools it downloads; resolves to their paths.
 * @param {readonly string[]} formats
 * @param {Runtime} runtime
 * @param {string} output
 */
export async function build(formats, runtime, output) {
  const work = path.join(output, '.work')
  const files = []
  for (const format of formats) {
    const { flag, platform } = systems.get(format) ?? linux
    await electronBuilder([flag, format], runtime, platform, work)
    for (const entry of fs.readdirSync(work, { withFileTypes: true })) {
      if (!entry.isFile() || !/\.(?:AppImage|dmg|exe)$/.test(entry.name)) continue
      const file = path.join(output, entry.name)
      fs.renameSync(path.join(work, entry.name), file)
      files.push(file)
    }
    fs.rmSync(work, { recursive: true, force: true })
  }
  return files
}

/**
 * @param {readonly string[]} targets
 * @param {Runtime} runtime
 * @param {NodeJS.Platform} platform of the package
 * @param {string} output
 */
async function electronBuilder(targets, runtime, platform, output) {
  const isHere = platform === process.platform && platform !== 'darwin'
  const dist = isHere ? path.dirname(fs.realpathSync(runtime.executable)) : undefined
  await runElectronBuilder(targets, { platform, electron: runtime.version, output, dist })
}

/**
 * Runs electron-builder with the configuration of the folder packaging.
 * @param {readonly string[]} targets its arguments that name them
 * @param {{ platform: NodeJS.Platform, electron: string, output: string, dist?: string | undefined }} wanted as
 *   packaging/electron-builder.cjs reads it, but for what is made here
 * @throws {Fault}
 */
export async function runElectronBuilder(targets, wanted) {
  const tool = path.join(packaging, 'node_modules', 'electron-builder', 'cli.js')
  const config = path.join(packaging, 'electron-builder.cjs')
  const icons = path.join(wanted.output, '.icons')
  writeIcons(icons)
  // Copied into the resources of the app, empty where updates are off.
  const more = path.join(wanted.output, '.resources')
  fs.rmSync(more, { recursive: true, force: true })
  fs.mkdirSync(more)
  writeUpdateFeed(more, updateFeedOf(process.env))
  const { code, stdout, stderr } = await run(
    process.execPath,
    [tool, ...targets, '--projectDir', root, '--config', config, '--publish', 'never'],
    {
      env: {
        ...process.env,
        ...unsigned(),
        SKEIN_PACKAGE: JSON.stringify({ ...wanted, icons, more }),
      },
    },
  )
  if (code !== 0)
    throw new Fault(`${stdout}${stderr}\nelectron-builder failed (exit code ${code}).`)
}

/** Without a certificate that was named nothing is signed: one that happens to be in the keychain is not taken. */
function unsigned() {
  const isNamed = Boolean(process.env.CSC_LINK || process.env.CSC_NAME)
  return isNamed ? {} : { CSC_IDENTITY_AUTO_DISCOVERY: 'false' }
}

/** @param {string} folder */
function unpackedName(folder) {
  const name = fs.readdirSync(folder).find((each) => each.endsWith('-unpacked'))
  if (name === undefined)
    throw new Fault(`electron-builder made no folder of the app in ${folder}.`)
  return name
}

/**
 * Gives every file the mode and time that it has in each package, whatever the umask and the clock of who makes it.
 * @param {string} folder
 */
export function settle(folder) {
  const time = sourceTime()
  const visit = (/** @type {string} */ place) => {
    const stat = fs.lstatSync(place)
    if (stat.isDirectory()) for (const name of fs.readdirSync(place)) visit(path.join(place, name))
    fs.chmodSync(place, stat.isDirectory() || isProgram(place) ? 0o755 : 0o644)
    fs.utimesSync(place, time, time)
  }
  visit(folder)
}

/** @param {string} file */
function isProgram(file) {
  return /^(?:skein|skein-window|chrome-sandbox|chrome_crashpad_handler)$/.test(path.basename(file))
}
