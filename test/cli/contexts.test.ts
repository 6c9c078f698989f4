import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { UsageError } from '../../src/cli/command/arguments'
import { contextsCommand } from '../../src/cli/commands/contexts'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { openStore } from '../../src/main/store/open-store'
import { message } from '../support/entries'
import { memoryFolder, tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const temp = tempFolders(memoryFolder)

function homeOf(era: string): string {
  const home = path.join(temp(), 'home')
  fs.cpSync(path.join(fixtures, 'chibi', era), home, { recursive: true })
  return home
}

const listIn = async (home: string) => {
  const { out } = await run(contextsCommand, ['--home', home, '--json'])
  return JSON.parse(out).contexts as readonly Record<string, unknown>[]
}

it('lists the contexts of a home, and says which one chibi takes and which it will delete', async () => {
  const home = homeOf('home-v010')
  expect(await listIn(home)).toEqual([
    expect.objectContaining({
      name: 'ember',
      mark: 'previous',
      archived: false,
      state: 'ok',
      expires: expect.stringMatching(/^2026-/),
    }),
    expect.objectContaining({ name: 'spark', mark: 'current', expires: null }),
  ])
  const { out, code } = await run(contextsCommand, ['--home', home])
  expect(code).toBe(0)
  expect(out).toMatch(/ember {2}previous, chibi deletes it after 2026-\d\d-\d\d/)
})

it('makes, renames, clears and archives one', async () => {
  const home = homeOf('home-v09')
  const at = (...argv: string[]) => run(contextsCommand, ['--home', home, ...argv])
  expect((await at('new', 'garden')).words).toBe('Created "garden".\n')
  const writer = await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: false })
  await writer.append(message('How do I prune roses?'))
  await writer.close()
  await at('rename', 'garden', 'allotment')
  expect((await at('clear', 'allotment', '--page')).words).toBe(
    'The model starts fresh in "allotment". The transcript has the earlier 1 message.\n',
  )
  expect(fs.readFileSync(path.join(home, 'contexts/allotment/transcript.md'), 'utf8')).toBe(
    '[USER]: How do I prune roses?\n\n',
  )
  expect((await at('clear', 'allotment')).words).toMatch(/already starts fresh/)
  await at('archive', 'allotment')
  expect((await listIn(home)).find(({ name }) => name === 'allotment')).toMatchObject({
    archived: true,
    entries: 3,
  })
  await at('unarchive', 'allotment')
  expect((await listIn(home)).find(({ name }) => name === 'allotment')?.archived).toBe(false)
})

it('moves one to the trash, from which a file manager can put it back', async () => {
  const home = homeOf('home-v010')
  const data = path.join(path.dirname(home), 'data')
  const before = fs.readFileSync(path.join(home, 'contexts/spark/transcript/active.jsonl'))
  const { words } = await run(contextsCommand, ['--home', home, 'destroy', 'spark'], {
    now: '2026-11-28T12:00:00Z',
    data,
  })
  const kept = path.join(data, 'Trash/files/spark')
  expect(words).toBe(`"spark" is in the trash: ${kept}\n`)
  expect(fs.readFileSync(path.join(kept, 'transcript/active.jsonl'))).toEqual(before)
  expect(fs.readFileSync(path.join(data, 'Trash/info/spark.trashinfo'), 'utf8')).toContain(
    `Path=${path.join(home, 'contexts/spark')}\n`,
  )
  expect(fs.existsSync(path.join(home, 'contexts/spark'))).toBe(false)
})

it('deletes one for good where it is told so, though there is a trash', async () => {
  const home = homeOf('home-v010')
  const data = path.join(temp(), 'data')
  fs.mkdirSync(path.join(data, 'Trash/files'), { recursive: true })
  const { words } = await run(
    contextsCommand,
    ['--home', home, 'destroy', 'spark', '--permanently'],
    {
      data,
    },
  )
  expect(words).toBe('"spark" is deleted for good.\n')
  expect(fs.readdirSync(path.join(home, 'contexts'))).toEqual(['ember'])
  expect(fs.readdirSync(data, { recursive: true })).toEqual(['Trash', 'Trash/files'])
})

it('refuses where no trash can take it, and deletes only when told so', async () => {
  const home = homeOf('home-v010')
  const nowhere = { data: '/dev/null' }
  const spark = path.join(home, 'contexts/spark')
  await expect(
    run(contextsCommand, ['--home', home, 'destroy', 'spark'], nowhere),
  ).rejects.toMatchObject({
    code: 'io',
  })
  expect(fs.existsSync(spark)).toBe(true)
  const hers = path.join(temp(), 'hers')
  fs.mkdirSync(hers)
  fs.writeFileSync(path.join(hers, 'thesis.txt'), 'kept')
  fs.symlinkSync(hers, path.join(spark, 'link'))
  fs.symlinkSync('/nowhere/at/all', path.join(spark, 'dangling'))
  const { words } = await run(
    contextsCommand,
    ['--home', home, 'destroy', 'spark', '--permanently'],
    nowhere,
  )
  expect(words).toBe('"spark" is deleted for good.\n')
  expect(fs.readdirSync(path.join(home, 'contexts'))).toEqual(['ember'])
  expect(fs.readFileSync(path.join(hers, 'thesis.txt'), 'utf8')).toBe('kept')
})

it.each([
  [['frobnicate', 'spark']],
  [['toString', 'spark']],
  [['rename', 'spark']],
  [['new', 'user']],
  [['rename', 'spark', 'a b']],
  [['clear', 'spark', '--permanently']],
  [['--permanently']],
])('does not understand %j', async (argv) => {
  const home = homeOf('home-v010')
  await expect(run(contextsCommand, ['--home', home, ...argv])).rejects.toThrow(UsageError)
})

it('writes to no root that is only read', async () => {
  const home = homeOf('home-v010')
  await expect(
    run(contextsCommand, ['--root', `chibi=${home}`, 'archive', 'spark']),
  ).rejects.toThrow(UsageError)
})

it('makes one the context that chibi takes where none is named, and marks it', async () => {
  const home = homeOf('home-v010')
  expect((await run(contextsCommand, ['--home', home, 'current', 'ember'])).words).toBe(
    `"ember" is now chibi's default context.\n`,
  )
  expect((await listIn(home)).map(({ name, mark }) => [name, mark])).toEqual([
    ['ember', 'current'],
    ['spark', 'previous'],
  ])
  await expect(run(contextsCommand, ['--home', home, 'current', 'shed'])).rejects.toThrow('shed')
})
