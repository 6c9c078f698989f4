import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { showCommand } from '../../src/cli/commands/show'
import { tailCommand } from '../../src/cli/commands/tail'
import { lineOf } from '../support/search-corpus'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const folder = tempFolders()
const family = ['--root', `cycod=${fixtures}/branches/cycod-family`]
const home = ['--root', `chibi=${fixtures}/chibi/home-v09`]

async function entries(argv: readonly string[]) {
  const { out } = await run(showCommand, [...argv, '--json'])
  return JSON.parse(out).entries as {
    readonly entry_type: string
    readonly role?: string
    readonly content: string
  }[]
}

const kinds = (found: Awaited<ReturnType<typeof entries>>) =>
  found.map(({ entry_type, role }) => role ?? entry_type)

it('takes a part of a key that only one conversation has, and names those that share it', async () => {
  expect(JSON.parse((await run(showCommand, ['7300000', ...family, '--json'])).out).key).toBe(
    'chat-history-1754437300000',
  )
  await expect(run(showCommand, ['17544373', ...family])).resolves.toMatchObject({ code: 0 })
  await expect(run(showCommand, ['cycod:1754437', ...family])).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringMatching(
      /^"cycod:1754437" stands in the keys of 9 conversations: cycod:chat-history-1754437000000, /,
    ),
  })
  await expect(run(showCommand, ['', ...family])).rejects.toMatchObject({ code: 'not-found' })
})

it('says how many damaged lines it does not print', async () => {
  const damaged = (source: string, from: string, name: string) => {
    const root = folder()
    fs.cpSync(path.join(fixtures, from), root, { recursive: true })
    const file = path.join(root, name)
    const lines = fs.readFileSync(file, 'utf8').split('\n')
    fs.writeFileSync(file, [lines[0], lines[1]?.slice(0, 30), ...lines.slice(2)].join('\n'))
    return ['--root', `${source}=${root}`]
  }
  const words = '1 damaged line is not printed; "skein export" has what is left of them.'
  const ember = damaged('chibi', 'chibi/home-v010', 'contexts/ember/transcript/active.jsonl')
  expect((await run(showCommand, ['ember', ...ember])).words).toContain(words)
  expect((await run(showCommand, ['spark', ...ember])).words).not.toContain('damaged')
})

it('finds a name however its letters are composed', async () => {
  const root = folder()
  const written = 'chat-history-cafe\u0301'
  fs.mkdirSync(path.join(root, 'history'), { recursive: true })
  fs.writeFileSync(
    path.join(root, 'history', `${written}.jsonl`),
    '{"role":"user","content":"Hello"}\n',
  )
  for (const typed of ['chat-history-caf\u00e9', 'caf\u00e9', 'cycod:caf\u00e9', 'cafe\u0301']) {
    const { code, out } = await run(showCommand, [typed, '--root', `cycod=${root}`])
    expect([typed, code, out.includes('Hello')]).toEqual([typed, 0, true])
  }
})

it('shows one that is named exactly, though others have its name in theirs', async () => {
  const root = folder()
  for (const name of ['garden', 'garden-2']) {
    fs.mkdirSync(path.join(root, 'contexts', name, 'transcript'), { recursive: true })
    fs.writeFileSync(
      path.join(root, 'contexts', name, 'transcript/active.jsonl'),
      `${lineOf({ id: name, content: name })}\n`,
    )
  }
  const [entry] = await entries(['garden', '--root', `chibi=${root}`])
  expect(entry?.content).toBe('garden')
})

it('leaves out what is not asked for, and counts the last of what is left', async () => {
  const all = ['chat-history-1754437100000', ...family]
  expect(kinds(await entries(all))).toEqual([
    ...['system', 'user', 'agent', 'tool_call', 'tool_result'],
    ...['agent', 'tool_call', 'tool_result', 'agent'],
  ])
  expect(kinds(await entries([...all, '--tools', 'calls', '--system', 'none']))).toEqual([
    ...['user', 'agent', 'tool_call', 'agent', 'tool_call', 'agent'],
  ])
  expect(kinds(await entries([...all, '--tools', 'none']))).toEqual([
    ...['system', 'user', 'agent', 'agent', 'agent'],
  ])
  expect(kinds(await entries([...all, '--tools']))).toHaveLength(9)
  expect(kinds(await entries([...all, '--role', 'user,assistant', '--last', '2']))).toEqual([
    'agent',
    'agent',
  ])
  expect(kinds(await entries([...all, '--role', 'tool', '--first', '1']))).toEqual(['tool_call'])
})

