import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { indexAmongListed } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { message } from '../../../support/entries'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const policy = {
  maxEntries: 2,
  maxAgeSeconds: 1e9,
  maxTokens: 1e9,
  bytesPerToken: 3,
  bloomFilters: true,
}

const listed = [
  { name: '100-200.jsonl', mtimeMs: 10 },
  { name: '300-400.jsonl', mtimeMs: 20 },
]

it.each([
  ['the newest by both', { name: '500-600.jsonl', mtimeMs: 30 }, 2],
  ['the newest, though its clock was set back', { name: '50-60.jsonl', mtimeMs: 30 }, 2],
  ['one that another program left between two others', { name: '210-220.jsonl', mtimeMs: 15 }, 1],
  ['the oldest', { name: '50-60.jsonl', mtimeMs: 5 }, 0],
  ['the newest by its name alone, as after a copy', { name: '500-600.jsonl', mtimeMs: 5 }, 2],
])('places %s', (_what, stray, index) => {
  expect(indexAmongListed(listed, stray)).toBe(index)
})

it('reads and adopts in the order of writing when the manifest misses the last rotation, whatever the clock said', async () => {
  const home = path.join(folder(), 'home')
  const store = openStore({ home, disk: nodeDisk, storagePolicy: async () => policy })
  const manifest = path.join(home, 'contexts/garden/transcript/manifest.json')
  const texts = ['one', 'two', 'three', 'four', 'five']
  const writer = await store.openWriter('garden', { create: true })
  let before = ''
  for (const [index, text] of texts.entries()) {
    // Each entry older than the one before.
    await writer.append(message(text, { timestamp: 1_000_000_000 - index * 1000 }))
    // The second rotation is the last that the manifest knows.
    if (text === 'three') before = await fs.readFile(manifest, 'utf8')
  }
  await writer.close()
  await fs.writeFile(manifest, before)
  const read = async () => {
    const page = await store.readPage('garden', 'end', 50)
    return page.rows.map((row) => (row.type === 'entry' ? row.entry.content : 'damaged'))
  }

  expect(await read()).toEqual(['Context created', ...texts])
  await (await store.openWriter('garden', { create: false })).close()
  expect(await read()).toEqual(['Context created', ...texts])
  const { partitions } = JSON.parse(await fs.readFile(manifest, 'utf8'))
  expect(partitions).toHaveLength(3)
})
