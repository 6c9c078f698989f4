import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { compactWindow } from '../../../../src/main/store/context-window/compact'
import { readAsOf } from '../../../../src/main/store/context-window/read-as-of'
import { readContextWindow } from '../../../../src/main/store/context-window/read-window'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import type { Entry, EntryId } from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { jsonLine, message } from '../../../support/entries'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
let home: string
beforeEach(() => {
  home = temp()
})
const place = () => ({ disk: nodeDisk, home, name: 'garden' })

function store(maxEntries: number) {
  const storagePolicy = async () => ({ ...defaultRotationPolicy, maxEntries })
  return openStore({ home, disk: nodeDisk, storagePolicy })
}

async function all(entries: AsyncIterable<Entry>): Promise<string[]> {
  const words: string[] = []
  for await (const { content } of entries) words.push(content)
  return words
}

it.each([4, 100])(
  'has the window as it was before each entry, through compactions, and rotations after %i',
  async (most) => {
    const windows: [EntryId, string[]][] = []
    const ids: EntryId[] = []
    const wordsNow = async () =>
      (await readContextWindow(nodeDisk, home, 'garden', 'refuse')).map(({ content }) => content)
    for (let n = 1; n <= 24; n++) {
      const writer = await store(most).openWriter('garden', { create: n === 1 })
      const entry = message(`words ${n}`)
      windows.push([entry.id, await wordsNow()])
      await writer.append(entry)
      ids.push(entry.id)
      if (n % 7 === 0) {
        const kept = ids.slice(-5, -1)
        const window = { summary: `until ${n}`, replacesSummary: true, kept, metadata: {} }
        await compactWindow({ disk: nodeDisk, home, writer, now: Date.now }, window)
      }
      await writer.close()
    }
    const folder = path.join(home, 'contexts/garden/transcript/partitions')
    const partitions = fs.existsSync(folder) ? fs.readdirSync(folder) : []
    expect(partitions.length > 3).toBe(most === 4)
    for (const [id, then] of windows) {
      const seen = await readAsOf(place(), id, async (moment) => ({
        window: (await moment.window('refuse')).map(({ content }) => content),
        before: await all(requireWhole(moment.before())),
        entry: moment.entry.content,
        after: await all(requireWhole(moment.after())),
      }))
      expect(seen.window).toEqual(then)
      const whole = [...seen.before.reverse(), seen.entry, ...seen.after]
      expect(whole.filter((words) => words.startsWith('words'))).toEqual(
        ids.map((_, index) => `words ${index + 1}`),
      )
    }
  },
)

it('looks again where a rotation moves the file in between', async () => {
  const writer = await store(100).openWriter('garden', { create: true })
  const entries = ['one', 'two', 'three'].map((text) => message(text))
  for (const entry of entries) await writer.append(entry)
  await writer.close()
  let looks = 0
  const words = await readAsOf(place(), entries[2]?.id as EntryId, async (moment) => {
    looks += 1
    if (looks === 1) {
      const next = await store(2).openWriter('garden', { create: false })
      await next.append(message('four'))
      await next.close()
      expect(
        fs.readdirSync(path.join(home, 'contexts/garden/transcript/partitions')),
      ).not.toHaveLength(0)
    }
    return (await moment.window('refuse')).map(({ content }) => content)
  })
  expect(words).toEqual(['Context created', 'one', 'two'])
  expect(looks).toBe(2)
})

it('finds entries that stand on one line, and those of a document', async () => {
  const folder = path.join(home, 'contexts/garden/transcript')
  fs.mkdirSync(folder, { recursive: true })
  const [a, b, c] = ['a', 'b', 'c'].map((id) => jsonLine({ id, content: id }))
  fs.writeFileSync(path.join(folder, 'active.jsonl'), `${a}\n${b}${c}\n`)
  const look = (id: string) =>
    readAsOf(place(), id as EntryId, async (moment) => [
      (await moment.window('refuse')).map(({ content }) => content),
      await all(requireWhole(moment.before())),
      await all(requireWhole(moment.after())),
    ])
  expect(await look('c')).toEqual([['a', 'b'], ['b', 'a'], []])
  expect(await look('b')).toEqual([['a'], ['a'], ['c']])

  const old = path.join(home, 'contexts/old')
  fs.mkdirSync(old, { recursive: true })
  const messages = ['x', 'y', 'z'].map((content) => ({ role: 'user', content }))
  const document = { name: 'old', messages, created_at: 1, updated_at: 2, summary: '' }
  fs.writeFileSync(path.join(old, 'context.json'), JSON.stringify(document))
  const found: Entry[] = []
  for await (const row of requireWhole((await store(9).readWhole('old')).rows))
    if (row.type === 'entry') found.push(row.entry)
  expect(found.map(({ content }) => content)).toEqual(['x', 'y', 'z'])
  const moment = await readAsOf(
    { ...place(), name: 'old' },
    found[1]?.id as EntryId,
    async (one) => [
      (await one.window('refuse')).map(({ content }) => content),
      await all(requireWhole(one.before())),
      await all(requireWhole(one.after())),
    ],
  )
  expect(moment).toEqual([['x'], ['x'], ['z']])
})

it('says of what is not there that it is not', async () => {
  const nothing = async () => undefined
  for (const name of ['garden', '../garden'])
    await expect(readAsOf({ ...place(), name }, 'a' as EntryId, nothing)).rejects.toMatchObject({
      code: 'not-found',
    })
})
