import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parseArguments } from '../../src/cli/arguments'
import type { Command } from '../../src/cli/command'
import { ask } from '../../src/cli/commands/ask'
import { list } from '../../src/cli/commands/list'
import { read } from '../../src/cli/commands/read'
import { show } from '../../src/cli/commands/show'
import { verify } from '../../src/cli/commands/verify'
import { forTerminal } from '../../src/cli/output'
import { nodeDisk } from '../../src/main/disk/node-disk'
import { openStore } from '../../src/main/store/open-store'
import { message } from '../support/entries'
import { startPracticeForTests } from '../support/practice'
import { tempFolders } from '../support/temp-folder'

const folder = tempFolders()
const fixtures = path.resolve(import.meta.dirname, '../fixtures/chibi')
const known = Object.fromEntries(
  [list, show, read, ask, verify].map((command) => [command.name, command.flags]),
)

interface Ran {
  readonly code: number
  readonly out: string
  readonly words: string
}

/** Runs a command as `skein` would, with its output kept. */
async function run(
  command: Command,
  argv: readonly string[],
  options: { input?: string; environment?: Record<string, string> } = {},
): Promise<Ran> {
  const out: string[] = []
  const words: string[] = []
  const code = await command.run({
    args: parseArguments([command.name, ...argv], '/nowhere', known),
    disk: nodeDisk,
    output: {
      async write(text) {
        out.push(text)
      },
      say(text) {
        words.push(`${text}\n`)
      },
    },
    environment: options.environment ?? {},
    readInput: async () => options.input,
    signal: new AbortController().signal,
    practiceWorker: '/nowhere/practice.worker.cjs',
  })
  return { code, out: out.join(''), words: words.join('') }
}

it('lists a home of 0.9 with counts and times, the newest first', async () => {
  const { code, out } = await run(list, ['--home', path.join(fixtures, 'home-v09'), '--json'])
  const { conversations } = JSON.parse(out)

  expect(code).toBe(0)
  expect(
    conversations.map((one: { key: string; entries: number }) => [one.key, one.entries]),
  ).toEqual([
    ['compacted', 11],
    ['fresh', 3],
    ['default', 16],
    ['locked', 1],
    ['legacy', 3],
  ])
  expect(Object.keys(conversations[0])).toEqual([
    'source',
    'key',
    'title',
    'project',
    'created',
    'updated',
    'entries',
    'bytes',
    'state',
  ])
})

it('says that there is nothing where the home does not exist', async () => {
  const { code, out } = await run(list, ['--home', path.join(folder(), 'none'), '--json'])
  expect({ code, out }).toEqual({ code: 0, out: '{"conversations":[]}\n' })
})

it('shows the last and the first entries of one conversation', async () => {
  const home = ['--root', `chibi=${path.join(fixtures, 'home-v09')}`, '--json']
  const whole = JSON.parse((await run(show, ['default', ...home])).out)
  const last = JSON.parse((await run(show, ['chibi:default', '--last', '2', ...home])).out)
  const first = JSON.parse((await run(show, ['default', '--first', '2', ...home])).out)

  expect(whole.entries).toHaveLength(16)
  expect(last.entries).toEqual(whole.entries.slice(-2))
  expect(first.entries).toEqual(whole.entries.slice(0, 2))
})

it('fails in words for a conversation that is not there', async () => {
  const home = ['--home', path.join(fixtures, 'home-v09')]
  await expect(run(show, ['nothing', ...home])).rejects.toMatchObject({
    code: 'not-found',
    message: 'There is no conversation "nothing".',
  })
})

it('reads damage as data, with a ledger that adds up', async () => {
  const home = path.join(folder(), 'home')
  const transcript = path.join(home, 'contexts/garden/transcript')
  await fs.mkdir(transcript, { recursive: true })
  const bytes = await fs.readFile(
    path.join(fixtures, 'tricky/torn-last-line/transcript/active.jsonl'),
  )
  await fs.writeFile(path.join(transcript, 'active.jsonl'), bytes)
  const { code, out } = await run(read, ['--home', home, '--json'])
  const { conversations, files } = JSON.parse(out)

  expect(code).toBe(0)
  expect(conversations[0].entries).toHaveLength(4)
  expect(files).toMatchObject([{ lines: 5, entryLines: 4, control: 0, blank: 0, torn: true }])
  expect(files[0].damaged).toHaveLength(1)
})

