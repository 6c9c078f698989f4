import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { listCommand } from '../../src/cli/commands/list'
import { showCommand } from '../../src/cli/commands/show'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const folder = tempFolders()
const family = ['--root', `cycod=${fixtures}/branches/cycod-family`]
const home = ['--home', `${fixtures}/chibi/home-v09`]

interface Row {
  readonly key: string
  readonly entries: number
  readonly messages?: readonly { readonly text: string }[]
  readonly parent?: { readonly key: string } | null
  readonly group?: string | null
}

async function rows(argv: readonly string[], now?: string): Promise<readonly Row[]> {
  const ran = await run(listCommand, [...argv, '--json'], {
    cache: folder(),
    ...(now === undefined ? {} : { now }),
  })
  return JSON.parse(ran.out).conversations
}

const keys = (found: readonly Row[]) => found.map(({ key }) => key)

/** A folder of cycod files, each begun and last written at noon (UTC) of a day. */
function history(
  files: Readonly<Record<string, { begun: string; written: string; text: string }>>,
) {
  const root = folder()
  const names: Record<string, string> = {}
  for (const [name, { begun, written, text }] of Object.entries(files)) {
    const key = `chat-history-${Date.parse(`${begun}T12:00:00Z`)}`
    const file = path.join(root, `${key}.jsonl`)
    fs.writeFileSync(file, JSON.stringify({ role: 'user', content: text }))
    fs.utimesSync(
      file,
      Date.parse(`${written}T12:00:00Z`) / 1000,
      Date.parse(`${written}T12:00:00Z`) / 1000,
    )
    names[name] = key
  }
  return { argv: ['--root', `cycod=${root}`], names }
}

it('lists what was going on in a time: begun before its end, and changed after its beginning', async () => {
  const { argv, names } = history({
    long: { begun: '2026-01-05', written: '2026-03-05', text: 'a' },
    early: { begun: '2026-01-04', written: '2026-01-06', text: 'b' },
    late: { begun: '2026-03-04', written: '2026-03-05', text: 'c' },
  })
  const listed = async (...more: string[]) =>
    keys(await rows([...argv, ...more], '2026-03-06T12:00:00Z')).sort()
  const named = (...wanted: string[]) => wanted.map((name) => names[name]).sort()

  expect(await listed('--date', '2026-01-01..2026-01-31')).toEqual(named('long', 'early'))
  expect(await listed('-d', '2026-02-01..2026-02-28')).toEqual(named('long'))
  expect(await listed('--yesterday')).toEqual(named('long', 'late'))
  expect(await listed('--today')).toEqual([])
  expect(await listed('--last', '3d')).toEqual(named('long', 'late'))
  expect(await listed('--after', '2026-02-01')).toEqual(named('long', 'late'))
  expect(await listed('--before', '2026-02-01')).toEqual(named('long', 'early'))
  expect(await listed('--after', '2026-01-10', '--before', '2026-03-01')).toEqual(named('long'))
})

it('takes the newest of those that are left, and sorts them as asked', async () => {
  const all = await rows(home)
  const newest = await rows([...home, '--last', '3'])
  expect(keys(newest)).toEqual(keys(all).slice(0, 3))
  const sorted = await rows([...home, '-n', '3', '--sort', 'entries'])
  expect(keys(sorted).slice().sort()).toEqual(keys(newest).slice().sort())
  const counts = sorted.map(({ entries }) => entries)
  expect(counts).toEqual(counts.slice().sort((a, b) => b - a))
})

it('lists one system alone', async () => {
  const both = [...home, ...family]
  expect(await rows([...both, '--source', 'cycod'])).toHaveLength(9)
  expect(await rows([...both, '--source', 'chibi'])).toHaveLength(5)
  await expect(run(listCommand, [...home, '--source', 'cycod'])).rejects.toThrow(
    'Nothing of the source "cycod" is read',
  )
})

it('lists nothing for a project that no conversation names', async () => {
  expect(await rows([...family, '--project', 'garden'])).toEqual([])
})

it('shows what a person said: the first messages, of a copy the last ones', async () => {
  const found = await rows([...family, '--messages', '1'])
  const said = (key: string) =>
    found.find((row) => row.key === key)?.messages?.map(({ text }) => text)
  expect(said('chat-history-1754437000000')).toEqual(['find large files'])
  expect(said('chat-history-1754437300000')).toEqual(['and move it'])
  const all = await rows([...family, '--messages', 'all'])
  expect(all.find(({ key }) => key === 'chat-history-1754437300000')?.messages).toHaveLength(3)
  expect((await rows(family))[0]?.messages).toBeUndefined()
})

it('cuts a preview at 200 characters and shows it on one line', async () => {
  const { argv } = history({
    one: { begun: '2026-01-05', written: '2026-01-06', text: `line\n${'🌱'.repeat(300)}` },
  })
  const [row] = await rows([...argv, '--messages'])
  expect(row?.messages?.[0]?.text).toBe(`line ${'🌱'.repeat(194)}…`)
})

it('names the parent that the family of cycod fixtures expects', async () => {
  const expected = JSON.parse(
    fs.readFileSync(`${fixtures}/branches/cycod-family/expected.json`, 'utf8'),
  ).conversations as Record<
    string,
    { preferred_parent: string | null; cycodj_parent: string | null }
  >
  const found = await rows([...family, '--branches'])
  for (const { key, parent } of found)
    if (expected[key]?.cycodj_parent !== null)
      expect([key, parent?.key]).toEqual([key, expected[key]?.preferred_parent])
})

