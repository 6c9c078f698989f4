import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { countContext, countHistory } from '../../../../src/main/library/count/count'
import { countReading } from '../../../../src/main/library/count/count-by-reading'
import { inlineCounter } from '../../../../src/main/library/count/counter'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { historyRows } from '../../../../src/main/library/sources/history-transcript'
import { openStore } from '../../../../src/main/store/open-store'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const fixtures = path.resolve(import.meta.dirname, '../../../fixtures')
const tricky = path.join(fixtures, 'chibi/tricky')

const counter = inlineCounter(nodeDisk)

/** Every tricky transcript as a context of one home, beside the contexts of the homes of both eras. */
function homes(): readonly string[] {
  const home = path.join(folder(), 'home')
  for (const name of fs.readdirSync(tricky))
    fs.cpSync(path.join(tricky, name), path.join(home, 'contexts', name), { recursive: true })
  return [home, ...['home-v05', 'home-v09'].map((name) => path.join(fixtures, 'chibi', name))]
}

it('counts contexts of all eras and all damage as a reading of each line does', async () => {
  let compared = 0
  for (const home of homes()) {
    const store = openStore({ home, disk: nodeDisk })
    for (const listing of await store.listContexts()) {
      const reading = await countReading(await store.readWhole(listing.name))
      const { drift, ...counted } = await countContext(counter, store, listing)
      expect(counted, listing.name).toEqual(reading)
      const isStrange = listing.name === 'unknown-types'
      const names = isStrange ? ['thought_bubble', 'starred', 'x_app'] : []
      expect(
        (drift?.names ?? []).map(({ name }) => name),
        listing.name,
      ).toEqual(names)
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(15)
})

it("counts other systems' conversations as their reader tells them, wherever a file is cut", async () => {
  const root = path.join(folder(), 'cycod')
  fs.cpSync(path.join(fixtures, 'readers/cycod/input'), root, { recursive: true })
  const histories = openHistories(nodeDisk, [{ source: 'cycod', path: root }])
  const [first] = await histories.list()
  const file = path.join(root, first?.ref.files[0]?.file ?? '')
  const bytes = fs.readFileSync(file)
  for (let end = bytes.length; end > bytes.length - 60; end -= 7) {
    fs.writeFileSync(file, bytes.subarray(0, end))
    for (const history of await histories.list()) {
      const { drift, ...counted } = await countHistory(counter, nodeDisk, history)
      const reading = await countReading(historyRows(nodeDisk, history))
      expect(counted, `${history.key} cut at ${end}`).toEqual(reading)
      expect(drift).toBeDefined()
    }
  }
})

it('counts a file that was replaced since it was listed as it is now', async () => {
  const root = folder()
  const file = path.join(root, 'chat-history-1.jsonl')
  fs.writeFileSync(file, '{"role":"user","content":"one"}\n')
  const [history] = await openHistories(nodeDisk, [{ source: 'cycod', path: root }]).list()
  if (history === undefined) throw new Error('nothing was listed')
  fs.writeFileSync(
    `${file}.new`,
    '{"role":"user","content":"one"}\n{"role":"user","content":"2"}\n',
  )
  fs.renameSync(`${file}.new`, file)

  expect((await countHistory(counter, nodeDisk, history)).entries).toBe(2)
})