it('says of an archive of fluux-agent that its model is never sent it, and shows what it is sent of a session', async () => {
  const agent = ['--root', `fluux=${fixtures}/readers/fluux/memory`]
  const archive = fs
    .readdirSync(`${fixtures}/readers/fluux/memory/alice@example.org/sessions`)
    .find((name) => name.endsWith('.jsonl'))
  const key = `alice@example.org/${archive?.replace('.jsonl', '')}`
  const { code, out, words } = await run(showCommand, [key, ...agent, '--as-model'])
  expect([code, out]).toEqual([1, ''])
  expect(words).toContain('fluux-agent never sends this to its model: it is an archive.')
  // A root may be the folder of archives, or one of them.
  const file = `${fixtures}/readers/fluux/memory/alice@example.org/sessions/${archive}`
  for (const root of [path.dirname(file), file])
    expect((await run(showCommand, [key, '--root', `fluux=${root}`, '--as-model'])).out).toBe('')
  expect(
    (await run(showCommand, ['fluux:alice@example.org', ...agent, '--as-model'])).out,
  ).toContain('[USER]')
})

it('shows entries of a time alone where they have one', async () => {
  const all = await entries(['default', ...home])
  expect(await entries(['default', ...home, '--after', '2026-02-01'])).toEqual(all)
  expect(await entries(['default', ...home, '--before', '2026-02-01'])).toEqual([])
})

it('cuts long words and says how much is missing', async () => {
  const { out } = await run(showCommand, ['7000000', ...family, '--role', 'user', '--max', '4'])
  expect(out).toBe('[USER] user\nfind… (12 more characters)\n\n')
})

it('prints a line an entry, and the untouched lines of the file', async () => {
  const simple = await run(showCommand, ['7100000', ...family, '-f', 'simple'])
  expect(simple.out.trimEnd().split('\n')).toHaveLength(9)
  expect(simple.out).toContain('-  [USER] user  find large files\n')
  const raw = await run(showCommand, ['7100000', ...family, '--format', 'raw'])
  const file = fs.readFileSync(
    `${fixtures}/branches/cycod-family/history/chat-history-1754437100000.jsonl`,
    'utf8',
  )
  expect(raw.out.trimEnd().replace(/^\ufeff/, '')).toBe(
    file
      .split('\n')
      .filter((line) => !line.includes('"_meta"'))
      .join('\n')
      .replace(/^\ufeff/, ''),
  )
  const json = await run(showCommand, ['7100000', ...family, '--format', 'json'])
  expect(
    json.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(await entries(['7100000', ...family]))
})

it.each([
  [['x', '--first', '1', '--last', '1'], '--last and --first exclude each other.'],
  [['x', '--role', 'robot'], '--role is one of user, agent, system, tool, not "robot".'],
  [['x', '--tools=some'], '--tools is one of all, calls, none, not "some".'],
  [['x', '--format', 'box'], '--format is one of text, simple, pretty, json, raw, not "box".'],
  [['x', '--max', '0'], '--max needs a number from 1 up.'],
  [[], '"skein show" needs one KEY'],
])('refuses %j in words', async (argv, words) => {
  await expect(run(showCommand, [...argv, ...home])).rejects.toThrow(words)
})

/** Runs a command that follows; each step is done while it waits, and after the last one it is ended. */
async function followed(
  command: typeof showCommand,
  argv: readonly string[],
  steps: readonly (() => void)[],
  now?: string,
) {
  const ending = new AbortController()
  const left = [...steps]
  return run(command, argv, {
    signal: ending.signal,
    ...(now === undefined ? {} : { now }),
    pause: async () => {
      const step = left.shift()
      if (step === undefined) ending.abort()
      else step()
    },
  })
}

function writeContext(root: string, name: string, lines: readonly string[]): string {
  const transcript = path.join(root, 'contexts', name, 'transcript')
  fs.mkdirSync(transcript, { recursive: true })
  const file = path.join(transcript, 'active.jsonl')
  fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  return file
}

const shownWords = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).content)

it('follows a conversation: what stands there, then what comes, a torn line when it is whole', async () => {
  const root = folder()
  const file = writeContext(root, 'garden', [
    lineOf({ id: 'a', content: 'one', timestamp: 1 }),
    lineOf({ id: 'b', content: 'two', timestamp: 2 }),
  ])
  const whole = `${lineOf({ id: 'd', content: 'four', timestamp: 4 })}\n`
  const argv = ['garden', '--root', `chibi=${root}`, '--follow', '--last', '1', '--json']
  const { code, out } = await followed(showCommand, argv, [
    () => fs.appendFileSync(file, `${lineOf({ id: 'c', content: 'three', timestamp: 3 })}\n`),
    () => fs.appendFileSync(file, whole.slice(0, 20)),
    () => {},
    () => fs.appendFileSync(file, whole.slice(20)),
    () => writeContext(root, 'other', [lineOf({ id: 'x', content: 'elsewhere' })]),
  ])
  expect([code, shownWords(out)]).toEqual([0, ['two', 'three', 'four']])
})

