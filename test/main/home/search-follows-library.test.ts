import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openHomeSearch } from '../../../src/main/home/search'
import { openLibrary } from '../../../src/main/library/library'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { inlineWorkers } from '../../../src/main/search/workers'
import { openStore } from '../../../src/main/store/open-store'
import { countingDisk } from '../../support/counting-disk'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const names = Array.from({ length: 20 }, (_, n) => `talk-${n}`)

it('asks the disk for none of the conversations of which the library has just told that they are counted', async () => {
  const root = temp()
  const home = path.join(root, 'home')
  for (const name of names) {
    const folder = path.join(home, 'contexts', name, 'transcript')
    fs.mkdirSync(folder, { recursive: true })
    const line = {
      id: name,
      timestamp: 1,
      from: 'user',
      to: name,
      content: 'hazel',
      entry_type: 'message',
      role: 'user',
    }
    fs.writeFileSync(path.join(folder, 'active.jsonl'), `${JSON.stringify(line)}\n`)
  }
  let looked = 0
  const disk = countingDisk(nodeDisk, (_call, name, folder) => {
    if (name === 'list' && names.some((one) => folder.includes(one))) looked++
  })
  const told: string[] = []
  let followed = 0
  const library = openLibrary({
    disk,
    store: openStore({ home, disk }),
    shownHome: '~/home',
    watched: false,
    isRunning: () => false,
    changed(change) {
      told.push(...change.conversations.map(({ key }) => key))
      search.changed(change)
    },
  })
  const search = openHomeSearch({
    disk,
    library,
    cacheFolder: path.join(root, 'cache'),
    workers: inlineWorkers(disk, searchDecoders),
    tellIndex({ building }) {
      if (!building) followed++
    },
    note: (words) => expect.unreachable(words),
  })
  await library.list(undefined, 50)
  search.buildInBackground()
  await expect.poll(() => followed).toBe(1)
  const lookedFirst = looked
  expect(lookedFirst).toBeGreaterThanOrEqual(names.length)

  await library.countAll(1_000_000, new AbortController().signal)
  await expect.poll(() => followed).toBeGreaterThan(1)

  expect(new Set(told).size).toBe(names.length)
  expect(looked).toBe(lookedFirst)
  const { hits } = await search.query('hazel', { limit: 100 })
  expect(hits.length).toBe(names.length)
  await search.close()
  await library.close()
})
