import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPlugins } from '../../src/main/plugins/plugins'
import { builtWorker } from '../support/built-worker'
import { checkHome } from '../support/chibi-checker/home'
import { chunk, eventStream, type RawServer, rawServer } from '../support/raw-server'
import { chatRules } from '../support/strict-chat'
import { tempFolders } from '../support/temp-folder'
import { type AskPlace, askPlace, key, skeinAsk } from './ask-process'

const temp = tempFolders()
const program = builtWorker('../cli/index.ts')
let server: RawServer
let answers: (readonly object[])[] = []

beforeAll(async () => {
  server = await rawServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const answer = answers.shift() ?? [chunk({ content: 'Yes.' }), chunk({}, 'stop')]
    response.end(eventStream(...answer, '[DONE]'))
  })
})
afterAll(() => server.close())
let from = 0
beforeEach(() => {
  from = server.seen.length
  answers = []
})

/** The bodies of this test's requests; none may break OpenAI's rules. */
function bodies() {
  const all = server.seen.slice(from).map(({ body }) => JSON.parse(body))
  expect(all.flatMap(chatRules)).toEqual([])
  return all
}
const toolNames = (body: { readonly tools?: readonly { function: { name: string } }[] }) =>
  (body.tools ?? []).map((tool) => tool.function.name)

async function ask(place: AskPlace, argv: readonly string[], input?: string) {
  const asked = await skeinAsk(
    program(),
    place,
    server.url,
    argv,
    input === undefined ? {} : { input },
  )
  expect(checkHome(place.home, { secrets: [key] })).toEqual([])
  return asked
}

describe('a whole run as JSON', () => {
  const whole = {
    context: 'garden',
    prompt: 'How deep do tulips go?',
    model: 'some/model',
    system_prompt: 'Be a gardener.',
    tools: { include: ['update_todos', 'update_goals', 'call_user'], exclude: ['update_goals'] },
    api: { temperature: 0.3, max_tokens: 500, stop: ['###'], seed: 7 },
    fuel: 3,
  }

  it('says everything on standard input', async () => {
    const { code, out, words } = await ask(
      askPlace(temp()),
      ['--input', '-'],
      JSON.stringify(whole),
    )
    expect({ code, out, words }).toEqual({ code: 0, out: 'Yes.\n', words: '' })
    const [body] = bodies()
    expect(body).toMatchObject({
      model: 'some/model',
      temperature: 0.3,
      max_tokens: 500,
      stop: ['###'],
      seed: 7,
    })
    expect(toolNames(body).sort()).toEqual(['call_user', 'update_todos'])
    expect(body.messages[0].content).toContain('Be a gardener.')
    expect(body.messages.at(-1).content).toContain('How deep do tulips go?')
  })

  it('may stand in a file, and options stand over it', async () => {
    const place = askPlace(temp())
    const file = path.join(place.work, 'run.json')
    fs.writeFileSync(
      file,
      JSON.stringify({ ...whole, tools: false, api: { reasoning: { effort: 'low' } } }),
    )
    const argv = ['--input', file, '--context', 'shed', '--model', 'other/model']
    expect((await ask(place, argv)).code).toBe(0)
    const [body] = bodies()
    expect(body).toMatchObject({ model: 'other/model' })
    expect(JSON.stringify(body)).toContain('"low"')
    expect(body.tools).toBeUndefined()
    expect(fs.readdirSync(path.join(place.home, 'contexts'))).toEqual(['shed'])
  })

  it.each<[input: string, words: string]>([
    ['', 'is no JSON'],
    ['{', 'is no JSON'],
    ['[]', '--input'],
    ['{"context":"garden"}', '"prompt"'],
    ['{"context":"garden","prompt":" "}', '"prompt"'],
    ['{"prompt":"hello"}', 'needs --context NAME'],
    ['{"context":"a b","prompt":"hello"}', '"a b"'],
    ['{"context":"garden","prompt":"hello","modell":"x"}', 'modell'],
    ['{"context":"garden","prompt":"hello","fuel":-1}', '"fuel"'],
    ['{"context":"garden","prompt":"hello","tools":{"include":[5]}}', '"tools'],
    ['{"context":"garden","prompt":"hello","api":{"temperature":9}}', 'api.temperature'],
    ['{"context":"garden","prompt":"hello","api":{"temprature":1}}', 'api.temprature'],
    [
      '{"context":"garden","prompt":"hello","api":{"reasoning":{"effort":"huge"}}}',
      'api.reasoning.effort',
    ],
  ])('%j is a mistake that is named', async (input, words) => {
    const place = askPlace(temp())
    const asked = await ask(place, ['--input', '-'], input)
    expect(asked).toMatchObject({ code: 2, out: '' })
    expect(asked.words).toContain(words)
    expect(asked.words).not.toContain('    at ')
    expect(fs.existsSync(path.join(place.home, 'contexts'))).toBe(false)
    expect(bodies()).toEqual([])
  })

  it('does not go with a message beside it, nor two forms with one another', async () => {
    const place = askPlace(temp())
    expect(await ask(place, ['--input', '-', 'hello'], '{}')).toMatchObject({ code: 2 })
    expect(await ask(place, ['--json', '--events', '-C', 'a', 'b'])).toMatchObject({ code: 2 })
    expect(await ask(place, ['--allow', '', '-C', 'a', 'b'])).toMatchObject({ code: 2 })
    expect(await ask(place, ['--fuel', 'much', '-C', 'a', 'b'])).toMatchObject({ code: 2 })
  })
})

