import fs from 'node:fs'
import path from 'node:path'
import { run } from '../setup/child.mjs'
import { hasDisplay, withDisplay } from '../setup/display.mjs'
import { root } from '../setup/project.mjs'
import { countTests } from './counts.mjs'

/** @typedef {import('./counts.mjs').Counts} Counts */
/** @typedef {'unit' | 'e2e'} Kind in plain Node, or in a real Electron and a browser */

/** @type {Readonly<Record<Kind, string>>} */
const configs = { unit: 'vitest.config.ts', e2e: 'vitest.e2e.config.ts' }

/**
 * Runs the tests of one kind to their end and counts them.
 *
 * Its words go to our streams as they come ("pass") or are returned ("keep").
 * @param {Kind} kind
 * @param {readonly string[]} picked Vitest's arguments: parts of files' names, options
 * @param {NodeJS.ProcessEnv} env
 * @param {{ output?: 'pass' | 'keep', report?: string }} [options] `report` names the report's file, so that two runs have two
 * @returns {Promise<{ counts: Counts, words: string }>}
 */
export async function runTests(kind, picked, env, { output = 'pass', report = kind } = {}) {
  const file = path.join(root, 'out', 'test', `${report}.json`)
  fs.rmSync(file, { force: true })
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code, stdout, stderr } = await run(
    process.execPath,
    [vitest, 'run', '--config', configs[kind], ...reporting, ...picked],
    { output, env },
  )
  return { counts: countTests(takeReport(file), code), words: `${stdout}${stderr}` }
}

/**
 * Gives `work` an environment in which as many test files run side by side as it has displays of its own for: on a shared
 * one windows take the focus from one another. Where a person has a display, it is that one.
 * @template T
 * @param {number} count
 * @param {NodeJS.ProcessEnv} env
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work
 * @param {readonly string[]} [started]
 * @returns {Promise<T>}
 */
export function withTestDisplays(count, env, work, started = []) {
  if (hasDisplay()) return work(env)
  if (started.length === count) return work({ ...env, SKEIN_TEST_DISPLAYS: started.join(' ') })
  return withDisplay(({ DISPLAY = '' }) =>
    withTestDisplays(count, env, work, [...started, DISPLAY]),
  )
}

/** @param {string} file */
function takeReport(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  } finally {
    fs.rmSync(file, { force: true })
  }
}
