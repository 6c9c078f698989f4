import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundled } from '../../support/bundled'
import { checkHome } from '../../support/chibi-checker/home'
import { onePoint } from '../../support/images'
import { answerWith, chunk, type RawServer, rawServer } from '../../support/raw-server'
import { chatRules } from '../../support/strict-chat'
import { tempFolders } from '../../support/temp-folder'
import { type AskPlace, askPlace, key, skeinAsk, trustPlugin } from '../ask-process'

const temp = tempFolders()
const program = bundled('src/cli/index.ts')
let server: RawServer
let answers: (readonly object[])[] = []

beforeAll(async () => {
  server = await rawServer(answerWith(() => answers.shift()))
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

  it('may begin with a byte order mark, and so may a message', async () => {
    const place = askPlace(temp())
    const json = `\ufeff${JSON.stringify(whole)}`
    const file = path.join(place.work, 'run.json')
    fs.writeFileSync(file, json)
    expect(await ask(place, ['--input', '-'], json)).toMatchObject({ code: 0, words: '' })
    expect(await ask(place, ['--input', file])).toMatchObject({ code: 0, words: '' })
    expect(await ask(place, ['-C', 'shed'], '\ufeffHow deep?\n')).toMatchObject({ code: 0 })
    expect(bodies().map(({ messages }) => messages.at(-1).content)).toEqual([
      expect.stringContaining('How deep do tulips go?'),
      expect.stringContaining('How deep do tulips go?'),
      expect.stringMatching(/(^|[^\ufeff])How deep\?/),
    ])
    expect(JSON.stringify(bodies())).not.toContain('\ufeff')
  })

  it('names tools that do not exist, which is told while the run goes on', async () => {
    const tools = { include: ['update_todos', 'nosuch'], exclude: ['gone'] }
    const run = { ...whole, tools, allow: ['write_file', 'nor_this'] }
    const argv = ['--input', '-', '--allow', 'update_todo', '--json']
    const { code, out, words } = await ask(askPlace(temp()), argv, JSON.stringify(run))
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ outcome: 'complete' })
    expect(words).toBe(
      [
        'allow: there is no tool "update_todo".',
        'allow: there is no tool "nor_this".',
        'tools.include: there is no tool "nosuch".',
        'tools.exclude: there is no tool "gone".',
        '',
      ].join('\n'),
    )
  })

  it('sends images from the disk as parts, kept beside the conversation', async () => {
    const place = askPlace(temp())
    const file = path.join(place.work, 'bean.txt')
    fs.writeFileSync(file, onePoint)
    const run = { context: 'garden', prompt: 'What is it?', images: [file] }
    expect(await ask(place, ['--input', '-'], JSON.stringify(run))).toMatchObject({ code: 0 })
    const [body] = bodies()
    const url = `data:image/png;base64,${Buffer.from(onePoint).toString('base64')}`
    expect(body.messages.at(-1).content).toEqual([
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url } },
    ])
    const folder = path.join(place.home, 'contexts/garden/attachments')
    const [kept = ''] = fs.readdirSync(folder)
    expect(kept).toMatch(/^[0-9a-f]{64}\.png$/)
    expect(fs.readFileSync(path.join(folder, kept)).equals(onePoint)).toBe(true)
  })

  it('goes with files of --attach, images and texts told apart by their bytes', async () => {
    const place = askPlace(temp())
    const [image, text, binary] = ['a.txt', 'b.md', 'c.bin'].map((name) =>
      path.join(place.work, name),
    ) as [string, string, string]
    fs.writeFileSync(image, onePoint)
    fs.writeFileSync(text, '\uFEFF# Beds')
    fs.writeFileSync(binary, 'a\0b')
    const argv = ['-C', 'garden', '--attach', image, '--attach', text, 'Look.']
    expect(await ask(place, argv)).toMatchObject({ code: 0 })
    const url = `data:image/png;base64,${Buffer.from(onePoint).toString('base64')}`
    expect(bodies()[0].messages.at(-1).content).toEqual([
      { type: 'text', text: 'Look.\n\nFile "b.md":\n\n```md\n# Beds\n```' },
      { type: 'image_url', image_url: { url } },
    ])
    const refused = await ask(place, ['-C', 'shed', '--attach', binary, 'Look.'])
    expect(refused).toMatchObject({
      code: 2,
      words: expect.stringMatching(/--attach: "c\.bin" is not text/),
    })
    expect(await ask(place, ['-C', 'shed', '--attach', 'none.txt', 'Look.'])).toMatchObject({
      code: 2,
    })
    expect(fs.existsSync(path.join(place.home, 'contexts/shed'))).toBe(false)
  })

  it('needs no words where something is attached', async () => {
    const place = askPlace(temp())
    const text = path.join(place.work, 'b.md')
    fs.writeFileSync(text, '# Beds')
    const content = 'File "b.md":\n\n```md\n# Beds\n```'
    expect(await ask(place, ['-C', 'garden', '--attach', text], '')).toMatchObject({ code: 0 })
    expect(await ask(place, ['-C', 'shed', '--attach', text])).toMatchObject({ code: 0 })
    const json = ['--input', '-', '--attach', text]
    const run = { context: 'barn', prompt: '' }
    expect(await ask(place, json, JSON.stringify(run))).toMatchObject({ code: 0 })
    expect(bodies().map(({ messages }) => messages.at(-1).content)).toEqual([
      content,
      content,
      content,
    ])
    expect(await ask(place, ['-C', 'garden'], '')).toMatchObject({ code: 2 })
  })

  it.each<[what: string, images: (work: string) => unknown, words: RegExp]>([
    ['a file that is not there', (work) => [path.join(work, 'none.png')], /"images".*none\.png/],
    ['a folder', (work) => [work], /"images".*is a folder/],
    ['a text', (work) => [path.join(work, 'text.png')], /"text\.png" is no PNG/],
    ['too many', (work) => Array(11).fill(path.join(work, 'text.png')), /"images"/],
    ['no list', () => 'bean.png', /"images"/],
  ])('refuses %s in the place of images, and writes nothing', async (_, images, words) => {
    const place = askPlace(temp())
    fs.writeFileSync(path.join(place.work, 'text.png'), 'no image')
    const run = { context: 'garden', prompt: 'What is it?', images: images(place.work) }
    const asked = await ask(place, ['--input', '-'], JSON.stringify(run))
    expect(asked).toMatchObject({ code: 2, out: '', words: expect.stringMatching(words) })
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

it.each([[[]], [['--json']], [['--events']]])(
  'tells values of the configuration that are wrong, once each, beside the answer (%j)',
  async (form) => {
    const place = askPlace(temp())
    const config = path.join(place.home, 'config.toml')
    fs.appendFileSync(config, 'verbose = false\n\nfuel = "much"\n[api]\ntemperature = 9\n')
    const { code, out, words } = await ask(place, ['-C', 'garden', ...form, 'hello'])
    expect(code).toBe(0)
    expect(out).not.toContain('config.toml')
    const lines = words.trimEnd().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^skein: config\.toml:4: .*fuel/),
      expect.stringMatching(/^skein: config\.toml:6: .*temperature/),
    ])
    fs.writeFileSync(config, 'fuel = = 3\n')
    const broken = await ask(place, ['-C', 'garden', ...form, 'hello'])
    expect(broken).toMatchObject({
      code: 0,
      words: expect.stringMatching(/^skein: config\.toml:1: /),
    })
  },
)

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

  await trustPlugin(place, 'weather')
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

it('runs any number of calls of one answer, and the process warns of nothing', async () => {
  const place = askPlace(temp())
  fs.writeFileSync(path.join(place.work, 'bed.txt'), 'tulips\n')
  const calls = Array.from({ length: 15 }, (_, index) => ({
    index,
    id: `c${index}`,
    type: 'function',
    function: { name: 'file_head', arguments: '{"path":"bed.txt"}' },
  }))
  answers = [[chunk({ tool_calls: calls }), chunk({}, 'tool_calls')]]
  const { code, words } = await ask(place, ['-C', 'garden', 'Read it.'])
  expect({ code, words }).toEqual({ code: 0, words: '' })
  const told = bodies()[1].messages.filter(({ role }: { role: string }) => role === 'tool')
  expect(told).toHaveLength(15)
})