it('verifies a home, and fails when an archived partition is not what was sealed', async () => {
  const home = path.join(folder(), 'home')
  const policy = {
    maxEntries: 3,
    maxAgeSeconds: 1e9,
    maxTokens: 1e9,
    bytesPerToken: 3,
    bloomFilters: true,
  }
  const store = openStore({ home, disk: nodeDisk, storagePolicy: async () => policy })
  const writer = await store.openWriter('garden', { create: true })
  for (let n = 0; n < 5; n++) await writer.append(message(`entry ${n}`))
  await writer.close()

  expect((await run(verify, ['--home', home])).code).toBe(0)

  const partitions = path.join(home, 'contexts/garden/transcript/partitions')
  const [name] = (await fs.readdir(partitions)).filter((one) => one.endsWith('.jsonl'))
  const file = path.join(partitions, name ?? '')
  const text = await fs.readFile(file, 'utf8')
  await fs.writeFile(file, text.replace('entry', 'Entry'))
  const { code, out, words } = await run(verify, ['--home', home, '--json'])

  expect(code).toBe(1)
  expect(words).toBe('')
  expect(JSON.parse(out)).toMatchObject({ ok: false })
})

it('asks a model, prints its answer, and leaves both in the home', async () => {
  const practice = await startPracticeForTests()
  try {
    const home = path.join(folder(), 'home')
    const environment = { CHIBI_BASE_URL: practice.url, CHIBI_MODEL: 'practice' }
    const { code, out, words } = await run(ask, ['--home', home, '--context', 'garden'], {
      input: 'How deep do tulips go?\n',
      environment,
    })
    const shown = JSON.parse((await run(show, ['garden', '--home', home, '--json'])).out)

    expect({ code, words }).toEqual({ code: 0, words: '' })
    expect(shown.entries.map((one: { entry_type: string }) => one.entry_type)).toEqual([
      'context_created',
      'message',
      'message',
    ])
    expect(shown.entries[1].content).toBe('How deep do tulips go?')
    expect(out.trim()).toBe(shown.entries[2].content.trim())
  } finally {
    await practice.close()
  }
})

it('says in words why a model did not answer, and exits with 1', async () => {
  const practice = await startPracticeForTests()
  try {
    const home = path.join(folder(), 'home')
    const environment = { CHIBI_BASE_URL: practice.url, CHIBI_MODEL: 'practice' }
    const { code, words } = await run(ask, ['--home', home, '--context', 'garden', '/fail 401'], {
      environment,
    })

    expect(code).toBe(1)
    expect(words).toMatch(/key/i)
  } finally {
    await practice.close()
  }
})

it.each([
  [['hello'], 'needs --context NAME'],
  [['--context', 'a b', 'hello'], '--context "a b"'],
  [['--context', 'garden'], 'There is no message'],
  [['--context', 'garden', '--root', 'chibi=/nowhere', 'hello'], 'needs a home'],
])('ask refuses %j', async (argv, words) => {
  await expect(run(ask, argv)).rejects.toThrow(words)
})

it('asks nothing and writes nothing without a key', async () => {
  const home = path.join(folder(), 'home')
  await expect(
    run(ask, ['--home', home, '--context', 'garden', 'hello'], {
      environment: { XDG_CONFIG_HOME: folder() },
    }),
  ).rejects.toMatchObject({ code: 'no-key' })
  expect(await fs.readdir(path.dirname(home))).toEqual([])
})

it('shows what a terminal would obey as pictures', () => {
  expect(forTerminal('a\u001b[31mred\u0007\u009b2J\tb\r\n')).toBe('a␛[31mred␇\ufffd2J\tb\n')
})
