import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parseArguments } from '../../src/cli/command/arguments'
import type { Command } from '../../src/cli/command/command'
import { askCommand } from '../../src/cli/commands/ask'
import { branchesCommand } from '../../src/cli/commands/branches'
import { exportCommand } from '../../src/cli/commands/export'
import { listCommand } from '../../src/cli/commands/list'
import { readCommand } from '../../src/cli/commands/read'
import { searchCommand } from '../../src/cli/commands/search'
import { showCommand } from '../../src/cli/commands/show'
import { sourcesCommand } from '../../src/cli/commands/sources'
import { verifyCommand } from '../../src/cli/commands/verify'
import { terminalText } from '../../src/cli/terminal/output'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../src/main/library/sources/search-decoders'
import { inlineWorkers } from '../../src/main/search/workers'
import { startPracticeForTests } from '../support/practice'
import { rotatedContext } from '../support/rotated-context'
import { tempFolders } from '../support/temp-folder'

const folder = tempFolders()
const fixtures = path.resolve(import.meta.dirname, '../fixtures/chibi')
const known = Object.fromEntries(
  [
    listCommand,
    searchCommand,
    showCommand,
    readCommand,
    askCommand,
    verifyCommand,
    branchesCommand,
    exportCommand,
    sourcesCommand,
  ].map((command) => [command.name, command.flags]),
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
    args: parseArguments([command.name, ...argv], [], known),
    disk: nodeDisk,
    output: {
      async write(text) {
        out.push(String(text))
      },
      say(text) {
        words.push(`${text}\n`)
      },
      isTerminal: false,
    },
    // Nothing is cached in the folder of whoever runs the tests.
    environment: { XDG_CACHE_HOME: folder(), ...options.environment },
    readInput: async () => options.input,
    signal: new AbortController().signal,
    practiceWorker: '/nowhere/practice.worker.cjs',
    readPdf: async () => ({ fault: 'is not read here' }),
    searchWorkers: () => inlineWorkers(nodeDisk, searchDecoders),
  })
  return { code, out: out.join(''), words: words.join('') }
}

