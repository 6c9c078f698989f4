import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { type LabelStore, openLabels } from '../../../../src/main/library/families/labels'
import { openStore } from '../../../../src/main/store/open-store'
import type { Store } from '../../../../src/main/store/store'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { mostLabels } from '../../../../src/shared/model/conversation/entry-labels'
import { checkHome } from '../../../support/chibi-checker/home'
import { message } from '../../../support/entries'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const key = LibraryKey.parse
const entry = EntryId.parse
const red = (word: string) => ({ word, color: 'red' }) as const

describe('a label of a context', () => {
  let home: string
  let file: string
  let store: Store
  let labels: LabelStore
  let first: EntryId

  beforeEach(async () => {
    home = path.join(temp(), 'chibi')
    file = path.join(home, 'labels.skein.json')
    store = openStore({ home, disk: nodeDisk })
    labels = openLabels({ disk: nodeDisk, home, userFolder: temp(), now: () => 7000 })
    first = await make('garden')
  })

  async function make(name: string): Promise<EntryId> {
    const said = message(`Words of ${name}`, { to: name })
    const writer = await store.openWriter(name, { create: true })
    await writer.append(said)
    await writer.close()
    return said.id
  }
  async function wordOf(name: string, id: string = first) {
    await labels.look()
    return labels.index.of(key(name), id)?.word
  }
  const items = () => JSON.parse(fs.readFileSync(file, 'utf8')).labels

  it('is in a file of its own, with the word as one line, and replaces the one before', async () => {
    expect(await labels.set(key('garden'), first, { word: ' to\tdo ', color: 'blue' })).toBe(
      undefined,
    )
    expect(await labels.set(key('garden'), first, red('done'))).toMatchObject({ word: 'to do' })
    expect(labels.all).toEqual([{ key: 'garden', entry: first, word: 'done', color: 'red', at: 7 }])
    expect(items()).toHaveLength(1)
    expect(await labels.set(key('garden'), first, undefined)).toMatchObject(red('done'))
    expect(await labels.set(key('garden'), first, undefined)).toBeUndefined()
    expect(items()).toEqual([])
    expect(checkHome(home)).toEqual([])
  })

  it('is on every copy of the entry: of both names given to it the later one counts', async () => {
    await make('branch')
    await labels.set(key('garden'), first, red('plan'))
    expect(await wordOf('branch')).toBe('plan')
    await labels.set(key('branch'), first, red('better plan'))
    expect(await wordOf('garden')).toBe('better plan')
    expect(items()).toHaveLength(1)
    await labels.set(key('garden'), first, undefined)
    expect(await wordOf('branch')).toBeUndefined()
  })

  it('goes along with a new name, and another context of the old name has no part in it', async () => {
    const plain = entry('1')
    await labels.set(key('garden'), first, red('plan'))
    await labels.set(key('garden'), plain, red('first'))
    await store.contexts.rename('garden', 'allotment')
    expect(await wordOf('allotment')).toBe('plan')
    expect(await wordOf('allotment', plain)).toBe('first')
    await make('garden')
    expect(await wordOf('garden', plain)).toBeUndefined()
    expect(labels.index.givenIn(key('allotment'))).toHaveLength(2)
  })

  it('stays while its context is in the trash, on copies too, and is there when that comes back', async () => {
    const trash = path.join(temp(), 'trash')
    await labels.set(key('garden'), first, red('plan'))
    await store.contexts.destroy('garden', async (folder) => fs.renameSync(folder, trash))
    expect(await wordOf('branch')).toBe('plan')
    fs.renameSync(trash, path.join(home, 'contexts', 'back'))
    expect(await wordOf('back')).toBe('plan')
  })

  it('stays when the model starts fresh, and when a title is given by a Skein without labels', async () => {
    await labels.set(key('garden'), first, red('plan'))
    await store.contexts.clear('garden', { hooks: async () => undefined })
    // It knows no file of labels, and writes the titles as it knows them.
    fs.writeFileSync(
      path.join(home, 'titles.skein.json'),
      JSON.stringify({ titles: [{ key: 'garden', title: 'Tulips', by: 'person', at: 1 }] }),
    )
    expect(await wordOf('garden')).toBe('plan')
  })

  it('leaves what it does not know in the file, and reads the rest of a bad file', async () => {
    const unknown = { key: 'garden', entry: first, word: 'plan', color: 'mauve', at: 1, note: [1] }
    const strange = ['x', { key: 'garden' }, { ...unknown, entry: 'b', word: '\u200b' }]
    const other = { ...unknown, entry: 'c', word: 'a\u202eb', note: undefined }
    fs.writeFileSync(file, JSON.stringify({ version: 2, labels: [...strange, unknown, other] }))
    await labels.look()
    expect(labels.all.map(({ word, color }) => [word, color])).toEqual([
      ['plan', 'blue'],
      ['a b', 'blue'],
    ])
    await labels.set(key('garden'), first, red('plan'))
    await labels.set(key('garden'), entry('d'), red('new'))
    const after = JSON.parse(fs.readFileSync(file, 'utf8'))
    expect(after.version).toBe(2)
    expect(after.labels.slice(0, 3)).toEqual(strange)
    expect(after.labels[3]).toMatchObject({ word: 'plan', color: 'red', note: [1] })
    expect(after.labels[4]).toEqual({
      key: 'garden',
      entry: 'c',
      word: 'a\u202eb',
      color: 'mauve',
      at: 1,
    })
    expect(after.labels[5]).toMatchObject({ entry: 'd', word: 'new' })
  })

  it('keeps a damaged file aside before it writes another', async () => {
    fs.writeFileSync(file, '{"labels": [')
    await labels.set(key('garden'), first, red('plan'))
    const aside = fs
      .readdirSync(home)
      .filter((name) => name.startsWith('labels.skein.json.damaged'))
    expect(aside.map((name) => fs.readFileSync(path.join(home, name), 'utf8'))).toEqual([
      '{"labels": [',
    ])
    expect(await wordOf('garden')).toBe('plan')
  })

  it('is refused where there is no word, no context or no room, and then writes nothing', async () => {
    for (const word of ['', ' \n', '\u200b', '\u3164', 'x'.repeat(41)])
      await expect(labels.set(key('garden'), first, red(word))).rejects.toMatchObject({
        code: 'bad-argument',
        message: 'A label has 1 to 40 visible characters.',
      })
    await expect(labels.set(key('nowhere'), first, red('x'))).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(fs.existsSync(file)).toBe(false)
    const full = Array.from({ length: mostLabels }, (_, n) => ({
      key: 'garden',
      entry: `e${n}`,
      ...red('x'),
    }))
    fs.writeFileSync(file, JSON.stringify({ labels: full }))
    const before = fs.readFileSync(file, 'utf8')
    await expect(labels.set(key('garden'), first, red('x'))).rejects.toMatchObject({
      code: 'bad-argument',
    })
    expect(fs.readFileSync(file, 'utf8')).toBe(before)
    // One that is there can still be changed.
    await labels.set(key('garden'), entry('e1'), red('y'))
    expect(items()).toHaveLength(mostLabels)
  })
})

it('an id of another system means an entry of its own conversation', async () => {
  const userFolder = temp()
  const labels = openLabels({ disk: nodeDisk, home: undefined, userFolder })
  await labels.set(key('cycod:one'), entry('L3'), red('plan'))
  expect(labels.index.of(key('cycod:one'), 'L3')?.word).toBe('plan')
  expect(labels.index.of(key('cycod:two'), 'L3')).toBeUndefined()
  expect(fs.readdirSync(userFolder)).toEqual(['labels.json'])
})

it('keeps every label that two windows give at once', async () => {
  const userFolder = temp()
  const open = () => openLabels({ disk: nodeDisk, home: undefined, userFolder })
  const both = [open(), open()]
  const ids = Array.from({ length: 10 }, (_, n) => entry(`L${n}`))
  await Promise.all(ids.map((id, n) => both[n % 2]?.set(key('cycod:one'), id, red(`w${n}`))))
  const after = open()
  await after.look()
  expect(after.all.map(({ entry: id }) => id).sort()).toEqual(ids)
})
