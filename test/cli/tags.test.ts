import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { contextsCommand } from '../../src/cli/commands/contexts'
import { exportCommand } from '../../src/cli/commands/export'
import { listCommand } from '../../src/cli/commands/list'
import { searchCommand } from '../../src/cli/commands/search'
import { showCommand } from '../../src/cli/commands/show'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { openStore } from '../../src/main/store/open-store'
import { checkHome } from '../support/chibi-checker/home'
import { message } from '../support/entries'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const temp = tempFolders()

async function homeWith(...names: readonly string[]): Promise<string> {
  const home = path.join(temp(), 'chibi')
  for (const name of names) {
    const writer = await openStore({ home, disk: nodeDisk }).openWriter(name, { create: true })
    await writer.append(message(`Words of ${name}`, { to: name }))
    await writer.close()
  }
  return home
}

it('tags a context, which list, search, show and exports tell, and takes the tag away', async () => {
  const home = await homeWith('garden', 'kitchen')
  const more = { cache: path.join(temp(), 'cache'), config: temp() }
  const at = ['--home', home]
  await run(contextsCommand, ['title', 'garden', 'Tulips', ...at], more)
  const tagged = await run(contextsCommand, ['tag', 'garden', 'Frühling 2026', ...at], more)
  expect(tagged).toMatchObject({ code: 0, words: '"garden" has the tags Frühling 2026.\n' })
  await run(contextsCommand, ['tag', 'garden', 'FRÜHLING 2026', ...at], more)
  await run(contextsCommand, ['tag', 'garden', 'Beet', ...at], more)
  expect((await run(listCommand, at, more)).out).toContain(
    'Tulips (chibi:garden)  #Frühling 2026  #Beet',
  )
  const rows = async (...options: string[]) =>
    JSON.parse((await run(listCommand, ['--json', ...options, ...at], more)).out).conversations
  expect(await rows('--tag', 'frühling 2026')).toMatchObject([
    { key: 'garden', tags: ['Frühling 2026', 'Beet'] },
  ])
  expect(await rows('--tag', 'frühling')).toEqual([])
  const found = async (query: string) =>
    JSON.parse((await run(searchCommand, ['--json', ...at, '--', query], more)).out).hits
  expect(await found('tag:"frühling 2026" words')).toMatchObject([{ key: 'garden' }])
  expect(await found('-tag:beet words')).toMatchObject([{ key: 'kitchen' }])
  expect(await found('tag:bee words')).toEqual([])
  expect(JSON.parse((await run(showCommand, ['garden', '--json', ...at], more)).out).tags).toEqual([
    'Frühling 2026',
    'Beet',
  ])
  for (const format of ['md', 'html', 'json'])
    expect((await run(exportCommand, ['garden', '--format', format, ...at], more)).out).toMatch(
      /Frühling 2026(, |",")Beet/,
    )
  await run(contextsCommand, ['color', 'garden', 'red', ...at], more)
  const text = await run(exportCommand, ['garden', '--format', 'txt', ...at], more)
  expect(text.words).toContain('2 tags are left out')
  expect(text.words).toContain('1 color is left out')
  await run(contextsCommand, ['color', 'garden', 'none', ...at], more)
  expect(checkHome(home)).toEqual([])

  const lacking = await run(contextsCommand, ['untag', 'garden', 'winter', ...at], more)
  expect(lacking.words).toContain('It was not tagged "winter".')
  await run(contextsCommand, ['untag', 'garden', 'fRÜHLING 2026', ...at], more)
  await run(contextsCommand, ['untag', 'garden', 'beet', ...at], more)
  expect((await rows()).map(({ tags }: { tags: unknown }) => tags)).toEqual([undefined, undefined])
  // The title has nothing to do with it.
  expect((await run(listCommand, at, more)).out).toContain('Tulips (chibi:garden)')
})

it("tags another system's conversation without writing to its files", async () => {
  const config = temp()
  const root = path.join(fixtures, 'branches/cycod-family')
  const at = ['--root', `cycod=${root}`]
  const before = fs.readdirSync(root, { recursive: true })
  const rows = async (...options: string[]) =>
    JSON.parse((await run(listCommand, ['--json', ...options, ...at], { config })).out)
      .conversations
  const [{ key }] = await rows()
  const told = await run(contextsCommand, ['tag', key, 'Beet', ...at], { config })
  expect(told).toMatchObject({ code: 0, words: `"${key}" has the tags Beet.\n` })
  expect(await rows('--tag', 'BEET')).toMatchObject([{ key, tags: ['Beet'] }])
  await run(contextsCommand, ['untag', key, 'Beet', ...at], { config })
  expect(await rows('--tag', 'BEET')).toEqual([])
  expect(fs.readdirSync(root, { recursive: true })).toEqual(before)
})

