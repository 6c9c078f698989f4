import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openTitles } from '../../../../src/main/library/families/titles'
import { openStore } from '../../../../src/main/store/open-store'
import {
  type GivenTitle,
  readTitles,
  updateTitles,
} from '../../../../src/main/store/registry/titles'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { checkHome } from '../../../support/chibi-checker/home'
import { atEveryCall } from '../../../support/every-call'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const person = (title: string | null): GivenTitle => ({ title, by: 'person', at: 10 })
const model = (title: string): GivenTitle => ({ title, by: 'model', model: 'some/model', at: 20 })
const set = (key: string, given: GivenTitle | undefined) => () => new Map([[key, given]])
const titleIn = async (file: string, key: string) => (await readTitles(nodeDisk, file)).get(key)

describe('a file of titles', () => {
  it('keeps who gave which, and when', async () => {
    const file = path.join(temp(), 'titles.json')
    expect((await readTitles(nodeDisk, file)).size).toBe(0)
    await updateTitles(nodeDisk, file, set('garden', person('Tulips')))
    await updateTitles(nodeDisk, file, set('cycod:a', model('Pruning')))
    await updateTitles(nodeDisk, file, set('__proto__', model('Nothing special')))
    expect(await titleIn(file, 'garden')).toMatchObject(person('Tulips'))
    expect(await titleIn(file, 'cycod:a')).toMatchObject(model('Pruning'))
    expect(await titleIn(file, '__proto__')).toMatchObject(model('Nothing special'))
    await updateTitles(nodeDisk, file, set('garden', undefined))
    expect(await titleIn(file, 'garden')).toBeUndefined()
  })

  it('keeps its form and what stands in it, also of tens of thousands', async () => {
    const file = path.join(temp(), 'titles.json')
    const items = Array.from({ length: 12_000 }, (_, n) => ({
      key: `garden-${n}`,
      ...person(`Tulips\n"${n}"`),
      more: [n, { a: [] }],
    }))
    const first = { titles: [7, ...items], note: { by: ['others'] }, last: 'ü' }
    fs.writeFileSync(file, JSON.stringify(first))
    expect((await readTitles(nodeDisk, file)).size).toBe(12_000)
    await updateTitles(nodeDisk, file, set('garden-0', model('Roses')))
    const titles = [
      ...first.titles.filter((_, at) => at !== 1),
      { key: 'garden-0', ...model('Roses') },
    ]
    expect(fs.readFileSync(file, 'utf8')).toBe(
      `${JSON.stringify({ ...first, titles }, undefined, 1)}\n`,
    )
    await updateTitles(nodeDisk, file, set('garden-1', undefined))
    expect((await readTitles(nodeDisk, file)).size).toBe(11_999)
  })

  it('is not made to say nothing', async () => {
    const folder = temp()
    const file = path.join(folder, 'titles.json')
    await updateTitles(nodeDisk, file, set('garden', undefined))
    await updateTitles(nodeDisk, file, () => new Map())
    expect(fs.readdirSync(folder)).toEqual([])
  })

  it('is kept beside the next one where it is damaged', async () => {
    const folder = temp()
    const file = path.join(folder, 'titles.json')
    fs.writeFileSync(file, '{"titles": [{"key": "garden", "tit')
    expect((await readTitles(nodeDisk, file)).size).toBe(0)
    await updateTitles(nodeDisk, file, set('kitchen', person('Bread')))
    expect(await titleIn(file, 'kitchen')).toMatchObject(person('Bread'))
    expect(fs.readFileSync(`${file}.damaged-1`, 'utf8')).toBe('{"titles": [{"key": "garden", "tit')
  })

  it('loses by a bad item that one alone, and keeps what it does not know', async () => {
    const file = path.join(temp(), 'titles.json')
    const strange = [
      7,
      { key: 'shed', title: 5, by: 'person', at: 1 },
      { key: 'barn', title: 'Hay', by: 'a ghost', at: 1 },
      { key: 'pond', title: 'Frogs', by: 'person', at: 1, created_at: 'long ago' },
    ]
    fs.writeFileSync(file, JSON.stringify({ later: true, titles: strange }))
    expect([...(await readTitles(nodeDisk, file)).keys()]).toEqual(['pond'])
    await updateTitles(nodeDisk, file, set('garden', person('Tulips')))
    const { later, titles } = JSON.parse(fs.readFileSync(file, 'utf8'))
    expect(later).toBe(true)
    expect(titles.slice(0, 4)).toEqual(strange)
  })

  it('gives nothing but one plain line, whoever wrote it', async () => {
    const file = path.join(temp(), 'titles.json')
    const items = [
      { key: 'a', title: `x\u202e\n${'y'.repeat(3000)}`, by: 'person', at: 1 },
      { key: 'b', title: '\u200b \u0007', by: 'person', at: 1 },
      { key: 'c', title: 'z'.repeat(5000), by: 'person', at: 1 },
    ]
    fs.writeFileSync(file, JSON.stringify({ titles: items }))
    const titles = await readTitles(nodeDisk, file)
    expect([...titles.keys()]).toEqual(['a'])
    expect(titles.get('a')?.title).toBe(`x ${'y'.repeat(197)}…`)
  })

  it.each([
    ['before', [person('Tulips'), model('Pruning')]],
    ['behind', [model('Pruning'), person('Tulips')]],
  ])('has the one of a person, where that stands %s one of a model', async (_, both) => {
    const file = path.join(temp(), 'titles.json')
    const titles = both.map((one) => ({ key: 'garden', ...one }))
    fs.writeFileSync(file, JSON.stringify({ titles }))
    expect(await titleIn(file, 'garden')).toMatchObject(person('Tulips'))
    await updateTitles(nodeDisk, file, set('garden', model('Crocuses')))
    expect(await titleIn(file, 'garden')).toMatchObject(model('Crocuses'))
  })

  it('holds the old titles or the new ones, wherever the disk fails for good', async () => {
    const calls = await atEveryCall({ fault: 'io', forEver: true }, async (disk) => {
      const file = path.join(temp(), 'titles.json')
      await updateTitles(nodeDisk, file, set('garden', person('Tulips')))
      const failed = await updateTitles(disk, file, set('garden', person('Crocuses'))).catch(
        (error: unknown) => error,
      )
      const title = (await titleIn(file, 'garden'))?.title
      if (failed === undefined) expect(title).toBe('Crocuses')
      else expect(['Tulips', 'Crocuses']).toContain(title)
    })
    expect(calls).toBeGreaterThan(3)
  })
})

