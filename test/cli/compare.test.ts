import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { compareCommand } from '../../src/cli/commands/compare'
import { statsCommand } from '../../src/cli/commands/stats'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const folder = tempFolders()
const familyFolder = path.join(fixtures, 'branches/cycod-family/history')
const family = ['--root', `cycod=${familyFolder}`]
const plain = ['--root', `cycod=${path.join(fixtures, 'branches/cycod-without-tools')}`]
const file = (digit: number) => `chat-history-1754437${digit}00000`

async function compared(argv: readonly string[]) {
  const { out, code } = await run(compareCommand, [...argv, '--json'])
  return { ...JSON.parse(out), code }
}
async function counted(argv: readonly string[]) {
  return JSON.parse((await run(statsCommand, [...argv, '--json'])).out)
}

/** A root with some of the family's files, or their first lines. */
function part(files: Readonly<Record<string, number | undefined>>): readonly string[] {
  const root = folder()
  for (const [name, lines] of Object.entries(files)) {
    const text = fs.readFileSync(path.join(familyFolder, `${name}.jsonl`), 'utf8')
    fs.writeFileSync(path.join(root, `${name}.jsonl`), text.split('\n').slice(0, lines).join('\n'))
  }
  return ['--root', `cycod=${root}`]
}

type Counts = Readonly<Record<string, number>>
function plus(...all: readonly Counts[]): Counts {
  const sum: Record<string, number> = {}
  for (const one of all)
    for (const [name, count] of Object.entries(one)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

describe('two conversations of a family', () => {
  it('are compared from their fork: what they share is counted, not compared', async () => {
    // 3 compresses and moves, 4 deletes: they part after "The largest is b."
    const { left, right, forked, changes, code } = await compared([file(3), file(4), ...family])
    expect([code, forked]).toEqual([0, true])
    expect(left.shared).toBe(right.shared)
    expect(left.entries.byRole).toEqual({ tool: 4, user: 2, agent: 4 })
    expect(right.entries.byRole).toEqual({ tool: 2, user: 1, agent: 2 })
    expect(left.tools).toEqual({ called: { RunBashCommand: 2 }, failed: {} })
    const ids = (side: 'left' | 'right') =>
      changes.flatMap((one: Record<string, readonly string[]>) => one[side])
    expect(ids('left')).toHaveLength(left.entries.total)
    expect(new Set(ids('right')).size).toBe(right.entries.total)
    expect(ids('left').at(-1)).toBe(left.entry)
  })

  it('have the numbers of stats: shared, left and right together are what both files hold once', async () => {
    for (const [a, b, lines] of [
      [file(3), file(4), 8],
      [file(2), file(5), 5],
      [file(0), file(3), 5],
    ] as const) {
      const { left, right } = await compared([a, b, ...part({ [a]: undefined, [b]: undefined })])
      const both = await counted(part({ [a]: undefined, [b]: undefined }))
      const shared = await counted(part({ [a]: lines }))
      expect([a, b, left.shared]).toEqual([a, b, shared.entries.total])
      for (const group of ['byType', 'byRole'])
        expect(plus(shared.entries[group], left.entries[group], right.entries[group])).toEqual(
          both.entries[group],
        )
      expect(plus(shared.entries.byTool, left.tools.called, right.tools.called)).toEqual(
        both.entries.byTool,
      )
    }
  })

  it('have nothing of their own where one goes on from the end of the other', async () => {
    const { left, right, changes } = await compared([file(0), file(1), ...family])
    expect([left.entries.total, left.entry]).toEqual([0, left.fork])
    expect(changes.map(({ type }: { type: string }) => type)).toEqual(
      Array.from({ length: right.entries.total }, () => 'added'),
    )
  })

  it('without tools part where their words do, and the words are marked', async () => {
    const [one, two] = ['chat-history-1773140000001', 'chat-history-1773140000002']
    const { out } = await run(compareCommand, [one, two, ...plain])
    expect(out).toContain('Shared: 5 entries')
    expect(out).toContain('[-sow-]{+prune+} first')
    expect(out).toContain('[-carrots-]{+pears+} on Monday')
    expect(out).not.toContain('what shall we do')
  })
})

it('two entries of one conversation are compared: the later one goes on', async () => {
  const whole = await compared([file(0), file(3), ...family])
  const { left, right } = await compared([`${file(3)}@${whole.right.fork}`, file(3), ...family])
  expect([left.entries.total, right.entries]).toEqual([0, whole.right.entries])
})

it('conversations that share nothing are compared whole, also of two systems, with the numbers of stats', async () => {
  const home = ['--home', path.join(fixtures, 'chibi/home-v010')]
  const { left, right, forked } = await compared(['ember', file(6), ...home, ...family])
  expect([forked, left.shared, right.fork]).toEqual([false, 0, null])
  for (const [side, name, root] of [
    [left, 'ember', home],
    [right, file(6), family],
  ] as const) {
    const { entries, tokens, cost } = await counted([name, ...root])
    const { total, byType, byRole, byModel } = entries
    expect(side).toMatchObject({ entries: { total, byType, byRole, byModel }, tokens, cost })
  }
  const { out } = await run(compareCommand, ['ember', file(6), ...home, ...family])
  expect(out).toContain('They share no beginning: all entries are compared.')
  expect(out).toMatch(/^In all +Left +Right$/m)
})

/** A home with a context, and a branch of it after its second message that keeps the ids of what it copies. */
function branchedHome(): string {
  const home = folder()
  const uuid = (n: number) => `5b1d0c00-0000-4000-8000-0000000000${n}`
  const line = (n: number, more: object) =>
    JSON.stringify({ id: uuid(n), timestamp: 1_780_000_000 + n, from: 'ada', to: 'x', ...more })
  const say = (n: number, content: string, role: 'user' | 'agent', metadata?: object) =>
    line(n, { content, entry_type: 'message', role, ...(metadata ? { metadata } : {}) })
  const shared = [say(11, 'Tulips?', 'user'), say(12, 'In May.', 'agent')]
  const call = (n: number, to: string, args: object) =>
    line(n, { to, content: JSON.stringify(args), entry_type: 'tool_call', tool_call_id: `c${n}` })
  const result = (n: number, of: number, content: string) =>
    line(n, { content, entry_type: 'tool_result', tool_call_id: `c${of}` })
  const anchor = (n: number, origin?: object) =>
    line(n, {
      content: 'Context created',
      entry_type: 'context_created',
      ...(origin ? { metadata: { origin } } : {}),
    })
  const write = (name: string, lines: readonly string[]) => {
    const at = path.join(home, 'contexts', name, 'transcript')
    fs.mkdirSync(at, { recursive: true })
    fs.writeFileSync(path.join(at, 'active.jsonl'), `${lines.join('\n')}\n`)
  }
  const usage = (total: number, cost: number) => ({
    model: 'small',
    usage: { input: total - 1, output: 1, total, cost },
  })
  write('beds', [
    anchor(10),
    ...shared,
    say(13, 'How deep do I sow them?', 'user'),
    call(14, 'write_file', { path: 'depth.md', content: '10 cm' }),
    result(15, 14, 'Wrote depth.md.'),
    say(16, 'Ten centimetres.', 'agent', usage(30, 0.25)),
  ])
  write('beds-2', [
    anchor(20, { source: 'chibi', key: 'beds', entry: uuid(12), entries: 2 }),
    ...shared,
    say(21, 'How far apart do I sow them?', 'user'),
    call(22, 'write_file', { path: 'apart.md', content: '' }),
    result(23, 22, 'Error: the person did not allow this'),
    say(24, 'Fifteen centimetres.', 'agent', usage(50, 0.5)),
    say(40, 'Not less.', 'agent'),
  ])
  return home
}

it('a branch of a context is compared with its parent: tokens, cost, time, failed tools and changed files', async () => {
  const home = ['--home', branchedHome()]
  const { left, right, changes } = await compared(['beds', 'beds-2', ...home])
  expect([left.fork, left.shared, right.shared]).toEqual([right.fork, 3, 2])
  // The branch's own anchor is no copy: it counts as the branch's.
  expect(right.entries.byType).toMatchObject({ context_created: 1, message: 3 })
  expect([left.tokens.total, right.tokens.total]).toEqual([30, 50])
  expect([left.cost, right.cost]).toEqual([0.25, 0.5])
  expect([left.time.seconds, right.time.seconds]).toEqual([3, 20])
  expect(left.files).toEqual([{ path: 'depth.md', tools: ['write_file'], calls: 1 }])
  expect([right.files, right.tools.failed]).toEqual([[], { write_file: 1 }])
  const both = await counted(home)
  expect(left.entries.total + right.entries.total + left.shared).toBe(both.entries.total)
  expect(plus(left.tools.called, right.tools.called)).toEqual(both.entries.byTool)
  expect([left.tokens.total + right.tokens.total, left.cost + right.cost]).toEqual([
    both.tokens.total,
    both.cost,
  ])
  const asked = changes.find((one: { left: string[] }) => one.left[0]?.endsWith('13'))
  expect(asked).toMatchObject({ type: 'changed', by: 'words' })
  const { out } = await run(compareCommand, ['beds', 'beds-2', ...home])
  expect(out).toContain('How [-deep-]{+far apart+} do I sow them?')
  expect(out).toMatch(/Cost +0\.25 +0\.5\n/)
})

it('an entry before the copies of a branch is a beginning that they share', async () => {
  const home = branchedHome()
  const file = path.join(home, 'contexts/beds-2/transcript/active.jsonl')
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  // A window that held the last message alone.
  const anchor = lines[0]?.replace('"entries":2', '"entries":1')
  fs.writeFileSync(file, [anchor, ...lines.slice(2)].join('\n'))
  const first = '5b1d0c00-0000-4000-8000-000000000011'
  const argv = [`beds@${first}`, 'beds-2', '--home', home]
  const { left, right, forked } = await compared(argv)
  expect([forked, left.shared, left.entries.total]).toEqual([true, 2, 0])
  expect([right.shared, right.fork, right.entries.total]).toEqual([0, null, 7])
  const { out } = await run(compareCommand, argv)
  expect(out).toContain(
    `Shared: 2 entries of the left one, 0 entries of the right one, up to ${first}\n`,
  )
})

it('what files say is printed on lines of its own, and counts for what it is', async () => {
  const home = branchedHome()
  const file = path.join(home, 'contexts/beds/transcript/active.jsonl')
  const hostile = JSON.stringify('L1\nShared: all\u001b[2J')
  const text = fs.readFileSync(file, 'utf8')
  const renamed = text.replaceAll('"write_file"', '"constructor"')
  fs.writeFileSync(file, renamed.replace(/"id":"[^"]*16"/, `"id":${hostile}`))
  const { out } = await run(compareCommand, ['beds', 'beds-2', '--home', home])
  expect(out).toMatch(/^ {2}constructor +1 +0$/m)
  expect(out).toMatch(/^Left: {2}beds, to entry L1 Shared: all/m)
  expect(out).not.toContain('\u001b')
})

describe('it fails', () => {
  it.each([
    [
      'an unknown key',
      ['nobody@example.org', file(3)],
      'There is no conversation "nobody@example.org".',
    ],
    [
      'an unknown entry',
      [`${file(3)}@L99`, file(4)],
      `There is no entry "L99" in cycod:${file(3)}`,
    ],
    ['a part of several keys', ['chat-history-17@L2', file(4)], 'stands in the keys of 9'],
  ])('for %s, with exit code 1', async (_, operands, words) => {
    await expect(run(compareCommand, [...operands, ...family])).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining(words),
    })
  })

  it.each([
    ['the same side twice', [file(3), file(3)]],
    ['the same side twice, once by its last entry', [file(3), `cycod:${file(3)}@L16`]],
    ['one side', [file(3)]],
    ['three sides', [file(3), file(4), file(5)]],
  ])('for %s, as not understood', async (_, operands) => {
    await expect(run(compareCommand, [...operands, ...family])).rejects.toMatchObject({
      name: 'UsageError',
    })
  })
})

it('names a part that could not be read, and exits with 1', async () => {
  const home = branchedHome()
  const partitions = path.join(home, 'contexts/beds/transcript/partitions')
  fs.mkdirSync(partitions)
  fs.writeFileSync(
    path.join(home, 'contexts/beds/transcript/manifest.json'),
    JSON.stringify({
      version: 1,
      partitions: [{ file: 'partitions/1-2.jsonl', start_ts: 1, end_ts: 2, entry_count: 1 }],
    }),
  )
  const { code, unread } = await compared(['beds', 'beds-2', '--home', home])
  expect(code).toBe(1)
  expect(unread.join(' ')).toContain('1-2.jsonl')
})

it('says how many damaged lines of a side are not compared, in a document too', async () => {
  const home = branchedHome()
  const file = path.join(home, 'contexts/beds/transcript/active.jsonl')
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  fs.writeFileSync(file, [lines[0], lines[1]?.slice(0, 30), ...lines.slice(2)].join('\n'))
  const argv = ['beds', 'beds-2', '--home', home]
  const { unread } = await compared(argv)
  expect(unread).toEqual([expect.stringMatching(/^1 damaged line of “.*” cannot be compared\.$/)])
  expect((await run(compareCommand, argv)).words).toContain(unread[0])
  expect((await run(compareCommand, [...argv, '--format', 'md'])).out).toContain('1 damaged line')
})

it('an @ of a key is the key\u2019s own', async () => {
  const fluux = ['--root', `fluux=${path.join(fixtures, 'readers/fluux/input')}`]
  const { left } = await compared(['mira@example.org', file(3), ...fluux, ...family])
  expect(left.key).toBe('mira@example.org')
  const at = `mira@example.org@${left.entry}`
  const again = await compared([at, file(3), ...fluux, ...family])
  expect(again.left).toEqual(left)
})

it('a document goes to a file, whole or not at all, and never among what is read', async () => {
  const home = branchedHome()
  const argv = ['beds', 'beds-2', '--home', home, '--format', 'md']
  const target = path.join(folder(), 'beds.md')
  const { out, words, code } = await run(compareCommand, [...argv, '-o', target])
  const text = fs.readFileSync(target, 'utf8')
  expect([out, code, words]).toEqual(['', 0, `${Buffer.byteLength(text)} bytes in ${target}.\n`])
  expect(text).toContain('How [-deep-]{+far apart+} do I sow them?')
  expect(text).toContain('| Cost | 0.25 | 0.5 |')
  expect((await run(compareCommand, argv)).out).toBe(text)
  const inside = path.join(home, 'contexts/beds/beds.md')
  await expect(run(compareCommand, [...argv, '-o', inside])).rejects.toMatchObject({
    code: 'bad-argument',
  })
  expect(fs.existsSync(inside)).toBe(false)
})

it('a format is one that there is, and a file needs a format', async () => {
  const argv = ['a', 'b', ...family]
  for (const wrong of [
    ['--format', 'pdf'],
    ['--format', 'md', '--json'],
    ['-o', 'x.md'],
  ])
    await expect(run(compareCommand, [...argv, ...wrong])).rejects.toThrow(/--format|-o/)
})
