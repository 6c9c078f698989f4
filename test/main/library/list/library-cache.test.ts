import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openLibrary } from '../../../../src/main/library/library'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const family = path.join(__dirname, '../../../fixtures/branches/cycod-family')

/** Histories of which one conversation is gone, and the cache that alone knows it. */
async function withOneGone() {
  const root = temp()
  fs.cpSync(family, path.join(root, 'cycod'), { recursive: true, preserveTimestamps: true })
  const roots = [{ source: 'cycod' as const, path: path.join(root, 'cycod') }]
  const cacheFolder = path.join(root, 'cache')
  const look = async () => {
    const notes: string[] = []
    const library = openLibrary({
      disk: nodeDisk,
      store: undefined,
      shownHome: '',
      histories: openHistories(nodeDisk, roots),
      cacheFolder,
      note: (words) => notes.push(words),
      isRunning: () => false,
      changed: () => undefined,
      watched: false,
    })
    const rows = await library.all(true)
    const { items } = await library.lost()
    await library.close()
    return { rows, notes, gone: items.flatMap(({ kind, key }) => (kind === 'gone' ? [key] : [])) }
  }
  await look()
  const history = path.join(root, 'cycod/history')
  const [file = ''] = fs.readdirSync(history).sort()
  fs.rmSync(path.join(history, file))
  const before = await look()
  expect(before.gone).toEqual([`cycod:${path.parse(file).name}`])
  const [name = ''] = fs.readdirSync(path.join(cacheFolder, 'library'))
  const cache = path.join(cacheFolder, 'library', name)
  const lines = fs.readFileSync(cache, 'utf8').trimEnd().split('\n')
  const head = lines[0] ?? ''
  const gone = lines.find((line) => line.includes('"gone"')) ?? ''
  const others = lines.filter((line) => line !== head && line !== gone)
  const damage = (damaged: readonly string[]) => fs.writeFileSync(cache, damaged.join('\n'))
  return { look, before, head, gone, others, damage }
}

it('keeps what is gone of a damaged cache where its row is whole, reads the rest again, and says it once', async () => {
  const { look, before, head, gone, others, damage } = await withOneGone()
  const misread = others.map((line) => line.replace(/"title":"/, '"title":"Misread '))
  const [first = '', ...rest] = misread
  const damages: readonly (readonly [readonly string[], RegExp])[] = [
    [[head, gone, first.slice(0, 30), ...rest], /: 1 of its \d+ rows could not be read\. /],
    [[head, gone, ...rest, ''], /: 1 of its \d+ rows could not be read\. /],
    [[head, gone, ...rest, `${first}${first}`], /: 1 of its \d+ rows could not be read\. /],
    // Noise has line feeds, too: one row is gone.
    [
      [head, gone, '\u0001\n\u0002\n{\n\u0003', ...rest],
      /: 1 of its \d+ rows could not be read\. /,
    ],
    [
      [head.slice(9), gone, ...misread],
      /: its beginning cannot be read, and \d+ rows are whole\. /,
    ],
    [[gone, ...misread], /: its beginning cannot be read, and \d+ rows are whole\. /],
  ]
  for (const [lines, words] of damages) {
    damage(lines)
    const after = await look()
    expect(after.notes).toEqual([expect.stringMatching(words)])
    expect({ ...after, notes: [] }).toEqual(before)
    expect(await look()).toEqual(before)
  }
})

it('says that a row is missing which alone knew what is gone', async () => {
  const { look, before, head, others, damage } = await withOneGone()
  damage([head, ...others, ''])
  expect(await look()).toEqual({
    ...before,
    gone: [],
    notes: [
      expect.stringMatching(/1 of its \d+ rows could not be read\. Conversations that are gone/),
    ],
  })
  expect((await look()).notes).toEqual([])
})

it('takes one of another version for none, and says nothing', async () => {
  const { look, head, gone, others, damage } = await withOneGone()
  damage([head.replace(/"version":\d+/, '"version":1'), gone, ...others, ''])
  expect(await look()).toMatchObject({ gone: [], notes: [] })
})
