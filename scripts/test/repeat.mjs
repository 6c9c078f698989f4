import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Fault } from '../setup/words.mjs'
import { noTests } from './counts.mjs'

/** @typedef {import('./counts.mjs').Counts} Counts */

/**
 * What is run again and again.
 * @typedef {object} Repeated
 * @property {string} file a part of the file's path
 * @property {number} times
 * @property {number} busy processes beside it
 * @property {readonly string[]} picked Vitest's arguments
 */

const usage =
  'usage: npm run test:repeat -- FILE [N] [--busy N] [-t NAME]\n  FILE  a part of the path of one test file\n  N     how many times, 20 without it; --busy: busy processes beside it, 4 without it\n  NAME  only tests whose names have it'

/**
 * @param {readonly string[]} args
 * @returns {Repeated}
 */
export function readArguments(args) {
  const { values, positionals } = parsed(args)
  const [file, times = '20', ...more] = positionals
  if (file === undefined || more.length > 0) throw new Fault(usage)
  return {
    file,
    times: countOf(times, 1),
    busy: countOf(values.busy ?? '4', 0),
    picked: values.name === undefined ? [] : ['-t', values.name],
  }
}

/** @param {readonly string[]} args */
function parsed(args) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { busy: { type: 'string' }, name: { type: 'string', short: 't' } },
    })
  } catch (error) {
    throw new Fault(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}

/**
 * @param {string} text
 * @param {number} least
 */
function countOf(text, least) {
  const count = Number(text)
  if (Number.isInteger(count) && count >= least) return count
  throw new Fault(`${text} is not a whole number from ${least}.\n${usage}`)
}

/**
 * The one test file whose path has this part; a whole path is that file and no other.
 * @param {string} part
 * @param {string} folder
 * @returns {{ file: string, kind: 'unit' | 'e2e' }} the file's path from the folder
 */
export function findTestFile(part, folder) {
  const all = ['test', 'config'].flatMap((room) => testFilesIn(room, folder))
  const wanted = part.replaceAll('\\', '/').replace(/^\.\//, '')
  const found = all.includes(wanted) ? [wanted] : all.filter((file) => file.includes(wanted))
  const [file, ...others] = found
  if (file === undefined) throw new Fault(`No test's file is named like ${part}.`)
  if (others.length > 0)
    throw new Fault(`${part} names ${found.length} test files:\n  ${found.join('\n  ')}`)
  return { file, kind: file.endsWith('.spec.ts') ? 'e2e' : 'unit' }
}

/**
 * @param {string} room
 * @param {string} folder
 */
function testFilesIn(room, folder) {
  const place = path.join(folder, room)
  if (!fs.existsSync(place)) return []
  return fs
    .readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => `${room}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(test\.tsx?|spec\.ts)$/.test(name))
    .sort()
}

/**
 * Runs something a number of times, or until it fails for the first time; tells each run, and the words of the one that
 * failed.
 * @param {number} times
 * @param {() => Promise<{ counts: Counts, words: string }>} runOnce
 * @param {(text: string) => void} tell
 * @returns {Promise<Counts>} the runs, not the tests in them
 * @throws {Fault} where no test ran: nothing would be proved
 */
export async function repeat(times, runOnce, tell) {
  for (let n = 1; n <= times; n++) {
    const { counts, words } = await runOnce()
    if (counts.failed > 0) {
      tell(`${words.trimEnd()}\nrun ${n} of ${times}: failed`)
      return { ...noTests, passed: n - 1, failed: 1 }
    }
    if (counts.passed === 0) throw new Fault('No test ran.')
    tell(`run ${n} of ${times}: passed (${counts.passed} tests)`)
  }
  return { ...noTests, passed: times }
}
