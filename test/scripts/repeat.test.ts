import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findTestFile, readArguments, repeat } from '../../scripts/test/repeat.mjs'
import { scripts } from './support/script'
import { tempFolder } from './support/temp-folder'

const script = path.join(fileURLToPath(scripts), 'repeat.mjs')

/** Runs whose failed tests are these numbers; tells what was said and how many there were. */
async function repeated(times: number, failures: readonly number[], passed = 3) {
  const said: string[] = []
  let runs = 0
  const runOnce = async () => {
    const failed = failures[runs++] ?? 0
    return { counts: { passed, failed, skipped: 0 }, words: `words of run ${runs}\n` }
  }
  const counts = await repeat(times, runOnce, (text) => said.push(text))
  return { counts, said, runs }
}

describe('repeating a test', () => {
  it('counts the runs and keeps the words of those that passed to itself', async () => {
    expect(await repeated(2, [])).toEqual({
      counts: { passed: 2, failed: 0, skipped: 0 },
      said: ['run 1 of 2: passed (3 tests)', 'run 2 of 2: passed (3 tests)'],
      runs: 2,
    })
  })

  it('stops at the first run that fails and shows its words', async () => {
    expect(await repeated(5, [0, 2])).toEqual({
      counts: { passed: 1, failed: 1, skipped: 0 },
      said: ['run 1 of 5: passed (3 tests)', 'words of run 2\nrun 2 of 5: failed'],
      runs: 2,
    })
  })

  it('is no proof where no test ran', async () => {
    await expect(repeated(5, [], 0)).rejects.toThrow('No test ran.')
  })
})

describe('the command', () => {
  it('runs one file as often as asked and ends with the counts of runs', () => {
    const args = [script, 'test/scripts/counts.test.ts', '2', '--busy', '1']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })

    expect({ status, stdout }).toEqual({ status: 0, stdout: '2 passed, 0 failed\n' })
    expect(stderr).toMatch(/run 2 of 2: passed \(\d+ tests\)/)
  })

  it('reads how often, beside what, and which tests', () => {
    expect(readArguments(['chat'])).toEqual({ file: 'chat', times: 20, busy: 4, picked: [] })
    expect(readArguments(['chat', '3', '--busy', '0', '-t', 'no credit'])).toEqual({
      file: 'chat',
      times: 3,
      busy: 0,
      picked: ['-t', 'no credit'],
    })
  })

  it.each([[[]], [['chat', '0']], [['chat', 'often']], [['chat', '2', '3']], [['chat', '--fast']]])(
    'says how it is used when it is asked for %j',
    (args) => {
      expect(() => readArguments(args)).toThrow('usage: npm run test:repeat')
    },
  )

  it('finds the one test file that is meant, and names all that may be', () => {
    const folder = tempFolder()
    for (const file of ['test/a/chat.test.ts', 'test/a/chat.ts', 'test/e2e/chat.spec.ts']) {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
      fs.writeFileSync(path.join(folder, file), '')
    }

    expect(findTestFile('e2e/chat', folder)).toEqual({ file: 'test/e2e/chat.spec.ts', kind: 'e2e' })
    expect(findTestFile('./test/a/chat.test.ts', folder)).toEqual({
      file: 'test/a/chat.test.ts',
      kind: 'unit',
    })
    expect(() => findTestFile('chat', folder)).toThrow(/chat names 2 test files:/)
    expect(() => findTestFile('cat', folder)).toThrow("No test's file is named like cat.")
  })
})
