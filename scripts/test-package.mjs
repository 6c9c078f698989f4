#!/usr/bin/env node
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ensureBuild } from './build.mjs'
import { impersonalEnvironment } from './electron/environment.mjs'
import { ensureElectron } from './electron-runtime.mjs'
import { drivenCopy, installDeb } from './package/install.mjs'
import { run } from './setup/child.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { hasDisplay } from './setup/display.mjs'
import { checkNode, root } from './setup/project.mjs'
import { Fault, runScript, say } from './setup/words.mjs'
import { closingLine } from './test/counts.mjs'
import { quietVite } from './test/quiet-vite.mjs'
import { runTests, withTestDisplays } from './test/vitest.mjs'

/**
 * Makes the `.deb`, installs it below a folder whose name has spaces and letters of several scripts, and runs the tests of
 * test/packaged on it as it is, then the end-to-end tests on a copy that can be driven (`drivenCopy`). Words pick the latter by
 * their files' names; `--installed` leaves them out.
 *
 * The last line of stdout is the sum: `N passed, N failed`.
 */
await runScript(async () => {
  checkNode()
  const words = process.argv.slice(2)
  await ensureDependencies()
  const shown = hasDisplay()
  await ensureElectron({
    virtualDisplay: !shown,
    fonts: !shown,
    browser: true,
  })
  await ensureBuild()
  const packing = await run(process.execPath, ['scripts/package.mjs', 'deb'], { output: 'show' })
  if (packing.code !== 0) throw new Fault('There is no package to test.')
  const made = fs.readdirSync(path.join(root, 'out', 'packages'))
  const deb = made.find((name) => name.endsWith('.deb')) ?? ''
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-'))
  try {
    const folder = path.join(base, 'Łódź – 夢 programs')
    const installed = await installDeb(path.join(root, 'out', 'packages', deb), folder)
    const driven = await drivenCopy(installed.app, path.join(folder, 'driven copy'))
    // Chromium's helpers run as whoever tests them.
    fs.chmodSync(base, 0o755)
    const env = {
      ...impersonalEnvironment(process.env),
      ...quietVite,
      ELECTRON_EXEC_PATH: driven,
      SKEIN_INSTALLED: JSON.stringify(installed),
    }
    say('Testing the package …')
    const filters = words.includes('--installed')
      ? ['test/packaged']
      : ['test/packaged', ...e2e(words)]
    const { counts } = await withTestDisplays(2, env, (displays) =>
      runTests('e2e', filters, displays, { report: 'package' }),
    )
    console.log(closingLine(counts))
    return counts.failed === 0 && counts.passed > 0 ? 0 : 1
  } finally {
    fs.rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
})

/** @param {readonly string[]} words */
function e2e(words) {
  return words.length === 0 ? ['test/e2e'] : words.map((word) => `test/e2e/${word}`)
}