it('takes down requests where it is asked to, without the key', async () => {
  const place = askPlace(temp())
  await ask(place, ['-C', 'garden', 'hello'])
  const log = path.join(place.home, 'contexts/garden/requests.jsonl')
  expect(fs.existsSync(log)).toBe(false)
  await ask(place, ['-C', 'garden', '--log-requests', `my key is ${key.slice(3)}`])
  expect(JSON.parse(fs.readFileSync(log, 'utf8'))).toMatchObject({ request: { model: 'practice' } })
})

const plugin = `#!/bin/sh
if [ "$1" = --schema ]; then
  echo '{"name":"weather","description":"tells the weather","parameters":{"type":"object","properties":{}},"hooks":["pre_message"]}'
elif [ "$CHIBI_HOOK" = pre_message ]; then
  echo '{"prompt":"What is the weather, please?"}'
else
  echo "Rain, for $CHIBI_TOOL_ARGS"
fi
`

it('runs trusted plugins and hears their hooks, and runs no other', async () => {
  const place = askPlace(temp())
  const file = path.join(place.home, 'plugins/weather')
  fs.mkdirSync(path.dirname(file))
  fs.writeFileSync(file, plugin, { mode: 0o755 })
  await ask(place, ['-C', 'garden', 'Weather?'])
  expect(toolNames(bodies()[0])).not.toContain('weather')

  const plugins = openPlugins({
    home: place.home,
    userFolder: path.join(place.user, 'config/Skein'),
    environment: process.env,
    builtInNames: [],
  })
  await plugins.trust('weather', (await plugins.look('weather')).hash)
  await plugins.close()
  from = server.seen.length
  const call = {
    index: 0,
    id: 'c1',
    type: 'function',
    function: { name: 'weather', arguments: '{"day":1}' },
  }
  answers = [[chunk({ tool_calls: [call] }), chunk({}, 'tool_calls')]]
  const { code, words } = await ask(place, ['-C', 'garden', 'Weather?'])
  expect({ code, words }).toEqual({ code: 0, words: '' })
  const [first, second] = bodies()
  expect(toolNames(first)).toContain('weather')
  expect(first.messages.at(-1).content).toContain('What is the weather, please?')
  expect(second.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringContaining('Rain, for {"day":1}'),
  })
})
