import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openTitles } from '../../../../src/main/library/families/titles'
import { openStore } from '../../../../src/main/store/open-store'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { withoutTag, withTag } from '../../../../src/shared/model/conversation/tag'
import { checkHome } from '../../../support/chibi-checker/home'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const key = LibraryKey.parse

/** A home with the context `garden`, pinned, and a fresh look at its pins. */
async function pinned() {
  const home = path.join(temp(), 'chibi')
  const userFolder = temp()
  const store = openStore({ home, disk: nodeDisk })
  const titles = openTitles({ disk: nodeDisk, home, userFolder })
  const make = async (name: string) => (await store.openWriter(name, { create: true })).close()
  await make('garden')
  await titles.setPinned(key('garden'), true)
  const isPinned = async (name: string) => {
    await titles.look()
    return titles.isPinned(key(name))
  }
  return { home, userFolder, store, titles, make, isPinned }
}

it('a pin stays whatever becomes of title and tags, and they whatever becomes of it', async () => {
  const { home, titles, isPinned } = await pinned()
  expect(titles.of(key('garden'))).toBeUndefined()
  await titles.give(key('garden'), { title: 'Tulips', by: 'person', at: 1 })
  await titles.changeTags(key('garden'), (now) => withTag(now, 'Spring'))
  await titles.give(key('garden'), undefined)
  await titles.changeTags(key('garden'), (now) => withoutTag(now, 'Spring'))
  expect(await isPinned('garden')).toBe(true)
  await titles.give(key('garden'), { title: 'Tulips', by: 'person', at: 1 })
  await titles.changeTags(key('garden'), (now) => withTag(now, 'Spring'))
  await titles.setPinned(key('garden'), false)
  expect(await isPinned('garden')).toBe(false)
  expect(titles.of(key('garden'))?.title).toBe('Tulips')
  expect(titles.tagsOf(key('garden'))).toEqual(['Spring'])
  expect(checkHome(home)).toEqual([])
})

it('a pin that is taken away leaves nothing behind', async () => {
  const { home, titles } = await pinned()
  await titles.setPinned(key('garden'), false)
  const { titles: left } = JSON.parse(fs.readFileSync(path.join(home, 'titles.skein.json'), 'utf8'))
  expect(left).toEqual([])
})

it('a pin goes along with a new name, and with its context into the trash and back', async () => {
  const { home, store, titles, make, isPinned } = await pinned()
  await titles.give(key('garden'), { title: 'Tulips', by: 'model', model: 'm', at: 1 })
  await store.contexts.rename('garden', 'allotment')
  expect(await isPinned('allotment')).toBe(true)
  await make('garden')
  expect(await isPinned('garden')).toBe(false)
  const trash = path.join(temp(), 'trash')
  await store.contexts.destroy('allotment', async (folder) => fs.renameSync(folder, trash))
  expect(await isPinned('allotment')).toBe(false)
  fs.renameSync(trash, path.join(home, 'contexts', 'back'))
  expect(await isPinned('back')).toBe(true)
  await (await store.openWriter('back', { create: false })).close()
  expect(await isPinned('back')).toBe(true)
  expect(fs.existsSync(path.join(home, 'contexts', 'back', 'title.skein.json'))).toBe(false)
})

it('a pin that came back joins what was given meanwhile under its name', async () => {
  const { home, store, titles, isPinned } = await pinned()
  const trash = path.join(temp(), 'trash')
  await store.contexts.destroy('garden', async (folder) => fs.renameSync(folder, trash))
  fs.renameSync(trash, path.join(home, 'contexts', 'garden'))
  fs.writeFileSync(
    path.join(home, 'titles.skein.json'),
    JSON.stringify({ titles: [{ key: 'garden', title: 'Beds', by: 'person', at: 1 }] }),
  )
  await (await store.openWriter('garden', { create: false })).close()
  expect(await isPinned('garden')).toBe(true)
  expect(titles.of(key('garden'))?.title).toBe('Beds')
})

it("another system's conversation is pinned in the person's own folder; one that is not there cannot be", async () => {
  const { userFolder, titles, isPinned } = await pinned()
  await titles.setPinned(key('cycod:one'), true)
  expect(await isPinned('cycod:one')).toBe(true)
  expect(fs.readFileSync(path.join(userFolder, 'titles.json'), 'utf8')).toContain('"pinned": true')
  await expect(titles.setPinned(key('nowhere'), true)).rejects.toMatchObject({ code: 'not-found' })
})

it('two writers of one conversation lose neither the pin nor the tag', async () => {
  const { home, userFolder, titles, isPinned } = await pinned()
  const other = openTitles({ disk: nodeDisk, home, userFolder })
  await Promise.all([
    titles.setPinned(key('cycod:one'), true),
    other.changeTags(key('cycod:one'), (now) => withTag(now, 'Spring')),
  ])
  expect(await isPinned('cycod:one')).toBe(true)
  expect(titles.tagsOf(key('cycod:one'))).toEqual(['Spring'])
})

it('a pin of another shape is none', async () => {
  const { home, isPinned } = await pinned()
  fs.writeFileSync(
    path.join(home, 'titles.skein.json'),
    JSON.stringify({
      titles: [{ key: 'garden', by: 'person', at: 1, tags: ['x'], pinned: 'yes' }],
    }),
  )
  expect(await isPinned('garden')).toBe(false)
})
