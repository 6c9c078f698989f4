import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openTitles } from '../../../../src/main/library/families/titles'
import { openStore } from '../../../../src/main/store/open-store'
import { writeTitleFile } from '../../../../src/main/store/registry/title-file-bytes'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { withoutTag, withTag } from '../../../../src/shared/model/conversation/tag'
import { checkHome } from '../../../support/chibi-checker/home'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const key = LibraryKey.parse

/** A home with the context `garden`, green and hidden, and a fresh look at its row. */
async function hiddenGreen() {
  const home = path.join(temp(), 'chibi')
  const userFolder = temp()
  const store = openStore({ home, disk: nodeDisk })
  const titles = openTitles({ disk: nodeDisk, home, userFolder })
  const make = async (name: string) => (await store.openWriter(name, { create: true })).close()
  await make('garden')
  await titles.setColor(key('garden'), 'green')
  await titles.setHidden(key('garden'), true)
  const row = async (name: string) => {
    await titles.look()
    return [titles.colorOf(key(name)), titles.isHidden(key(name))]
  }
  const file = path.join(home, 'titles.skein.json')
  const stored = () => JSON.parse(fs.readFileSync(file, 'utf8'))
  return { home, userFolder, store, titles, make, row, file, stored }
}

it('colour and hiding stay whatever becomes of title, tags and pin, and they whatever becomes of those', async () => {
  const { home, titles, row } = await hiddenGreen()
  await titles.give(key('garden'), { title: 'Tulips', by: 'person', at: 1 })
  await titles.changeTags(key('garden'), (now) => withTag(now, 'Spring'))
  await titles.setPinned(key('garden'), true)
  expect(await row('garden')).toEqual(['green', true])
  await titles.setColor(key('garden'), 'red')
  await titles.setHidden(key('garden'), false)
  expect(await row('garden')).toEqual(['red', false])
  expect(titles.of(key('garden'))?.title).toBe('Tulips')
  expect([titles.tagsOf(key('garden')), titles.isPinned(key('garden'))]).toEqual([['Spring'], true])
  await titles.give(key('garden'), undefined)
  await titles.changeTags(key('garden'), (now) => withoutTag(now, 'Spring'))
  await titles.setPinned(key('garden'), false)
  expect(await row('garden')).toEqual(['red', false])
  expect(checkHome(home)).toEqual([])
})

it('what is taken away leaves nothing behind', async () => {
  const { titles, stored } = await hiddenGreen()
  await titles.setColor(key('garden'), undefined)
  await titles.setHidden(key('garden'), false)
  expect(stored()).toEqual({ titles: [] })
})

it('they go along with a new name, and with their context into the trash and back', async () => {
  const { home, store, make, row } = await hiddenGreen()
  await store.contexts.rename('garden', 'allotment')
  expect(await row('allotment')).toEqual(['green', true])
  await make('garden')
  expect(await row('garden')).toEqual([undefined, false])
  const trash = path.join(temp(), 'trash')
  await store.contexts.destroy('allotment', async (folder) => fs.renameSync(folder, trash))
  expect(await row('allotment')).toEqual([undefined, false])
  fs.renameSync(trash, path.join(home, 'contexts', 'back'))
  expect(await row('back')).toEqual(['green', true])
  await (await store.openWriter('back', { create: false })).close()
  expect(await row('back')).toEqual(['green', true])
})

it('a Skein that knows no colours leaves them as they are, whatever it gives', async () => {
  const { titles, row, file, stored } = await hiddenGreen()
  await titles.setPinned(key('garden'), true)
  // As an older one writes it: items of titles have the members that it knows, and other keys of the file stay.
  const { titles: items, ...others } = stored()
  const older = items.map(({ key: of, by, at, pinned, created_at }: Record<string, unknown>) => ({
    ...{ key: of, by, at, pinned, created_at },
    title: 'Beds',
  }))
  fs.writeFileSync(file, JSON.stringify({ ...others, titles: older }))
  expect(await row('garden')).toEqual(['green', true])
  expect(titles.of(key('garden'))?.title).toBe('Beds')
})

it('a bad item costs itself alone, and a list that is none is left as it is', async () => {
  const { titles, row, file, stored } = await hiddenGreen()
  const rows = [null, { key: 'garden', color: 'loud', hidden: 1 }, ...stored().rows, { key: 1 }]
  fs.writeFileSync(file, JSON.stringify({ titles: [], rows }))
  expect(await row('garden')).toEqual(['green', true])
  await titles.setPinned(key('garden'), true)
  expect(stored().rows).toEqual(expect.arrayContaining([null, { key: 1 }]))
  fs.writeFileSync(file, JSON.stringify({ titles: [], rows: 'none' }))
  expect(await row('garden')).toEqual([undefined, false])
  await titles.setPinned(key('garden'), true)
  expect(stored().rows).toBe('none')
})

it("another system's conversation has them in the person's own folder; one that is not there cannot", async () => {
  const { userFolder, titles, row } = await hiddenGreen()
  await titles.setColor(key('cycod:one'), 'purple')
  expect(await row('cycod:one')).toEqual(['purple', false])
  expect(fs.readFileSync(path.join(userFolder, 'titles.json'), 'utf8')).toContain('"purple"')
  for (const change of [
    () => titles.setColor(key('gone'), 'red'),
    () => titles.setHidden(key('gone'), true),
  ])
    await expect(change()).rejects.toMatchObject({ code: 'not-found' })
})

