import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { waveringIn } from './wavering'

const root = path.resolve(import.meta.dirname, '..')

/** `file shape`, and why neither speed nor chance decides there all the same. */
const allowed: Readonly<Record<string, string>> = {
  'test/main/exporters/documents/html.test.ts once':
    'The page is a file without a script: it is whole once it is opened.',
  'test/e2e/hardening.spec.ts once': 'What the page may do, not what it shows.',
  'test/e2e/network.spec.ts once': 'What was answered to the page, not what the page shows.',
  'test/renderer/browser/landing.ts once': 'What going there came to, not what is shown.',
  'test/renderer/browser/page.ts turns':
    'Frames in which nothing may move: what must not happen cannot be waited for.',
  'test/support/quiet.ts turns':
    'In memory, how many turns an answer takes is a fact about the code.',
  'test/main/llm/support/real-run.ts sleep':
    'The clock of a run, whose waits are shortened; a test waits for the run.',
  'test/main/llm/compaction/compaction-long.test.ts duration':
    'Told to a person who runs it by hand, and compared with nothing.',
}

/** The sources of all tests, and of what helps them. */
function sources(): readonly string[] {
  return ['test', 'config']
    .flatMap((room) =>
      fs
        .readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
        .map((name) => [room, ...name.split(path.sep)].join('/')),
    )
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('test/fixtures/'))
}

it('no test depends on how fast the machine is, or on chance', () => {
  const files = sources()
  const found = files.flatMap((file) =>
    waveringIn(file, fs.readFileSync(path.join(root, file), 'utf8')).map((each) => {
      const [line, shape] = each.split(' ')
      return { place: `${file}:${line} ${shape}`, key: `${file} ${shape}` }
    }),
  )

  expect(found.filter(({ key }) => !(key in allowed)).map(({ place }) => place)).toEqual([])
  // One that nothing needs any more is taken out.
  expect(Object.keys(allowed).filter((key) => !found.some((one) => one.key === key))).toEqual([])
  expect(files.length).toBeGreaterThan(300)
})

it('numbers and dates are in the same language on every machine', () => {
  expect([(12_345.5).toLocaleString(), new Date(2026, 0, 9).toLocaleDateString()]).toEqual([
    '12,345.5',
    '1/9/2026',
  ])
})

it.each<[shape: string, code: string]>([
  ['sleep', 'await new Promise((resolve) => setTimeout(resolve, 40))'],
  ['sleep', 'setTimeout(() => stop.abort(), 300)'],
  ['sleep', 'globalThis.setInterval(look, 10)'],
  ['sleep', "import { setTimeout as wait } from 'node:timers/promises'; await wait(50)"],
  ['sleep', "import { setTimeout } from 'timers/promises'; await setTimeout(50)"],
  ['sleep', 'await page.waitForTimeout(500)'],
  ['duration', 'expect(performance.now() < began + 2000).toBe(true)'],
  ['duration', 'expect(Date.now() - began).toBeLessThan(2000)'],
  ['duration', 'const took = +new Date() - test.began'],
  ['duration', 'const began = process.hrtime.bigint()'],
  ['chance', 'const at = Math.floor(Math.random() * 80)'],
  ['limit', 'await expect.poll(look, { timeout: 10_000 }).toBe(true)'],
  ['limit', "it('ends', { timeout: 60_000 }, work)"],
  ['limit', "it('ends', work, 5_000)"],
  ['limit', "it.each([1, 2])('ends %i', work, 5_000)"],
  ['limit', 'beforeAll(work, 60_000)'],
  ['limit', 'await vi.waitFor(() => expect(told).toEqual([]))'],
  ['limit', 'page.setDefaultTimeout(60_000)'],
  ['limit', "const opened = app.waitForEvent('window')"],
  ['turns', 'for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve))'],
  ['turns', 'for (let frame = 0; frame < 10; frame++) await settled(page)'],
  ['once', 'expect(await message.inputValue()).toBe("")'],
  ['once', 'expect([await one.count(), 2]).toEqual([1, 2])'],
  ['once', 'expect((await words.textContent())?.length).toBe(3)'],
  ['once', 'async () => { const seen = await page.evaluate(look); expect(seen.rows).toEqual([]) }'],
  ['turns', 'for (const n of []) {}; for (let n = 0; n < 9; n++) { await setImmediate() }'],
])('sees a %s: %s', (shape, code) => {
  expect(waveringIn('planted.test.ts', `const first = 1\n${code}\n`)).toEqual([`2 ${shape}`])
})

it.each<[name: string, code: string]>([
  ['a time that is long ago', 'const old = new Date(Date.now() - 61_000)'],
  ['a time that is reckoned', 'const then = Date.now() - hours * 3_600_000'],
  ['a clock by hand', "vi.useFakeTimers({ toFake: ['setTimeout'] }); vi.advanceTimersByTime(40)"],
  ['waiting for something', 'await expect.poll(() => told).toEqual([1])'],
  ['a window that is looked at again', 'await expect.poll(() => message.inputValue()).toBe("")'],
  ['a poll of several', 'await expect.poll(async () => [await one.count(), 2]).toEqual([1, 2])'],
  [
    'a place at rest',
    'async () => { const box = await atRest(page, () => row.boundingBox()); expect(box.y).toBe(3) }',
  ],
  ['an act of a window', 'expect(await give(page, "drop")).toBe(true)'],
  ['a long limit', "it('is tried thousands of times', work, 600_000)"],
  ['the text of another program', "write('slow', 'sleep 300; setTimeout(() => {}, 5)')"],
  ['a loop that ends when it is so', 'while (!there()) await new Promise((r) => setImmediate(r))'],
  ['work in pieces', 'for (const one of all) { send(one); await setImmediate() }'],
])('takes %s for none', (_name, code) => {
  expect(waveringIn('planted.test.ts', code)).toEqual([])
})