it('follows a file that is written anew with a line above, and tells nothing twice', async () => {
  const root = folder()
  const file = path.join(root, 'chat-history-1754437000000.jsonl')
  const say = (role: string, content: string) => JSON.stringify({ role, content })
  const begin = [say('user', 'yes'), say('assistant', 'well'), say('user', 'yes')]
  fs.writeFileSync(file, begin.join('\n'))
  const argv = ['1754437000000', '--root', `cycod=${root}`, '--follow', '--last', '0', '--json']
  const { out } = await followed(showCommand, argv, [
    () =>
      fs.writeFileSync(
        file,
        ['{"_meta":{"title":"Yes"}}', ...begin, say('assistant', 'good'), say('user', 'yes')].join(
          '\n',
        ),
      ),
  ])
  expect(shownWords(out)).toEqual(['good', 'yes'])
})

it('tails the newest conversation and whatever comes into any, and says where', async () => {
  const root = folder()
  const say = (content: string) => `${JSON.stringify({ role: 'user', content })}\n`
  const file = (n: number) => path.join(root, `chat-history-175443700000${n}.jsonl`)
  const old = Date.parse('2026-01-01T00:00:00Z') / 1000
  for (const n of [1, 2]) {
    fs.writeFileSync(file(n), say(`old ${n}`))
    fs.utimesSync(file(n), old + n, old + n)
  }
  const argv = ['--root', `cycod=${root}`, '--json']
  const { out, words } = await followed(
    tailCommand,
    argv,
    [
      () => fs.appendFileSync(file(1), say('new 1')),
      () => fs.writeFileSync(file(3), say('new 3')),
      () => fs.appendFileSync(file(1), say('newer 1')),
    ],
    '2026-03-01T00:00:00Z',
  )
  expect(shownWords(out)).toEqual(['old 2', 'new 1', 'new 3', 'newer 1'])
  expect(
    words
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/.*00000(\d)\)$/, '$1')),
  ).toEqual([...['2', '1', '3', '1']])
})

it('tails one side and one system alone', async () => {
  const root = folder()
  const file = path.join(root, 'chat-history-1754437000001.jsonl')
  const say = (role: string, content: string) => `${JSON.stringify({ role, content })}\n`
  fs.writeFileSync(file, say('user', 'heard') + say('assistant', 'spoken'))
  const argv = [
    '--root',
    `cycod=${root}`,
    ...home,
    '--source',
    'cycod',
    '--role',
    'agent',
    '--json',
  ]
  const { out } = await followed(tailCommand, argv, [
    () => fs.appendFileSync(file, say('user', 'heard 2') + say('assistant', 'spoken 2')),
  ])
  expect(shownWords(out)).toEqual(['spoken', 'spoken 2'])
})

it('keeps conversations of one name in two homes apart', async () => {
  const roots = [folder(), folder()]
  const files = roots.map((root, n) =>
    writeContext(root, 'garden', [lineOf({ id: `old ${n}`, content: `old ${n}` })]),
  )
  const argv = roots.flatMap((root) => ['--root', `chibi=${root}`])
  const { out } = await followed(
    tailCommand,
    [...argv, '--last', '0', '--json'],
    files.map((file, n) => () => {
      fs.appendFileSync(file, `${lineOf({ id: `new ${n}`, content: `new ${n}` })}\n`)
    }),
  )
  expect(shownWords(out)).toEqual(['new 0', 'new 1'])
})

it('tells nothing twice of a conversation that is away for a moment', async () => {
  const root = folder()
  const file = path.join(root, 'chat-history-1754437000001.jsonl')
  const say = (content: string) => `${JSON.stringify({ role: 'user', content })}\n`
  fs.writeFileSync(file, say('one'))
  const { out } = await followed(
    tailCommand,
    ['--root', `cycod=${root}`, '--json'],
    [
      () => fs.renameSync(file, `${file}.away`),
      () => {
        fs.appendFileSync(`${file}.away`, say('two'))
        fs.renameSync(`${file}.away`, file)
      },
    ],
  )
  expect(shownWords(out)).toEqual(['one', 'two'])
})

it('prints the path to where a conversation is now, and says what is on other branches', async () => {
  const session = [
    '--root',
    `claude-code=${fixtures}/readers/claude-code/input`,
    '5f0c1f4e-2a6b-4c3d-9e8f-7a6b5c4d3e2f',
  ]
  const shown = await run(showCommand, session)
  expect(shown.out).toContain('water them in the evening')
  expect(shown.out).not.toContain('water them at noon')
  expect(shown.words).toContain('2 entries on other branches; --branches all prints them.')
  const all = await run(showCommand, [...session, '--branches', 'all'])
  expect(all.out).toContain('water them at noon')
  expect((await entries(session)).some(({ content }) => content === 'water them at noon')).toBe(
    true,
  )
})
