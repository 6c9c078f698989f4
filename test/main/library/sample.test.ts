import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { countTranscript } from '../../../src/main/library/count/count'
import { makeSampleLibrary } from '../../../src/main/library/sample'
import { openStore } from '../../../src/main/store/open-store'
import { requireWhole } from '../../../src/shared/model/conversation/reading'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()
const sample = path.resolve(import.meta.dirname, '../../../resources/sample')
const now = () => Date.UTC(2026, 5, 1, 12)

it('makes a dozen conversations or more, with one damaged line among them', async () => {
  const home = path.join(folder(), 'sample')
  await makeSampleLibrary(nodeDisk, sample, home, now)
  const store = openStore({ home, disk: nodeDisk })
  const contexts = await store.listContexts()
  let damaged = 0
  let entries = 0
  for (const { name } of contexts) {
    const count = await countTranscript(store, name)
    damaged += count.damaged
    entries += count.entries
  }

  expect(contexts.length).toBeGreaterThanOrEqual(12)
  expect(damaged).toBe(1)
  expect(entries).toBeGreaterThan(300)
})

it('dates every entry before now, so that the list looks lived in', async () => {
  const home = path.join(folder(), 'sample')
  await makeSampleLibrary(nodeDisk, sample, home, now)
  const store = openStore({ home, disk: nodeDisk })
  for (const { name } of await store.listContexts()) {
    const reading = await store.readWhole(name)
    let before = 0
    for await (const row of requireWhole(reading.rows)) {
      if (row.type === 'damaged') continue
      const time = row.entry.timestamp ?? 0
      expect(time).toBeGreaterThanOrEqual(before)
      expect(time * 1000).toBeLessThanOrEqual(now())
      before = time
    }
  }
})

it('leaves a library that is there as it is, with what was written into it', async () => {
  const home = path.join(folder(), 'sample')
  await makeSampleLibrary(nodeDisk, sample, home, now)
  await fs.writeFile(path.join(home, 'mine.txt'), 'mine')
  await makeSampleLibrary(nodeDisk, sample, home, now)

  expect(await fs.readFile(path.join(home, 'mine.txt'), 'utf8')).toBe('mine')
  expect(await fs.readdir(path.dirname(home))).toEqual(['sample'])
})
