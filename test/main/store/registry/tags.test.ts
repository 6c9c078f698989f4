import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openTitles } from '../../../../src/main/library/families/titles'
import { openStore } from '../../../../src/main/store/open-store'
import type { TitleStore } from '../../../../src/main/store/registry/titles'
import type { Store } from '../../../../src/main/store/store'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { withoutTag, withTag } from '../../../../src/shared/model/conversation/tag'
import { checkHome } from '../../../support/chibi-checker/home'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const key = LibraryKey.parse
const tag = (text: string) => (now: readonly string[]) => withTag(now, text)

describe('a tag of a context', () => {
  let home: string
  let store: Store
  let titles: TitleStore

  beforeEach(async () => {
    home = path.join(temp(), 'chibi')
    store = openStore({ home, disk: nodeDisk })
    titles = openTitles({ disk: nodeDisk, home, userFolder: temp() })
    await make('garden')
    await titles.changeTags(key('garden'), tag('Spring'))
  })

  async function make(name: string) {
    await (await store.openWriter(name, { create: true })).close()
  }
  async function tagsOf(name: string) {
    await titles.look()
    return titles.tagsOf(key(name))
  }
  const model = { title: 'Tulips', by: 'model', model: 'some/model', at: 1 } as const

  it('decides nothing about the title, and stays whatever becomes of that', async () => {
    expect(titles.of(key('garden'))).toBeUndefined()
    // A model may still be asked, and is told that nothing stands there.
    const seen: unknown[] = []
    await titles.give(key('garden'), model, (now) => seen.push(now) > 0)
    expect(seen).toEqual([undefined])
    expect(titles.of(key('garden'))).toMatchObject(model)
    expect(await tagsOf('garden')).toEqual(['Spring'])
    await titles.give(key('garden'), undefined)
    expect(titles.of(key('garden'))).toBeUndefined()
    expect(await tagsOf('garden')).toEqual(['Spring'])
    await titles.give(key('garden'), model)
    await titles.changeTags(key('garden'), (now) => withoutTag(now, 'sPRING'))
    expect(await tagsOf('garden')).toEqual([])
    expect(titles.of(key('garden'))).toMatchObject(model)
    expect(checkHome(home)).toEqual([])
  })

  it('goes along with a new name, under which the title of a model does not', async () => {
    await titles.give(key('garden'), model)
    await store.contexts.rename('garden', 'allotment')
    expect(await tagsOf('allotment')).toEqual(['Spring'])
    expect(titles.of(key('allotment'))?.title).toBeNull()
    expect(await tagsOf('garden')).toEqual([])
    await make('garden')
    expect(await tagsOf('garden')).toEqual([])
  })

  it('goes with its context into the trash, and comes back under whatever name', async () => {
    const trash = path.join(temp(), 'trash')
    await store.contexts.destroy('garden', async (folder) => fs.renameSync(folder, trash))
    await make('garden')
    expect(await tagsOf('garden')).toEqual([])
    fs.renameSync(trash, path.join(home, 'contexts', 'back'))
    expect(await tagsOf('back')).toEqual(['Spring'])
    // Tags that are given before somebody writes there join it, and so do those after.
    await titles.changeTags(key('back'), tag('Bulbs'))
    expect(await tagsOf('back')).toEqual(['Spring', 'Bulbs'])
    await (await store.openWriter('back', { create: false })).close()
    expect(await tagsOf('back')).toEqual(['Spring', 'Bulbs'])
    expect(fs.existsSync(path.join(home, 'contexts', 'back', 'title.skein.json'))).toBe(false)
  })

  it('joins what was written in the file meanwhile', async () => {
    const trash = path.join(temp(), 'trash')
    await store.contexts.destroy('garden', async (folder) => fs.renameSync(folder, trash))
    fs.renameSync(trash, path.join(home, 'contexts', 'garden'))
    fs.writeFileSync(
      path.join(home, 'titles.skein.json'),
      JSON.stringify({ titles: [{ key: 'garden', by: 'person', at: 1, tags: ['Bulbs'] }] }),
    )
    await (await store.openWriter('garden', { create: false })).close()
    expect(await tagsOf('garden')).toEqual(['Bulbs', 'Spring'])
  })

  it('is refused for one that is not there, and writes nothing', async () => {
    const before = fs.readFileSync(path.join(home, 'titles.skein.json'), 'utf8')
    await expect(titles.changeTags(key('nowhere'), tag('x'))).rejects.toMatchObject({
      code: 'not-found',
    })
    await titles.changeTags(key('garden'), tag('SPRING'))
    expect(fs.readFileSync(path.join(home, 'titles.skein.json'), 'utf8')).toBe(before)
  })

  it('is a plain line, each once, whatever the file holds', async () => {
    const tags = ['a\u202eb', 'Ab', 'aB', 7, '', '\u3164', 'x'.repeat(41), 'a\u00adb', '👩‍🌾']
    fs.writeFileSync(
      path.join(home, 'titles.skein.json'),
      JSON.stringify({ titles: [{ key: 'garden', by: 'person', at: 1, tags }] }),
    )
    expect(await tagsOf('garden')).toEqual(['a b', 'Ab', '👩‍🌾'])
  })
})

it('keeps every tag that two windows give at once', async () => {
  const userFolder = temp()
  const open = () => openTitles({ disk: nodeDisk, home: undefined, userFolder })
  const both = [open(), open()]
  const names = Array.from({ length: 10 }, (_, n) => `t${n}`)
  await Promise.all(names.map((name, n) => both[n % 2]?.changeTags(key('cycod:one'), tag(name))))
  const after = open()
  await after.look()
  expect([...after.tagsOf(key('cycod:one'))].sort()).toEqual(names)
})
