#!/usr/bin/env node
import { ensureBuild } from './build.mjs'
import { impersonalEnvironment } from './electron/environment.mjs'
import { ensureElectron } from './electron-runtime.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { hasDisplay } from './setup/display.mjs'
import { checkNode, root } from './setup/project.mjs'
import { runScript, say } from './setup/words.mjs'
import { startBusy } from './test/busy.mjs'
import { closingLine } from './test/counts.mjs'
import { quietVite } from './test/quiet-vite.mjs'
import { findTestFile, readArguments, repeat } from './test/repeat.mjs'
import { runTests, withTestDisplays } from './test/vitest.mjs'

/**
 * Runs one test file again and again beside busy processes, and stops at the first run that fails: whether a test waits
 * for what it means, or only for a quick machine.
 *
 * The last line of stdout counts the runs: `N passed, N failed`.
 */
await runScript(async () => {
  checkNode()
  const { file: part, times, busy, picked } = readArguments(process.argv.slice(2))
  const { file, kind } = findTestFile(part, root)
  await ensureDependencies()
  const needsDisplay = kind === 'e2e' && !hasDisplay()
  const runtime = await ensureElectron({
    virtualDisplay: needsDisplay,
    fonts: needsDisplay,
    browser: kind === 'e2e',
  })
  await ensureBuild()
  const env = {
    ...impersonalEnvironment(process.env),
    ELECTRON_EXEC_PATH: runtime.executable,
    ...quietVite,
  }
  const options = { output: /** @type {const} */ ('keep'), report: `repeat-${process.pid}` }
  /** @param {NodeJS.ProcessEnv} shown */
  const repeated = (shown) =>
    repeat(times, () => runTests(kind, [file, ...picked], shown, options), say)

  say(`${file}, ${times} times beside ${busy} busy processes`)
  const others = startBusy(busy)
  try {
    const counts = await (kind === 'e2e' ? withTestDisplays(1, env, repeated) : repeated(env))
    console.log(closingLine(counts))
    return counts.failed === 0 ? 0 : 1
  } finally {
    others.end()
  }
})