/** As a Skein that knows no colours moves a context to the trash: what it knows goes along, and the row stays in the file. */
async function trashedByOlder(home: string, file: string, name: string) {
  const { titles: items, rows, ...others } = JSON.parse(fs.readFileSync(file, 'utf8'))
  const isIts = (item: { key?: unknown }) => item.key === name
  const folder = path.join(home, 'contexts', name)
  fs.writeFileSync(
    path.join(folder, 'title.skein.json'),
    JSON.stringify({ titles: items.filter(isIts) }),
  )
  const left = [
    ...items.filter((item: { key?: unknown }) => !isIts(item)),
    { key: name, in_folder: true },
  ]
  fs.writeFileSync(file, JSON.stringify({ ...others, titles: left, rows }))
  const state = path.join(home, 'state.json')
  const listed = JSON.parse(fs.readFileSync(state, 'utf8'))
  const without = (all: { name?: unknown }[]) => all.filter((one) => one.name !== name)
  fs.writeFileSync(state, JSON.stringify({ ...listed, contexts: without(listed.contexts) }))
  const trash = path.join(temp(), 'trash')
  fs.renameSync(folder, trash)
  return () => fs.renameSync(trash, folder)
}

describe('a context that an older Skein moved to the trash, and that comes back', () => {
  async function trashed() {
    const all = await hiddenGreen()
    const { home, titles, file } = all
    await titles.give(key('garden'), { title: 'Tulips', by: 'person', at: 1 })
    await titles.changeTags(key('garden'), (now) => withTag(now, 'Spring'))
    const bring = await trashedByOlder(home, file, 'garden')
    const given = async () => [
      titles.of(key('garden'))?.title,
      titles.tagsOf(key('garden')),
      ...(await all.row('garden')),
    ]
    return { ...all, bring, given }
  }
  const whole = ['Tulips', ['Spring'], 'green', true]

  it('has its title and tags beside its colour, before and after an act on it', async () => {
    const { titles, bring, given, row } = await trashed()
    bring()
    await row('garden')
    expect(await given()).toEqual(whole)
    await titles.setPinned(key('garden'), true)
    expect(await given()).toEqual(whole)
    await titles.setColor(key('garden'), 'red')
    expect(await given()).toEqual(['Tulips', ['Spring'], 'red', true])
  })

  it('has them once it is continued, which lists it with a new time', async () => {
    const { home, store, bring, given, row, stored } = await trashed()
    bring()
    const writer = await store.openWriter('garden', { create: false })
    await writer.close()
    const state = JSON.parse(fs.readFileSync(path.join(home, 'state.json'), 'utf8'))
    expect(state.contexts.map(({ name }: { name: string }) => name)).toEqual(['garden'])
    await row('garden')
    expect(await given()).toEqual(whole)
    expect(stored().titles[0].created_at).toBe(state.contexts[0].created_at)
    expect(fs.existsSync(path.join(home, 'contexts', 'garden', 'title.skein.json'))).toBe(false)
  })

  it('has them where it was listed again, with a new time, and never continued', async () => {
    const { home, titles, bring, given, row } = await trashed()
    bring()
    const state = path.join(home, 'state.json')
    const listed = JSON.parse(fs.readFileSync(state, 'utf8'))
    const again = { name: 'garden', created_at: 9_999_999_999, last_activity_at: 9_999_999_999 }
    fs.writeFileSync(state, JSON.stringify({ ...listed, contexts: [again] }))
    await row('garden')
    expect(await given()).toEqual(whole)
    await titles.setPinned(key('garden'), true)
    expect(await given()).toEqual(whole)
  })

  it('takes all of it into the trash again, and brings it back', async () => {
    const { home, store, bring, given, row } = await trashed()
    bring()
    const trash = path.join(temp(), 'again')
    await store.contexts.destroy('garden', async (folder) => fs.renameSync(folder, trash))
    expect(await row('garden')).toEqual([undefined, false])
    fs.renameSync(trash, path.join(home, 'contexts', 'garden'))
    await row('garden')
    expect(await given()).toEqual(whole)
  })

  it('gives nothing to another one that is made with its name meanwhile', async () => {
    const { titles, make, given, row, home } = await trashed()
    await make('garden')
    const state = path.join(home, 'state.json')
    const listed = JSON.parse(fs.readFileSync(state, 'utf8'))
    listed.contexts[0].created_at = 9_999_999_999
    fs.writeFileSync(state, JSON.stringify(listed))
    await row('garden')
    expect(await given()).toEqual([undefined, [], undefined, false])
    await titles.setPinned(key('garden'), true)
    expect(await given()).toEqual([undefined, [], undefined, false])
  })
})

it('tens of thousands of rows are written in slices, in the form that JSON has', () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => ({ key: `garden-${n}`, color: 'green' }))
  for (const file of [{ titles: [], rows }, { titles: rows }, { others: rows, titles: [] }]) {
    const slices: number[] = []
    const work = writeTitleFile(file)
    let step = work.next()
    for (; step.done !== true; step = work.next()) slices.push(step.value)
    expect(Buffer.from(step.value).toString()).toBe(`${JSON.stringify(file, undefined, 1)}\n`)
    expect(slices.length).toBeGreaterThan(15)
    expect(Math.max(...slices)).toBeLessThan(512 * 1024)
  }
})
