#!/usr/bin/env node
import { spawn } from 'node:child_process'
import path from 'node:path'
import { ensureBuild } from './build.mjs'
import { showQuietly } from './electron/noise.mjs'
import { ensureElectron } from './electron-runtime.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { hasDisplay, withDisplay } from './setup/display.mjs'
import { checkNode, isRoot, root } from './setup/project.mjs'
import { runScript, say } from './setup/words.mjs'

/**
 * Opens Skein, with everything it needs made ready first. What stands after `npm start --` goes to the app.
 *
 * `--tour`, or a machine without a display, walks through the app instead and leaves pictures.
 */
await runScript(async () => {
  checkNode()
  const args = process.argv.slice(2)
  const shown = hasDisplay()
  const toured = !shown || args.includes('--tour')
  await ensureDependencies()
  const { executable } = await ensureElectron({ virtualDisplay: !shown, fonts: !shown })
  await ensureBuild()
  if (!toured) return open(executable, args)
  if (!shown)
    say('There is no display here: Skein runs in a virtual one and takes pictures of a short tour.')
  const { takeTour } = await import('./tour.mjs')
  return withDisplay((env) => takeTour(executable, env))
})

/**
 * @param {string} executable
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
function open(executable, args) {
  const switches = switchesFor()
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env // editors' terminals set it
  const app = spawn(executable, [...switches, root, ...args], {
    stdio: ['inherit', 'inherit', 'pipe'],
    env,
  })
  showQuietly(app.stderr, path.dirname(executable))
  process.once('exit', () => app.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    app.on('error', reject)
    app.on('close', (code) => resolve(code ?? 1))
  })
}

function switchesFor() {
  const switches = []
  if (isRoot() && process.platform === 'linux') {
    say('Running as root, where Chromium has no sandbox (--no-sandbox).')
    switches.push('--no-sandbox')
  }
  // The older runtime would look for X11 alone.
  if (process.platform === 'linux' && !process.env.DISPLAY)
    switches.push('--ozone-platform=wayland')
  return switches
}