it('lists a home of 0.9 with counts and times, the newest first', async () => {
  const { code, out } = await run(listCommand, [
    '--home',
    path.join(fixtures, 'home-v09'),
    '--json',
  ])
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

it('lists the histories of another system by its reader', async () => {
  const history = path.resolve(fixtures, '../branches')
  const roots = (await fs.readdir(history, { recursive: true })).filter((name) =>
    name.endsWith('.jsonl'),
  )
  const first = path.dirname(path.join(history, roots[0] ?? ''))
  const { out } = await run(listCommand, ['--root', `cycod=${first}`, '--json'])
  const { conversations } = JSON.parse(out)

  expect(conversations.length).toBeGreaterThan(0)
  for (const row of conversations) expect(row).toMatchObject({ source: 'cycod', state: 'ok' })
})

it('lists homes and other systems together, and keeps what it read in the folder of --cache', async () => {
  const cache = path.join(folder(), 'cache')
  const argv = [
    ...['--home', path.join(fixtures, 'home-v09'), '--root', `chibi=${fixtures}/home-v05`],
    ...['--root', `cycod=${fixtures}/../readers/cycod/input`, '--cache', cache, '--json'],
  ]
  const first = await run(listCommand, argv)
  const { conversations } = JSON.parse(first.out)
  const times = conversations.map((one: { updated: string }) => one.updated)

  expect(times).toEqual([...times].sort().reverse())
  expect(conversations).toHaveLength(10)
  expect(new Set(conversations.map((one: { source: string }) => one.source)).size).toBe(2)
  expect(await fs.readdir(path.join(cache, 'library'))).toHaveLength(2)
  expect(await run(listCommand, argv)).toEqual(first)
})

it('counts nothing twice, and exactly, what has changed between two lists', async () => {
  const root = folder()
  const file = path.join(root, 'chat-history-1.jsonl')
  const line = '{"role":"user","content":"hello"}\n'
  const argv = ['--root', `cycod=${root}`, '--cache', path.join(root, 'cache'), '--json']
  const listed = async () => JSON.parse((await run(listCommand, argv)).out).conversations
  await fs.writeFile(file, line)
  expect(await listed()).toMatchObject([{ entries: 1, state: 'ok', title: 'hello' }])
  await fs.appendFile(file, `${line}{"role":`)

  expect(await listed()).toMatchObject([{ entries: 2, state: 'damaged', title: 'hello' }])
})

it('says that there is nothing where the home does not exist', async () => {
  const { code, out } = await run(listCommand, ['--home', path.join(folder(), 'none'), '--json'])
  expect({ code, out }).toEqual({ code: 0, out: '{"conversations":[]}\n' })
})

it('shows the last and the first entries of one conversation', async () => {
  const home = ['--root', `chibi=${path.join(fixtures, 'home-v09')}`, '--json']
  const whole = JSON.parse((await run(showCommand, ['default', ...home])).out)
  const last = JSON.parse((await run(showCommand, ['chibi:default', '--last', '2', ...home])).out)
  const first = JSON.parse((await run(showCommand, ['default', '--first', '2', ...home])).out)

  expect(whole.entries).toHaveLength(16)
  expect(last.entries).toEqual(whole.entries.slice(-2))
  expect(first.entries).toEqual(whole.entries.slice(0, 2))
})

it('fails in words for a conversation that is not there', async () => {
  const home = ['--home', path.join(fixtures, 'home-v09')]
  await expect(run(showCommand, ['nothing', ...home])).rejects.toMatchObject({
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
  const { code, out } = await run(readCommand, ['--home', home, '--json'])
  const { conversations, files } = JSON.parse(out)

  expect(code).toBe(0)
  expect(conversations[0].entries).toHaveLength(4)
  expect(files).toMatchObject([{ lines: 5, entryLines: 4, control: 0, blank: 0, torn: true }])
  expect(files[0].damaged).toHaveLength(1)
})

it('verifies a home, and fails when an archived partition is not what was sealed', async () => {
  const home = path.join(folder(), 'home')
  const texts = [0, 1, 2, 3, 4].map((n) => `entry ${n}`)
  await rotatedContext(home, 'garden', texts, 3)

  expect((await run(verifyCommand, ['--home', home])).code).toBe(0)

  const partitions = path.join(home, 'contexts/garden/transcript/partitions')
  const [name] = (await fs.readdir(partitions)).filter((one) => one.endsWith('.jsonl'))
  const file = path.join(partitions, name ?? '')
  const text = await fs.readFile(file, 'utf8')
  await fs.writeFile(file, text.replace('entry', 'Entry'))
  const { code, out, words } = await run(verifyCommand, ['--home', home, '--json'])

  expect(code).toBe(1)
  expect(words).toBe('')
  expect(JSON.parse(out)).toMatchObject({ ok: false })
})

it('goes on past a context that cannot be read, and names it', async () => {
  const home = path.join(folder(), 'home')
  const contexts = path.join(home, 'contexts')
  for (const name of ['apple', 'birch', 'cedar']) {
    const transcript = path.join(contexts, name, 'transcript')
    await fs.mkdir(transcript, { recursive: true })
    await fs.writeFile(
      path.join(transcript, 'active.jsonl'),
      `${JSON.stringify({ id: name, timestamp: 1, from: 'me', to: name, content: 'x', entry_type: 'message' })}\n{"cut\n`,
    )
  }
  await fs.mkdir(path.join(contexts, 'apple/transcript/manifest.json'))
  await fs.rm(path.join(contexts, 'birch/transcript/active.jsonl'))
  await fs.symlink('active.jsonl', path.join(contexts, 'birch/transcript/active.jsonl'))

  const verified = await run(verifyCommand, ['--home', home])
  expect(verified.code).toBe(1)
  expect(verified.out).toContain('cedar/transcript/active.jsonl  2 lines, 1 damaged')
  expect(verified.words).toMatch(/^apple: .+\nbirch: .+\n/)
  expect(verified.words).toContain(
    'every seal holds; 1 damaged line; 2 conversations cannot be read',
  )

  const read_ = await run(readCommand, ['--home', home])
  expect(read_.out).toContain('cedar/transcript/active.jsonl  2 lines')
  expect(read_.words).toMatch(/apple: .+\n[\s\S]*birch: .+\n/)

  const listed = JSON.parse((await run(listCommand, ['--home', home, '--json'])).out)
  expect(listed.conversations.map((one: { key: string }) => one.key).sort()).toEqual([
    'apple',
    'birch',
    'cedar',
  ])
})

it('asks a model, prints its answer, and leaves both in the home', async () => {
  const practice = await startPracticeForTests()
  try {
    const home = path.join(folder(), 'home')
    const environment = { CHIBI_BASE_URL: practice.url, CHIBI_MODEL: 'practice' }
    const { code, out, words } = await run(askCommand, ['--home', home, '--context', 'garden'], {
      input: 'How deep do tulips go?\n',
      environment,
    })
    const shown = JSON.parse((await run(showCommand, ['garden', '--home', home, '--json'])).out)

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
    const { code, words } = await run(
      askCommand,
      ['--home', home, '--context', 'garden', '/fail 401'],
      {
        environment,
      },
    )

    expect(code).toBe(1)
    expect(words).toMatch(/key/i)
  } finally {
    await practice.close()
  }
})

it.each([
  [['hello'], 'needs --context NAME'],
  [['--context', 'a b', 'hello'], '--context "a b"'],
  [['--home', '/nowhere', '--context', 'garden'], 'There is no message'],
  [['--context', 'garden', '--root', 'chibi=/nowhere', 'hello'], 'needs a home'],
])('ask refuses %j', async (argv, words) => {
  await expect(run(askCommand, argv)).rejects.toThrow(words)
})

it('asks nothing and writes nothing without a key', async () => {
  const home = path.join(folder(), 'home')
  await expect(
    run(askCommand, ['--home', home, '--context', 'garden', 'hello'], {
      environment: { XDG_CONFIG_HOME: folder() },
    }),
  ).rejects.toMatchObject({ code: 'no-key' })
  expect(await fs.readdir(path.dirname(home))).toEqual([])
})

it('shows what a terminal would obey as pictures', () => {
  expect(terminalText('a\u001b[31mred\u0007\u009b2J\tb\r\n')).toBe('a␛[31mred␇⟨U+009B⟩2J\tb\n')
})

it('exports a conversation in each format, to a file or to standard output', async () => {
  const home = ['--home', path.join(fixtures, 'home-v09')]
  const target = path.join(folder(), 'out.jsonl')
  const whole = JSON.parse((await run(showCommand, ['default', ...home, '--json'])).out)
  const file = await run(exportCommand, ['default', ...home, '--format', 'jsonl', '-o', target])
  const lines = (await fs.readFile(target, 'utf8')).trimEnd().split('\n')

  expect(file.code).toBe(0)
  // The first line is about the conversation, the last counts.
  expect(lines.slice(1, -1).map((line) => JSON.parse(line).id)).toEqual(
    whole.entries.map((entry: { id: string }) => entry.id),
  )
  for (const format of ['md', 'html'])
    expect((await run(exportCommand, ['default', ...home, '--format', format])).out).toContain(
      'Zyzzyva? émigré naïve 日本語',
    )
  expect(await fs.readdir(path.dirname(target))).toEqual(['out.jsonl'])
})

it.each([
  [['--format', 'md'], 'needs a KEY, several, or --all'],
  [['default', '--format', 'docx'], ', not "docx".'],
  [['default', '--format', 'pdf'], 'A PDF is made by Skein’s window'],
  [['default', '--branches', 'some'], '--branches is one of active, all, not "some".'],
])('export refuses %j', async (argv, words) => {
  await expect(run(exportCommand, argv)).rejects.toThrow(words)
})

it('prints a tree where conversations share a beginning', async () => {
  const home = path.join(folder(), 'home')
  const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
  const line = (id: number, content: string) =>
    JSON.stringify({
      id: uuid(id),
      timestamp: 1_790_000_000 + id,
      from: 'user',
      to: 'x',
      content,
      entry_type: 'message',
    })
  const contexts = {
    trunk: [line(1, 'one'), line(2, 'two'), line(3, 'three')],
    twig: [line(1, 'one'), line(2, 'two'), line(4, 'other')],
  }
  for (const [name, lines] of Object.entries(contexts)) {
    const transcript = path.join(home, 'contexts', name, 'transcript')
    await fs.mkdir(transcript, { recursive: true })
    await fs.writeFile(path.join(transcript, 'active.jsonl'), `${lines.join('\n')}\n`)
  }
  const { out } = await run(branchesCommand, ['trunk', '--home', home, '--json'])
  const [family] = JSON.parse(out).families

  expect(
    family.nodes.map((node: { keys: string[]; fromEntry: string; active: boolean }) => [
      node.keys.length,
      node.fromEntry,
      node.active,
    ]),
  ).toEqual([
    [2, uuid(1), true],
    [1, uuid(3), true],
    [1, uuid(4), false],
  ])
})

it('says where it looks and what is there', async () => {
  const home = path.join(fixtures, 'home-v09')
  const none = path.join(folder(), 'none')
  const { out } = await run(sourcesCommand, ['--home', home, '--root', `chibi=${none}`, '--json'])
  const chibi = JSON.parse(out).sources.find((source: { id: string }) => source.id === 'chibi')

  expect(chibi.roots).toMatchObject([
    { path: home, state: 'ok', conversations: 5 },
    { path: none, state: 'missing', conversations: 0, bytes: 0 },
  ])
})

it('shows a time that no calendar holds as none', async () => {
  const home = path.join(folder(), 'home')
  const transcript = path.join(home, 'contexts/garden/transcript')
  await fs.mkdir(transcript, { recursive: true })
  const line = {
    id: 'a',
    timestamp: 1e13,
    from: 'user',
    to: 'garden',
    content: 'odd',
    entry_type: 'message',
  }
  await fs.writeFile(path.join(transcript, 'active.jsonl'), `${JSON.stringify(line)}\n`)

  expect((await run(showCommand, ['garden', '--home', home])).out).toBe('[USER] user\nodd\n\n')
})

it('shows what turns the direction of text as such', () => {
  expect(terminalText('a\u202eb\u2069')).toBe('a⟨U+202E⟩b⟨U+2069⟩')
})
