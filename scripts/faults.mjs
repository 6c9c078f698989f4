#!/usr/bin/env node
import { impersonalEnvironment } from './electron/environment.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { checkNode } from './setup/project.mjs'
import { runScript } from './setup/words.mjs'
import { closingLine } from './test/counts.mjs'
import { quietVite } from './test/quiet-vite.mjs'
import { runTests } from './test/vitest.mjs'

/**
 * Stops and kills processes at every call of the disk while they append, rotate, compact, branch, rename, clear, archive
 * and remove, has others take over, wakes them, and reads everything. `npm test` takes a sample of the same. Words pick
 * works by their names.
 *
 * Takes half an hour on two quiet cores. The last line of stdout counts the works: `N passed, N failed`.
 */
await runScript(async () => {
  checkNode()
  await ensureDependencies()
  const env = {
    ...impersonalEnvironment(process.env),
    ...quietVite,
    SKEIN_INTERRUPTIONS: 'all',
  }
  const works = process.argv.slice(2)
  const picked = works.length === 0 ? [] : ['--testNamePattern', works.join('|')]
  const files = ['test/main/store/interrupted.test.ts', ...picked]
  const { counts } = await runTests('unit', files, env, { report: 'faults' })
  console.log(closingLine(counts))
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1
})