it('tells conversations of one title apart by their own words, and names their family', async () => {
  const found = (await rows(family)) as readonly (Row & {
    readonly family?: { oldest: string; conversations: number; words: string; entries: number }
  })[]
  // Two of the nine share nothing with the others.
  const related = found.filter((row) => row.family !== undefined)
  expect(related.map((row) => row.family?.conversations)).toEqual(
    Array.from({ length: 7 }, () => 7),
  )
  expect(new Set(related.map((row) => row.family?.oldest))).toEqual(
    new Set(['cycod:chat-history-1754437000000']),
  )
  const { out } = await run(listCommand, family, { cache: folder() })
  for (const { key, family: told } of related) {
    const own = `one of 7 with the same beginning, ${told?.entries === 1 ? '1 entry' : `${told?.entries} entries`} of its own`
    expect(out).toContain(`${key}`)
    expect(out).toContain(told?.words === '' ? `${own}\n` : `${own}: ${told?.words}`)
  }
  // A home's contexts without relatives are of no family.
  expect((await rows([...home, '--last', '1']))[0]).not.toHaveProperty('family')
})

it('adds statistics over what is listed', async () => {
  const { out } = await run(listCommand, [...home, '--last', '1', '--stats', '--json'], {
    cache: folder(),
  })
  const { conversations, stats } = JSON.parse(out)
  expect(stats).toMatchObject({ conversations: 1, entries: { total: conversations[0].entries } })
})

it.each([
  [['--messages=some'], '--messages needs a whole number or all, not "some".'],
  [['--sort', 'size'], '--sort is one of updated, created, title, entries, bytes, not "size".'],
  [['--date', 'soon'], '--date: "soon" is no time: '],
  [['--after', '3d..'], '--after: "3d.." is a range; here one time is needed.'],
  [['--last', '-1'], 'argument is ambiguous'],
  [['--last=-1'], '--last needs a whole number, not "-1".'],
])('refuses %j in words', async (argv, words) => {
  await expect(run(listCommand, [...home, ...argv], { cache: folder() })).rejects.toThrow(words)
})

it('prints with each conversation a name that show finds it by', async () => {
  const { argv, names } = history({
    one: { begun: '2026-01-05', written: '2026-01-06', text: 'beans' },
    two: { begun: '2026-01-07', written: '2026-01-08', text: 'beans' },
  })
  const { out } = await run(listCommand, argv, { cache: folder() })
  const printed = [...out.matchAll(/beans \((\S+)\)$/gm)].map(([, name = '']) => name)
  expect(printed).toEqual([`cycod:${names.two}`, `cycod:${names.one}`])
  for (const name of printed)
    expect((await run(showCommand, [name, ...argv])).out).toContain('beans')
  // A context's name is its title already.
  expect((await run(listCommand, home, { cache: folder() })).out).toMatch(/ {2}default$/m)
})

it('lists under the heads of groups, each row with its group, what belongs to none last', async () => {
  const { argv, names } = history({
    old: { begun: '2026-01-04', written: '2026-01-06', text: 'a' },
    new: { begun: '2026-03-04', written: '2026-03-05', text: 'b' },
    again: { begun: '2026-03-04', written: '2026-03-05', text: 'c' },
  })
  const grouped = await rows([...argv, '--group-by', 'date', '--sort', 'title'])
  expect(grouped.map(({ key, group }) => [key, group])).toEqual([
    [names.old, '2026-01-06'],
    [names.again, '2026-03-05'],
  ])
  const ran = await run(listCommand, [...argv, '--group-by', 'tag'], { cache: folder() })
  expect(ran.out.split('\n')[0]).toBe('no tag (2)')
  const claude = ['--root', `claude-code=${fixtures}/readers/claude-code/input`]
  const models = (await rows([...claude, '--group-by', 'model'])).map(({ group }) => group)
  expect(models[0]).toMatch(/^claude-/)
  // Rows of a group stand together.
  const runs = models.filter((one, at) => one !== models[at - 1])
  expect(runs).toEqual([...new Set(models)])
})

it('lists what ends with an error, without an answer, or has no title', async () => {
  const root = folder()
  const write = (name: string, ...lines: readonly object[]) =>
    fs.writeFileSync(
      path.join(root, `chat-history-${name}.jsonl`),
      lines.map((line) => JSON.stringify(line)).join('\n'),
    )
  const asked = { role: 'user', content: 'How deep do tulips go?' }
  write('1', asked)
  write('2', asked, { role: 'assistant', content: 'Fifteen centimetres.' })
  const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
  write(
    '3',
    asked,
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'Error: no such garden' },
  )
  const argv = ['--root', `cycod=${root}`]
  const listed = async (list: string) =>
    keys(await rows([...argv, '--list', list]))
      .map((key) => key.slice(-1))
      .sort()
  expect(await listed('unfinished')).toEqual(['1'])
  expect(await listed('failed')).toEqual(['3'])
  expect(await listed('untitled')).toEqual(['1', '2', '3'])
  expect(await listed('long')).toEqual([])
  const wrong = await run(listCommand, [...argv, '--list', 'lost'], { cache: folder() }).catch(
    String,
  )
  expect(wrong).toContain(
    '--list is one of today, pinned, long, untitled, failed, unfinished, hidden',
  )
})
