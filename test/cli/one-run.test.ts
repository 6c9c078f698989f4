import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { bundled } from '../support/bundled'
import { recorder } from '../support/hook-recorder'
import { answerWith, type RawServer, rawServer } from '../support/raw-server'
import { tempFolders } from '../support/temp-folder'
import { type AskPlace, askPlace, skeinAsk, trustPlugin } from './ask-process'

const temp = tempFolders()
const program = bundled('src/cli/index.ts')
let server: RawServer
let from = 0
beforeAll(async () => {
  server = await rawServer(answerWith(() => undefined))
})
afterAll(() => server.close())
beforeEach(() => {
  from = server.seen.length
})

const ask = (place: AskPlace, argv: readonly string[], input?: string) =>
  skeinAsk(
    program(),
    place,
    server.url,
    ['-C', 'garden', ...argv],
    input === undefined ? {} : { input },
  )
const senders = (place: AskPlace) =>
  fs
    .readFileSync(path.join(place.home, 'contexts/garden/transcript/active.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ to, entry_type: type }) => type === 'message' && to === 'garden')
    .map(({ from: who }) => who)

it('who is speaking is said for one run, by the option, by --set, or in the JSON', async () => {
  const place = askPlace(temp())
  await ask(place, ['--username', 'mira', 'One'])
  await ask(place, ['--set', 'username=nora', 'Two'])
  await ask(place, ['--input', '-'], '{"prompt":"Three","username":"olga"}')
  await ask(place, ['--input', '-', '--username', 'pia'], '{"prompt":"Four","username":"olga"}')
  await ask(place, ['Five'])
  expect(senders(place)).toEqual(['mira', 'nora', 'olga', 'pia', 'user'])
})

it('any value of the configuration holds for one run with --set, over the files, and is kept nowhere', async () => {
  const place = askPlace(temp())
  const config = path.join(place.home, 'config.toml')
  fs.appendFileSync(config, '[api]\ntemperature = 0.9\n')
  const before = fs.readFileSync(config, 'utf8')
  const set = [
    'api.temperature=0.25',
    'api.stop=["END"]',
    'tools.include=["call_user"]',
    'model=some/other',
  ]
  const { code, words } = await ask(place, [...set.flatMap((one) => ['--set', one]), 'One'])
  expect([code, words]).toEqual([0, ''])
  await ask(place, ['Two'])
  const [first, second] = server.seen.slice(from).map(({ body }) => JSON.parse(body))
  expect(first).toMatchObject({ model: 'some/other', temperature: 0.25, stop: ['END'] })
  expect(first.tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual([
    'call_user',
  ])
  expect(second).toMatchObject({ model: 'practice', temperature: 0.9 })
  expect(fs.readFileSync(config, 'utf8')).toBe(before)
})

it.each([
  ['fuel', '--set needs KEY=VALUE, not "fuel".'],
  ['fuel=lots', '--set: fuel must be a whole number of at least 0.'],
  ['fule=3', '--set: there is no setting "fule".'],
  ['api_key=sk-1', '--set does not take api_key: set CHIBI_API_KEY in the environment.'],
  ['base_url=nowhere', '--set: base_url'],
])('what --set does not understand is said, and nothing is asked: %s', async (pair, words) => {
  const place = askPlace(temp())
  const asked = await ask(place, ['--set', pair, 'One'])
  expect(asked).toMatchObject({ code: 2, out: '', words: expect.stringContaining(words) })
  expect(fs.existsSync(path.join(place.home, 'contexts'))).toBe(false)
  expect(server.seen.length).toBe(from)
})

it('with -v what goes on is said on standard error, with what plugins write there; standard output is the answer alone', async () => {
  const place = askPlace(temp())
  fs.mkdirSync(path.join(place.home, 'plugins'))
  const file = path.join(place.home, 'plugins/recorder')
  fs.writeFileSync(file, recorder(path.join(temp(), 'heard.jsonl')), { mode: 0o755 })
  await trustPlugin(place, 'recorder')
  expect((await ask(place, ['One'])).words).toBe('')
  const { out, words } = await ask(place, ['-v', 'Two'])
  expect(out).toBe('Yes.\n')
  const lines = words
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/\d+ ms/, 'N ms'))
  expect(lines).toEqual(
    expect.arrayContaining([
      `endpoint: ${server.url} (CHIBI_BASE_URL)`,
      'plugin recorder: hook pre_message, exit code 0, N ms',
      'plugin recorder: | heard pre_message',
      'request: practice, attempt 1',
      'run: complete',
      'plugin recorder: | heard on_end',
    ]),
  )
})

it('who limits how often a model goes on by a key of older chibis is told which key does that now', async () => {
  const place = askPlace(temp())
  fs.appendFileSync(path.join(place.home, 'config.toml'), 'max_recursion_depth = 2\n')
  const { code, words } = await ask(place, ['One'])
  expect(code).toBe(0)
  expect(words).toBe(
    'skein: config.toml:2: max_recursion_depth is not used: since chibi 0.7 `fuel` is the number of rounds that the model may continue by itself.\n',
  )
})
