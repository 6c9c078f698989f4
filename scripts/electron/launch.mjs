import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { _electron } from 'playwright-core'
import { root } from '../setup/project.mjs'
import { eachLine, isWorthShowing } from './noise.mjs'

/**
 * A running Skein that is driven from outside.
 * @typedef {object} Launched
 * @property {import('playwright-core').ElectronApplication} app
 * @property {import('playwright-core').Page} page the first window
 * @property {readonly string[]} problems what should not have happened, as it comes: errors on the console, errors that
 *   nobody caught, what Electron itself said on stderr
 * @property {() => Promise<void>} close ends it, by force where it does not end by itself
 */

/** Where something hangs; how long it takes where nothing does is the machine's business. */
const launchMs = 180_000
const closeMs = 60_000
/** For what is waited for in a window, or for another window. */
export const waitMs = 240_000

const gateFile = fileURLToPath(new URL('./gate.cjs', import.meta.url))

/**
 * Starts the built app with these arguments.
 * @param {object} options
 * @param {string} options.executable
 * @param {Record<string, string>} options.env the whole environment
 * @param {readonly string[]} [options.args]
 * @param {string} [options.folder] the app's folder, where it is not the project's own
 * @param {string} [options.gate] the gate's file, where the app may not read the project's own
 * @param {boolean} [options.sandbox] with Chromium's sandbox, which root cannot have
 * @param {'light' | 'dark'} [options.colorScheme]
 * @returns {Promise<Launched>}
 */
export async function launchApp({
  executable,
  env,
  args = [],
  folder = root,
  gate = gateFile,
  sandbox = false,
  colorScheme,
}) {
  const app = await _electron.launch({
    executablePath: executable,
    // An installed app knows its own code, and has the gate inside.
    args: process.env.SKEIN_INSTALLED === undefined ? ['-r', gate, folder, ...args] : [...args],
    env,
    cwd: folder,
    timeout: launchMs,
    chromiumSandbox: sandbox,
    ...(colorScheme === undefined ? {} : { colorScheme }),
  })
  const child = app.process()
  /** @type {string[]} */
  const problems = []
  if (child.stderr !== null)
    eachLine(child.stderr, (line) => {
      if (isWorthShowing(line) && !isPlaywrights(line)) problems.push(`stderr: ${line}`)
    })
  app.context().setDefaultTimeout(waitMs)
  const page = await app.firstWindow({ timeout: launchMs }).catch((error) => {
    child.kill('SIGKILL')
    throw new Error(`No window came. ${problems.join('\n')}`, { cause: error })
  })
  page.on('pageerror', (error) => problems.push(`page: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  return { app, page, problems, close: () => close(app, child) }
}

/**
 * Playwright talks to Electron over debuggers, and Electron says so.
 * @param {string} line
 */
function isPlaywrights(line) {
  return /^(Debugger |DevTools listening|For help, see: https:\/\/nodejs\.org|Waiting for the debugger)/.test(
    line,
  )
}

/**
 * @param {import('playwright-core').ElectronApplication} app
 * @param {import('node:child_process').ChildProcess} child kept from the launch: an app that was killed no longer gives it
 */
async function close(app, child) {
  const isRunning = () => child.exitCode === null && child.signalCode === null
  if (!isRunning()) return
  await Promise.race([app.close().catch(() => {}), sleep(closeMs, undefined, { ref: false })])
  if (isRunning()) child.kill('SIGKILL')
}