it('colors and hides a context and a conversation of another system, which list tells, and takes both away', async () => {
  const home = await homeWith('garden', 'kitchen')
  const more = { cache: path.join(temp(), 'cache'), config: temp() }
  const at = ['--home', home, '--root', `cycod=${path.join(fixtures, 'branches/cycod-family')}`]
  const rows = async (...options: string[]) =>
    JSON.parse((await run(listCommand, ['--json', ...options, ...at], more)).out).conversations
  const foreign = (await rows()).find(({ source }: { source: string }) => source === 'cycod').key
  for (const name of ['garden', foreign]) {
    expect(await run(contextsCommand, ['color', name, 'GREEN', ...at], more)).toMatchObject({
      code: 0,
      words: `"${name}" is green.\n`,
    })
    await run(contextsCommand, ['hide', name, ...at], more)
  }
  const keys = (all: readonly { key: string }[]) => all.map(({ key }) => key).sort()
  const both = ['garden', foreign].sort()
  const green = await rows('--color', 'green')
  expect(keys(green)).toEqual(both)
  expect(green).toMatchObject([
    { color: 'green', hidden: true },
    { color: 'green', hidden: true },
  ])
  expect(keys(await rows('--list', 'hidden'))).toEqual(both)
  const { out } = await run(searchCommand, ['--json', ...at, '--', 'color:green'], more)
  const { hits } = JSON.parse(out) as { hits: readonly { key: string }[] }
  // What is hidden is found all the same.
  expect([...new Set(hits.map(({ key }) => key))].sort()).toEqual(both)
  expect((await run(listCommand, [...at], more)).out).toMatch(/ \[green\] {2}hidden\n/)
  for (const name of ['garden', foreign]) {
    await run(contextsCommand, ['color', name, 'none', ...at], more)
    await run(contextsCommand, ['unhide', name, ...at], more)
  }
  expect([await rows('--color', 'green'), await rows('--list', 'hidden')]).toEqual([[], []])
  await expect(run(contextsCommand, ['color', 'garden', 'loud', ...at], more)).rejects.toThrow(
    'A color is blue, green, yellow, orange, red, purple or none, not "loud".',
  )
})

it('pins a context and a conversation of another system, which list tells, and takes the pin away', async () => {
  const home = await homeWith('garden', 'kitchen')
  const more = { cache: path.join(temp(), 'cache'), config: temp() }
  const at = ['--home', home, '--root', `cycod=${path.join(fixtures, 'branches/cycod-family')}`]
  const rows = async (...options: string[]) =>
    JSON.parse((await run(listCommand, ['--json', ...options, ...at], more)).out).conversations
  const foreign = (await rows()).find(({ source }: { source: string }) => source === 'cycod').key
  for (const name of ['garden', foreign])
    expect(await run(contextsCommand, ['pin', name, ...at], more)).toMatchObject({
      code: 0,
      words: `"${name}" is pinned.\n`,
    })
  const pinned = await rows('--pinned')
  expect(pinned.map(({ key }: { key: string }) => key).sort()).toEqual(['garden', foreign].sort())
  expect(pinned).toMatchObject([{ pinned: true }, { pinned: true }])
  expect((await run(listCommand, ['--pinned', ...at], more)).out).toContain('pinned')
  await run(contextsCommand, ['unpin', 'garden', ...at], more)
  await run(contextsCommand, ['unpin', foreign, ...at], more)
  expect(await rows('--pinned')).toEqual([])
  expect(checkHome(home)).toEqual([])
})

it('refuses what is no tag, more than a few, and contexts that are not there or only read', async () => {
  const home = await homeWith('garden')
  const more = { config: temp() }
  const at = ['--home', home]
  const refused = (tag: string, name = 'garden') =>
    expect(run(contextsCommand, ['tag', name, tag, ...at], more)).rejects
  for (const tag of ['', ' \n', '\u200b\u2060', '\u3164', '\u200d', 'x'.repeat(41)])
    await refused(tag).toMatchObject({
      code: 'bad-argument',
      message: 'A tag has 1 to 40 visible characters.',
    })
  await refused('x', 'nowhere').toMatchObject({ code: 'not-found' })
  for (let n = 0; n < 20; n++) await run(contextsCommand, ['tag', 'garden', `t${n}`, ...at], more)
  await refused('t20').toMatchObject({ message: 'A conversation has at most 20 tags.' })
  const root = path.join(fixtures, 'chibi/home-v09')
  await expect(
    run(contextsCommand, ['tag', 'default', 'x', '--root', `chibi=${root}`], more),
  ).rejects.toMatchObject({ code: 'read-only' })
  expect(fs.existsSync(path.join(root, 'titles.skein.json'))).toBe(false)
})
