#!/usr/bin/env node
import fs from 'node:fs'
import path from 'node:path'
import { impersonalEnvironment } from './electron/environment.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { checkNode, root } from './setup/project.mjs'
import { runScript } from './setup/words.mjs'
import { closingLine } from './test/counts.mjs'
import { quietVite } from './test/quiet-vite.mjs'
import { runTests } from './test/vitest.mjs'

/** Helpers by which a test draws a sample of what it tries. */
const draws = /support\/(?:drawn|every-call|read-faults|after-power-loss)'/

/**
 * Runs every test file that draws a sample, at all that it draws from. Stops and kills processes at every call of the disk
 * while they append, rotate, compact, branch, rename, clear, archive and remove, has others take over, wakes them, and reads
 * everything; has every reading call of a branch, an adoption, an export, a compaction and a view of what was sent fail, with
 * each kind of failure, and every change of a writer; cuts files at every byte; looks for files left open. Words pick tests by
 * their names.
 *
 * Takes tens of minutes on two quiet cores. The last line of stdout counts the tests: `N passed, N failed`.
 */
await runScript(async () => {
  checkNode()
  await ensureDependencies()
  const env = {
    ...impersonalEnvironment(process.env),
    ...quietVite,
    SKEIN_FAULTS: 'all',
  }
  const words = process.argv.slice(2)
  const picked = words.length === 0 ? [] : ['--testNamePattern', words.join('|')]
  // One test tries hundreds of calls.
  const limit = '--testTimeout=14400000'
  const files = [...sampledFiles(), limit]
  const { counts } = await runTests('unit', [...files, ...picked], env, { report: 'faults' })
  console.log(closingLine(counts))
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1
})

/** Paths of the test files that draw a sample, from the project's folder. */
function sampledFiles() {
  return fs
    .readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join('test', name))
    .filter((file) => draws.test(fs.readFileSync(path.join(root, file), 'utf8')))
}
