import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { openSearch } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { libraryKeyOf } from '../../../src/shared/model/conversation/conversation'
import { conversation, lineOf, searchFile } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const folder = tempFolders(memoryFolder)

const whole = lineOf({ id: 'whole', content: 'the whole pear' })
const torn = lineOf({ id: 'torn', content: 'a torn pear, caf\u00e9\nand "tea"' })
const lines = [
  whole,
  torn.slice(0, -4).replace('\u00e9', '\\u00e9'),
  `noise of a pear ${whole.replaceAll('whole', 'glued')}rest`,
  '42',
  '\0\0\0\0',
  '',
]

async function openOver(decoder: string, text: readonly string[]) {
  const where = folder()
  const file = path.join(where, 'a.jsonl')
  fs.writeFileSync(file, text.map((line) => `${line}\n`).join(''))
  const workers = inlineWorkers(nodeDisk, searchDecoders)
  const cacheFolder = `${where}/cache`
  const search = openSearch({ disk: nodeDisk, decoders: searchDecoders, cacheFolder, workers })
  const one = conversation('c', [file], { title: '' })
  await search.update([{ ...one, files: [searchFile(file, { decoder })] }])
  const found = async (query: string) =>
    (await search.run(query)).hits
      .map(({ field, line, entryId, offset, length }) => ({ field, line, entryId, offset, length }))
      .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.field < b.field ? -1 : 1))
  return { search, found }
}

const placeOf = (line: number) => {
  const before = lines.slice(0, line - 1).map((one) => Buffer.byteLength(one) + 1)
  return {
    offset: before.reduce((sum, bytes) => sum + bytes, 0),
    length: Buffer.byteLength(lines[line - 1] ?? ''),
  }
}

const damaged = (line: number) => ({ field: 'damaged', entryId: null, line, ...placeOf(line) })
const content = (line: number, entryId: string) => ({
  field: 'content',
  entryId,
  line,
  ...placeOf(line),
})

it('finds what a damaged line has, at its place, and each record on it once', async () => {
  const { search, found } = await openOver('chibi', lines)
  for (const isBuilt of [false, true]) {
    if (isBuilt) await search.buildIndex({ all: true })
    expect(await found('pear')).toEqual([
      content(1, 'whole'),
      damaged(2),
      content(3, 'glued'),
      damaged(3),
    ])
    expect(await found('"glued pear"')).toEqual([content(3, 'glued')])
    expect(await found('"noise of"')).toEqual([damaged(3)])
    expect(await found('caf\u00e9')).toEqual([damaged(2)])
    expect(await found('"and \\"tea"')).toEqual([damaged(2)])
    expect(await found('42 type:damaged')).toEqual([damaged(4)])
    expect(await found('type:damaged')).toEqual([damaged(2), damaged(3), damaged(4)])
    expect(await found('pear -type:damaged')).toHaveLength(2)
  }
  await search.close()
})

it('finds a damaged line of another system', async () => {
  const record = JSON.stringify({
    type: 'user',
    uuid: 'u1',
    sessionId: 's',
    message: { role: 'user', content: 'a ripe plum' },
  })
  const { search, found } = await openOver('claude-code', [record, record.slice(0, -3)])
  const [first, second, ...more] = await found('plum')
  expect([first?.field, first?.line, second?.field, second?.line, more]).toEqual([
    'content',
    1,
    'damaged',
    2,
    [],
  ])
  await search.close()
})

it('leaves a damaged line out of the places of a scope, which are entries', async () => {
  const { search } = await openOver('chibi', lines)
  const { total, places } = await search.run('pear', {
    scope: { conversations: [libraryKeyOf('chibi', 'c')] },
  })
  expect(total).toBe(4)
  expect(places?.flatMap(({ entries }) => entries)).toEqual(['whole', 'glued'])
  await search.close()
})
