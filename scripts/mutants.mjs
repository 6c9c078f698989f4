#!/usr/bin/env node
import fs from 'node:fs'
import path from 'node:path'
import { impersonalEnvironment } from './electron/environment.mjs'
import { mutants } from './mutants/list.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { checkNode, root } from './setup/project.mjs'
import { Fault, runScript } from './setup/words.mjs'
import { quietVite } from './test/quiet-vite.mjs'
import { runTests } from './test/vitest.mjs'

/** @typedef {import('./mutants/list.mjs').Mutant} Mutant */

/**
 * Takes each sync, rename, lock check and "is it still mine" out of the code, one at a time, and runs the tests that must fail
 * then. First they are run with all of the code. Words pick mutants by their names; with `--write` the score of all goes
 * into docs/testing.md.
 *
 * Takes some half an hour on two quiet cores. The last line of stdout is the score: `N of N mutants were noticed`.
 */
await runScript(async () => {
  checkNode()
  await ensureDependencies()
  const words = process.argv.slice(2).filter((word) => word !== '--write')
  const writes = process.argv.includes('--write')
  if (writes && words.length > 0)
    throw new Fault('A score is of all mutants: no words with --write.')
  const picked = mutants.filter(({ name }) => words.every((word) => name.includes(word)))
  const tests = [...new Set(picked.flatMap((mutant) => mutant.tests))]
  if (!(await pass(tests, undefined))) throw new Error('Tests fail without any mutant.')
  /** @type {Mutant[]} */
  const survivors = []
  for (const mutant of picked) {
    const isNoticed = !(await pass(mutant.tests, mutant.name))
    console.log(`${isNoticed ? 'noticed ' : 'SURVIVED'}  ${mutant.name}`)
    if (!isNoticed) survivors.push(mutant)
  }
  for (const { name } of picked.filter((each) => each.explained !== undefined))
    if (!survivors.some((each) => each.name === name))
      console.log(`its explanation is out of date: ${name}`)
  if (writes) writeScore(picked, survivors)
  console.log(`${picked.length - survivors.length} of ${picked.length} mutants were noticed`)
  return survivors.every(({ explained }) => explained !== undefined) ? 0 : 1
})

/**
 * @param {readonly string[]} tests
 * @param {string | undefined} mutant
 */
async function pass(tests, mutant) {
  const env = {
    ...impersonalEnvironment(process.env),
    ...quietVite,
    ...(mutant === undefined ? {} : { SKEIN_MUTANT: mutant }),
  }
  const { counts } = await runTests('unit', [...tests, '--bail=1', '--testTimeout=300000'], env, {
    output: 'keep',
    report: 'mutants',
  })
  return counts.failed === 0 && counts.passed > 0
}

/**
 * @param {readonly Mutant[]} all
 * @param {readonly Mutant[]} survivors
 */
function writeScore(all, survivors) {
  const file = path.join(root, 'docs', 'testing.md')
  const text = fs.readFileSync(file, 'utf8')
  const lines = [
    `${all.length - survivors.length} of ${all.length} mutants are noticed.`,
    ...survivors.map(
      ({ name, explained = 'not explained' }) => `- survives: ${name} (${explained})`,
    ),
  ]
  const score = lines.join('\n')
  fs.writeFileSync(
    file,
    text.replace(/(<!-- mutants -->\n)[\s\S]*?(\n<!-- \/mutants -->)/, `$1${score}$2`),
  )
}
