#!/usr/bin/env node
import os from 'node:os'
import { ensureBuild } from './build.mjs'
import { impersonalEnvironment } from './electron/environment.mjs'
import { ensureElectron } from './electron-runtime.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { hasDisplay } from './setup/display.mjs'
import { checkNode } from './setup/project.mjs'
import { Fault, runScript, say } from './setup/words.mjs'
import { addCounts, closingLine, noTests } from './test/counts.mjs'
import { quietVite } from './test/quiet-vite.mjs'
import { runTests, withTestDisplays } from './test/vitest.mjs'

/** @typedef {import('./test/counts.mjs').Counts} Counts */

/**
 * So many files of end-to-end tests run side by side: one more than cores, since a window waits for frames, for what it is
 * asked and for who drives it. More would take gigabytes of memory.
 */
const sideBySide = Math.min(os.availableParallelism() + 1, 4)

/**
 * Runs every test: those in plain Node, then those in the real Electron. `--e2e` runs the latter alone; other arguments
 * pick tests by their files' names. A step that fails does not keep the next ones from running.
 *
 * The last line of stdout is the sum: `N passed, N failed`.
 */
await runScript(async () => {
  checkNode()
  const args = process.argv.slice(2)
  const filters = args.filter((word) => word !== '--e2e')
  const shown = hasDisplay()
  await ensureDependencies()
  const runtime = await ensureElectron({ virtualDisplay: !shown, fonts: !shown, browser: true })
  const built = await attempt(ensureBuild)
  const env = {
    ...impersonalEnvironment(process.env),
    ELECTRON_EXEC_PATH: runtime.executable,
    ...quietVite,
  }
  const counts = addCounts(
    built,
    args.includes('--e2e') ? noTests : await count('unit', filters, env),
    // Without a build there is nothing to open; that it failed is counted.
    built.failed > 0
      ? noTests
      : await withTestDisplays(sideBySide, env, (shown) => count('e2e', filters, shown)),
  )
  if (filters.length > 0 && counts.passed + counts.failed + counts.skipped === 0)
    throw new Fault(`No test's file is named like ${filters.join(' or ')}.`)
  console.log(closingLine(counts))
  return counts.failed === 0 ? 0 : 1
})

/**
 * @param {() => Promise<void>} step
 * @returns {Promise<Counts>}
 */
async function attempt(step) {
  try {
    await step()
    return noTests
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    say(error.message)
    return { ...noTests, failed: 1 }
  }
}

/**
 * @param {import('./test/vitest.mjs').Kind} kind
 * @param {readonly string[]} filters
 * @param {NodeJS.ProcessEnv} env
 */
async function count(kind, filters, env) {
  const picked = filters.length > 0 ? ['--passWithNoTests', ...filters] : []
  return (await runTests(kind, picked, env)).counts
}
