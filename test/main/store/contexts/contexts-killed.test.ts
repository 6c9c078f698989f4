import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createRandom } from '../../../../bench/support/random'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openStore } from '../../../../src/main/store/open-store'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { drawnSeed } from '../../../support/drawn-alike'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { storeWorkers } from '../../../support/workers'

const temp = tempFolders(memoryFolder)
const startWorker = storeWorkers()
/** More by hand: `SKEIN_TRIALS=100 npx vitest run test/main/store/contexts/contexts-killed.test.ts` */
const rounds = Number(process.env.SKEIN_TRIALS ?? 6)

it('a process that is killed while it renames, archives and clears leaves one whole context', async () => {
  const home = temp()
  const store = openStore({ home, disk: nodeDisk })
  await (await store.openWriter('garden', { create: true })).close()
  const later = openStore({ home, disk: nodeDisk, now: () => Date.now() + 60_000 })
  const random = createRandom(drawnSeed)
  const durable: unknown[] = []
  for (let round = 0; round < rounds; round++) {
    const worker = await startWorker()
    // Any moment is a good one; each round of acts changes the disk some hundred times.
    void worker.ask({ do: 'change-for-ever', home, killedAt: 60 + random.below(300) })
    await worker.closed
    durable.push(...worker.told.slice(1))

    const listed = await store.listContexts()
    expect(listed).toHaveLength(1)
    const name = listed[0]?.name ?? ''
    expect(['garden', 'allotment']).toContain(name)
    expect(fs.readdirSync(path.join(home, 'contexts'))).toEqual([name])
    const state = JSON.parse(fs.readFileSync(path.join(home, 'state.json'), 'utf8'))
    expect(state.contexts.map((one: { name: string }) => one.name)).toContain(name)
    // A lock that was just taken has nobody's name yet, and looks like chibi's for 45 seconds.
    const writer = await later.openWriter(name, { create: false, waitMs: 0 })
    await writer.close()
    const ids: unknown[] = []
    const { rows, ledgers } = await store.readWhole(name)
    for await (const row of requireWhole(rows)) if (row.type === 'entry') ids.push(row.entry.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(durable.filter((id) => !ids.includes(id))).toEqual([])
    expect(ledgers.flatMap(({ damaged }) => damaged)).toEqual([])
    expect((await store.verify(name)).filter(({ ok }) => !ok)).toEqual([])
  }
  expect(durable.length).toBeGreaterThanOrEqual(rounds)
})
