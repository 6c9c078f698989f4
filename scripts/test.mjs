#!/usr/bin/env node
import fs from 'node:fs'
import path from 'node:path'
import { ensureBuild } from './build.mjs'
import { impersonalEnvironment } from './electron/environment.mjs'
import { ensureElectron } from './electron-runtime.mjs'
import { run } from './setup/child.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { hasDisplay, withDisplay } from './setup/display.mjs'
import { checkNode, root } from './setup/project.mjs'
import { Fault, runScript, say } from './setup/words.mjs'
import { addCounts, closingLine, countTests, noTests } from './test/counts.mjs'
import { quietVite } from './test/quiet-vite.mjs'

/** @typedef {import('./test/counts.mjs').Counts} Counts */

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
    args.includes('--e2e') ? noTests : await runTests('unit', filters, env),
    // Without a build there is nothing to open; that it failed is counted.
    built.failed > 0 ? noTests : await runEndToEnd(filters, env),
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
 * @param {readonly string[]} filters
 * @param {NodeJS.ProcessEnv} env
 */
function runEndToEnd(filters, env) {
  if (hasDisplay()) return runTests('e2e', filters, env)
  return withDisplay((one) =>
    withDisplay((other) => {
      const displays = [one, other].map(({ DISPLAY }) => DISPLAY).join(' ')
      return runTests('e2e', filters, { ...env, SKEIN_TEST_DISPLAYS: displays })
    }),
  )
}

/**
 * @param {'unit' | 'e2e'} kind
 * @param {readonly string[]} filters
 * @param {NodeJS.ProcessEnv} env
 */
async function runTests(kind, filters, env) {
  const report = path.join(root, 'out', 'test', `${kind}.json`)
  fs.rmSync(report, { force: true })
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const config = kind === 'unit' ? 'vitest.config.ts' : 'vitest.e2e.config.ts'
  const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const picked = filters.length > 0 ? ['--passWithNoTests', ...filters] : []
  const { code } = await run(
    process.execPath,
    [vitest, 'run', '--config', config, ...reporting, ...picked],
    { output: 'pass', env },
  )
  return countTests(readReport(report), code)
}

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
