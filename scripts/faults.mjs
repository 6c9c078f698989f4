#!/usr/bin/env node
import { impersonalEnvironment } from './electron/environment.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { checkNode } from './setup/project.mjs'
import { runScript } from './setup/words.mjs'
import { closingLine } from './test/counts.mjs'
import { quietVite } from './test/quiet-vite.mjs'
import { runTests } from './test/vitest.mjs'

/** Files of tests that draw a sample (test/support/drawn.ts) beside other tests. */
const alsoSampled = ['library/backups/back-up-root', 'home/continuing/continuing']

/**
 * Stops and kills processes at every call of the disk while they append, rotate, compact, branch, rename, clear, archive
 * and remove, has others take over, wakes them, and reads everything. Then has every reading call of a branch, an adoption,
 * an export, a compaction and a view of what was sent fail, with each kind of failure, and looks for files left open.
 * `npm test` takes a sample of the same. Words pick tests by their names.
 *
 * Takes about forty minutes on two quiet cores. The last line of stdout counts the tests: `N passed, N failed`.
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
  const files = ['store/interrupted', 'store/open-handles', 'read-faults', ...alsoSampled]
  const limit = '--testTimeout=14400000'
  const { counts } = await runTests('unit', [...files, limit, ...picked], env, { report: 'faults' })
  console.log(closingLine(counts))
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1
})
