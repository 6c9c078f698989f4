import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { message } from '../../../support/entries'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)

/** What lies beside the partition of a conversation that was archived with these words among others. */
async function besidePartition(content: string) {
  const home = path.join(temp(), 'home')
  const notes: string[] = []
  const store = openStore({
    home,
    disk: nodeDisk,
    storagePolicy: async () => ({ ...defaultRotationPolicy, maxEntries: 3 }),
    noticed: (_, words) => void notes.push(words),
  })
  const writer = await store.openWriter('garden', { create: true })
  for (const each of ['a', content, 'b']) await writer.append(message(each, { timestamp: null }))
  await writer.close()
  const names = fs.readdirSync(path.join(home, 'contexts/garden/transcript/partitions'))
  return { names: names.map((name) => path.extname(name)).sort(), notes }
}

it('a partition gets a filter, but for one with a line that would take long to index', async () => {
  expect(await besidePartition('tulips '.repeat(1000))).toEqual({
    names: ['.bloom', '.jsonl'],
    notes: [],
  })
  expect(await besidePartition('tulips '.repeat(200_000))).toEqual({
    names: ['.jsonl'],
    notes: [],
  })
})
