#!/usr/bin/env node
import path from 'node:path'
import { ensureBuild } from './build.mjs'
import { run } from './setup/child.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { checkNode, root } from './setup/project.mjs'
import { runScript } from './setup/words.mjs'
import { quietVite } from './test/quiet-vite.mjs'

/** @typedef {{ name: string, commands: readonly (readonly string[])[] }} Check a name, and tools run one after another */

/** @type {readonly Check[]} */
const checks = [
  { name: 'unit tests', commands: [['vitest/vitest.mjs', 'run', '--reporter=dot']] },
  {
    name: 'types',
    commands: [
      ['typescript/bin/tsc', '-b'],
      // The same code against the older runtime's types.
      ['typescript/bin/tsc', '-p', 'tsconfig.electron25.json'],
    ],
  },
  { name: 'format and lint', commands: [['@biomejs/biome/bin/biome', 'check', '.']] },
  { name: 'unused code', commands: [['knip/bin/knip.js']] },
]

/** Two at a time, the longest first. */
const sideBySide = 2

/** Runs every check; shows a line for each, and the words of those that failed alone. */
await runScript(async () => {
  checkNode()
  await ensureDependencies()
  await ensureBuild()
  const waiting = [...checks]
  const results = await Promise.all(Array.from({ length: sideBySide }, () => work(waiting)))
  return results.every(Boolean) ? 0 : 1
})

/**
 * Takes checks until none is left; tells whether all that it took passed.
 * @param {Check[]} waiting
 */
async function work(waiting) {
  let passed = true
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
    passed = (await runCheck(check)) && passed
  return passed
}

/** @param {Check} check */
async function runCheck({ name, commands }) {
  const startedAt = performance.now()
  for (const [script = '', ...args] of commands) {
    const file = path.join(root, 'node_modules', script)
    const { code, stdout, stderr } = await run(process.execPath, [file, ...args], {
      env: { ...process.env, ...quietVite },
    })
    if (code === 0) continue
    console.log(`${stdout}${stderr}`.trimEnd())
    console.log(`FAILED  ${name} (exit code ${code})`)
    return false
  }
  console.log(`ok      ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
  return true
}