describe('the title of a context', () => {
  async function homeWith(given: GivenTitle, disk = nodeDisk) {
    const home = temp()
    await (await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: true })).close()
    const file = path.join(home, 'titles.skein.json')
    await updateTitles(nodeDisk, file, set('garden', given))
    return { home, file, contexts: openStore({ home, disk }).contexts }
  }

  it('goes along with a new name where a person wrote it', async () => {
    const { home, file, contexts } = await homeWith(person('Tulips'))
    expect(checkHome(home)).toEqual([])
    await contexts.rename('garden', 'allotment')
    expect(await titleIn(file, 'garden')).toBeUndefined()
    expect(await titleIn(file, 'allotment')).toMatchObject(person('Tulips'))
  })

  it('gives way to a new name where a model gave it, for good', async () => {
    const { file, contexts } = await homeWith(model('Tulips'))
    await contexts.rename('garden', 'allotment')
    expect(await titleIn(file, 'garden')).toBeUndefined()
    expect(await titleIn(file, 'allotment')).toMatchObject({ title: null, by: 'person' })
  })

  it('goes with it to the trash', async () => {
    const { file, contexts } = await homeWith(person('Tulips'))
    await contexts.destroy('garden', async (folder) => fs.rmSync(folder, { recursive: true }))
    expect(await titleIn(file, 'garden')).toBeUndefined()
  })

  describe('that was sent to the trash', () => {
    /** A minute later: the folder was taken away with its lock in it. */
    const laterStore = (home: string) =>
      openStore({ home, disk: nodeDisk, now: () => Date.now() + 60_000 })

    /** As a file manager does it, with the name that the folder has then. */
    async function removed(given: GivenTitle) {
      const { home, file, contexts } = await homeWith(given)
      const trash = path.join(temp(), 'trash')
      await contexts.destroy('garden', async (folder) => fs.renameSync(folder, trash))
      const titles = openTitles({ disk: nodeDisk, home, userFolder: temp() })
      const titleOf = async (name: string) => {
        await titles.look()
        return titles.of(LibraryKey.parse(name))
      }
      const putBack = (name: string) => fs.renameSync(trash, path.join(home, 'contexts', name))
      return { home, file, titles, titleOf, putBack }
    }

    it.each([
      ['under its name', 'garden'],
      ['under another name', 'garden-from-trash'],
    ])('comes back with its folder %s, before anybody writes', async (_, name) => {
      const { home, titleOf, putBack, file } = await removed(person('Tulips'))
      expect(await titleOf('garden')).toBeUndefined()
      putBack(name)
      const before = fs.readFileSync(file, 'utf8')
      expect(await titleOf(name)).toMatchObject(person('Tulips'))
      expect(fs.readFileSync(file, 'utf8')).toBe(before)
      // From then on it is where titles are.
      await (await laterStore(home).openWriter(name, { create: false })).close()
      expect(await titleIn(file, name)).toMatchObject(person('Tulips'))
      expect(await titleOf(name)).toMatchObject(person('Tulips'))
      expect(fs.existsSync(path.join(home, 'contexts', name, 'title.skein.json'))).toBe(false)
    })

    it('comes back where chibi has listed the context before anybody looked', async () => {
      const { home, titleOf, putBack } = await removed(person('Tulips'))
      putBack('garden')
      fs.writeFileSync(
        path.join(home, 'state.json'),
        JSON.stringify({ contexts: [{ name: 'garden', created_at: 99 }] }),
      )
      expect(await titleOf('garden')).toMatchObject(person('Tulips'))
    })

    it('gives way to one that was given since, and to none', async () => {
      const { titles, titleOf, putBack } = await removed(person('Tulips'))
      putBack('garden')
      await titles.give(LibraryKey.parse('garden'), person('Crocuses'))
      expect(await titleOf('garden')).toMatchObject(person('Crocuses'))
      await titles.give(LibraryKey.parse('garden'), undefined)
      expect(await titleOf('garden')).toBeUndefined()
    })

    it('goes along with a new name', async () => {
      const { home, titleOf, putBack } = await removed(person('Tulips'))
      putBack('garden')
      await laterStore(home).contexts.rename('garden', 'allotment')
      expect(await titleOf('allotment')).toMatchObject(person('Tulips'))
    })

    it('is no title of another context that is made under its name', async () => {
      const { home, titleOf } = await removed(person('Tulips'))
      await (await laterStore(home).openWriter('garden', { create: true })).close()
      expect(await titleOf('garden')).toBeUndefined()
    })

    it('leaves no file in a folder that could not be taken away', async () => {
      const { home, contexts } = await homeWith(person('Tulips'))
      await contexts
        .destroy('garden', async () => {
          throw new Error('no trash')
        })
        .catch(() => undefined)
      expect(fs.existsSync(path.join(home, 'contexts/garden/title.skein.json'))).toBe(false)
      expect(await titleIn(path.join(home, 'titles.skein.json'), 'garden')).toMatchObject(
        person('Tulips'),
      )
    })

    it('is one line, whatever the file holds', async () => {
      const { home, titleOf, putBack } = await removed(person('Tulips'))
      putBack('garden')
      const file = path.join(home, 'contexts/garden/title.skein.json')
      for (const text of ['', '{', '[]', '{"titles":[{"key":1}]}', '\0\0'])
        fs.writeFileSync(file, text)
      expect(await titleOf('garden')).toBeUndefined()
      await (await laterStore(home).openWriter('garden', { create: false })).close()
    })
  })

  it('stands under the name that the context has, wherever a renaming is cut off', async () => {
    const calls = await atEveryCall({ fault: 'io', forEver: true }, async (disk) => {
      const { home, file, contexts } = await homeWith(person('Tulips'), disk)
      await contexts.rename('garden', 'allotment').catch(() => undefined)
      const [name = ''] = fs.readdirSync(path.join(home, 'contexts'))
      expect((await titleIn(file, name))?.title).toBe('Tulips')
    })
    expect(calls).toBeGreaterThan(10)
  })
})
