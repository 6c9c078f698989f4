import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { branchesCommand } from '../../../src/cli/commands/branches'
import { contextsCommand } from '../../../src/cli/commands/contexts'
import { exportCommand } from '../../../src/cli/commands/export'
import { listCommand } from '../../../src/cli/commands/list'
import { readCommand } from '../../../src/cli/commands/read'
import { searchCommand } from '../../../src/cli/commands/search'
import { showCommand } from '../../../src/cli/commands/show'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openStore } from '../../../src/main/store/open-store'
import { checkHome } from '../../support/chibi-checker/home'
import { message } from '../../support/entries'
import { tempFolders } from '../../support/temp-folder'
import { fixtures, run } from '../run'

const temp = tempFolders()

async function homeWithGarden(): Promise<string> {
  const home = path.join(temp(), 'chibi')
  const writer = await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: true })
  await writer.append(message('How deep do tulips go?'))
  await writer.close()
  return home
}

it('calls a context whose name nobody chose by the first words of a person, beside its key', async () => {
  const home = path.join(temp(), 'chibi')
  const store = openStore({ home, disk: nodeDisk })
  const writer = await store.openWriter('chat-2026-11-28', { create: true })
  await writer.append(message('How deep do tulips go?'))
  await writer.close()
  const more = { cache: path.join(temp(), 'cache'), config: temp() }
  const at = ['--home', home]
  const named = 'How deep do tulips go? (chibi:chat-2026-11-28)'
  expect((await run(listCommand, at, more)).out).toContain(named)
  expect((await run(searchCommand, ['deep', ...at], more)).out).toContain(named)
  const shown = await run(showCommand, ['chat-2026-11-28', ...at], more)
  expect(shown.words).toBe(`${named}\n`)
  // Data for scripts stays alone.
  const data = await run(showCommand, ['chat-2026-11-28', '--json', ...at], more)
  expect([data.words, JSON.parse(data.out)]).toMatchObject(['', { key: 'chat-2026-11-28' }])
})

it("gives a context a person's title, which every command shows, and takes it away", async () => {
  const home = await homeWithGarden()
  const more = { cache: path.join(temp(), 'cache'), config: temp() }
  const at = ['--home', home]
  const titled = await run(contextsCommand, ['title', 'garden', 'Tulpen\nim Herbst', ...at], more)
  expect(titled).toMatchObject({ code: 0, words: '"garden" has the title "Tulpen im Herbst".\n' })
  expect((await run(listCommand, at, more)).out).toContain('Tulpen im Herbst (chibi:garden)')
  const listed = JSON.parse((await run(listCommand, ['--json', ...at], more)).out)
  expect(listed.conversations).toMatchObject([{ key: 'garden', title: 'Tulpen im Herbst' }])
  const shown = JSON.parse((await run(showCommand, ['garden', '--json', ...at], more)).out)
  expect(shown).toMatchObject({ key: 'garden', title: 'Tulpen im Herbst' })
  expect((await run(exportCommand, ['garden', ...at], more)).out).toContain('Tulpen im Herbst')
  const found = JSON.parse((await run(searchCommand, ['herbst', '--json', ...at], more)).out)
  expect(found.hits).toMatchObject([{ key: 'garden', field: 'title' }])
  // What stands in the conversation's own files is another question.
  const asRead = JSON.parse((await run(readCommand, ['--json', ...at], more)).out)
  expect(asRead.conversations).toMatchObject([{ key: 'garden', title: 'garden' }])
  expect(checkHome(home)).toEqual([])

  await run(contextsCommand, ['title', 'garden', '', ...at], more)
  expect(
    JSON.parse((await run(listCommand, ['--json', ...at], more)).out).conversations,
  ).toMatchObject([{ key: 'garden', title: 'garden' }])
  await expect(run(contextsCommand, ['title', 'nowhere', 'x', ...at], more)).rejects.toMatchObject({
    code: 'not-found',
  })
})

it("shows the titles that were given to another system's conversations, in their tree too", async () => {
  const config = temp()
  const root = path.join(fixtures, 'branches/cycod-family')
  const at = ['--root', `cycod=${root}`]
  const before = JSON.parse((await run(branchesCommand, ['--json', ...at], { config })).out)
  const [root0, ...others] = before.families[0].nodes
  const branch = others.find((node: { key: string }) => node.key !== root0.key)
  fs.mkdirSync(path.join(config, 'Skein'))
  const given = { by: 'model', model: 'some/model', at: 1 }
  fs.writeFileSync(
    path.join(config, 'Skein', 'titles.json'),
    JSON.stringify({
      titles: [
        { key: `cycod:${root0.key}`, title: 'The root of it', ...given },
        { key: `cycod:${branch.key}`, title: 'The branch of it', ...given },
      ],
    }),
  )
  const after = JSON.parse((await run(branchesCommand, ['--json', ...at], { config })).out)
  const titles = after.families[0].nodes.map((node: { title: string }) => node.title)
  expect(titles[0]).toBe('The root of it')
  expect(titles.filter((title: string) => title === 'The branch of it')).toHaveLength(1)
})

it("gives a title to another system's conversation, without a home too, and takes it away", async () => {
  const config = temp()
  const root = path.join(fixtures, 'branches/cycod-family')
  const at = ['--root', `cycod=${root}`]
  const before = fs.readdirSync(root, { recursive: true })
  const listed = async () =>
    JSON.parse((await run(listCommand, ['--json', ...at], { config })).out)
      .conversations as readonly {
      readonly key: string
      readonly title: string
    }[]
  const [first] = await listed()
  const key = first?.key ?? ''
  const titled = await run(contextsCommand, ['title', key, 'Tulpen\u001b[2J', ...at], { config })
  expect(titled.code).toBe(0)
  expect(titled.words).toContain(`"${key}" has the title "Tulpen`)
  expect(titled.words).not.toContain('\u001b')
  expect((await listed()).find((one) => one.key === key)?.title).toMatch(/^Tulpen/)
  await run(contextsCommand, ['title', key, '', ...at], { config })
  expect((await listed()).find((one) => one.key === key)?.title).toBe(first?.title)
  expect(fs.readdirSync(root, { recursive: true })).toEqual(before)
})

it('gives no title to a context of a home that is only read', async () => {
  const root = path.join(fixtures, 'chibi/home-v09')
  const at = ['--root', `chibi=${root}`]
  await expect(
    run(contextsCommand, ['title', 'default', 'x', ...at], { config: temp() }),
  ).rejects.toMatchObject({ code: 'read-only' })
  expect(fs.existsSync(path.join(root, 'titles.skein.json'))).toBe(false)
})
