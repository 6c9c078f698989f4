import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/support/random'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { isTemporaryName } from '../../../src/main/disk/writing/atomic'
import { defaultRotationPolicy } from '../../../src/main/store/core/manifest'
import { acquireContextLock } from '../../../src/main/store/lock/context-lock'
import { inspectLock } from '../../../src/main/store/lock/lock-files'
import { openStore } from '../../../src/main/store/open-store'
import type { Entry } from '../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../src/shared/model/conversation/reading'
import { drawnSeed } from '../../support/drawn-alike'
import { memoryFolder, tempFolders } from '../../support/temp-folder'
import { storeWorkers } from '../../support/workers'

/** Races for one lock. 10,000 by hand: `SKEIN_TRIALS=10000 npx vitest run test/main/store/processes.test.ts` */
const races = Number(process.env.SKEIN_TRIALS ?? 30)

const temp = tempFolders(memoryFolder)
const onDisk = tempFolders()
const startWorker = storeWorkers()

const lockOptions = (folder: string, heartbeatSeconds = 30) => ({
  disk: nodeDisk,
  folder,
  now: Date.now,
  heartbeatSeconds,
})

async function entriesOf(home: string): Promise<Entry[]> {
  const entries: Entry[] = []
  const reading = await openStore({ home, disk: nodeDisk }).readWhole('garden')
  for await (const row of requireWhole(reading.rows))
    if (row.type === 'entry') entries.push(row.entry)
  return entries
}

/** The manifest adds up: each partition has as many lines as it says, and its sidecar. */
function expectWholeManifest(home: string, entries: readonly Entry[]): void {
  const transcript = path.join(home, 'contexts/garden/transcript')
  const manifest = JSON.parse(fs.readFileSync(path.join(transcript, 'manifest.json'), 'utf8'))
  const listed = manifest.partitions as { file: string; entry_count: number; bloom_file: string }[]
  const counts = listed.map(({ file }) => entries.filter((e) => e.file.endsWith(file)).length)
  expect(listed.map(({ entry_count }) => entry_count)).toEqual(counts)
  const active = entries.filter((entry) => entry.file.endsWith('active.jsonl')).length
  expect(counts.reduce((sum, count) => sum + count, active)).toBe(entries.length)
  const files = listed.flatMap(({ file, bloom_file }) => [
    path.basename(file),
    path.basename(bloom_file),
  ])
  // What a killed process was just writing is left under a name that every reader ignores.
  const names = fs.readdirSync(path.join(transcript, 'partitions'))
  expect(names.filter((name) => !isTemporaryName(name)).sort()).toEqual(files.sort())
}

describe('the lock among processes', () => {
  it(`is taken over by exactly one of eight when it is stale, ${races} times`, {
    timeout: 600_000 + races * 500,
  }, async () => {
    const workers = await Promise.all(Array.from({ length: 8 }, startWorker))
    const dead = await startWorker()
    const side = await deadSide(dead)
    const folder = temp()
    const winners: number[] = []
    for (let round = 0; round < races; round++) {
      leaveStaleLock(folder, round % 2 === 0 ? undefined : side)
      const answers = await Promise.all(
        workers.map((worker) => worker.ask({ do: 'take', folder, heartbeatSeconds: 30 })),
      )
      const taken = workers.filter((_, i) => answers[i] === 'taken')
      winners.push(taken.length)
      expect(answers.filter((answer) => answer !== 'taken' && answer !== 'locked')).toEqual([])
      for (const worker of taken) expect(await worker.ask({ do: 'check' })).toBe('ours')
      await Promise.all(taken.map((worker) => worker.ask({ do: 'release' })))
    }
    expect(winners).toEqual(Array.from({ length: races }, () => 1))
    // Every temporary and exclusive file is gone with its purpose.
    expect(fs.readdirSync(folder)).toEqual([])
  })

  it('is free at once for another Skein when its holder was killed', async () => {
    const folder = temp()
    const holder = await startWorker()
    expect(await holder.ask({ do: 'take', folder, heartbeatSeconds: 30 })).toBe('taken')
    expect(await inspectLock(lockOptions(folder))).toMatchObject({
      type: 'held',
      owner: { pid: holder.process.pid },
    })
    await expect(acquireContextLock({ ...lockOptions(folder), waitMs: 50 })).rejects.toMatchObject({
      code: 'locked',
      detail: `another Skein (process ${holder.process.pid})`,
    })
    await holder.kill()
    const lock = await acquireContextLock({ ...lockOptions(folder), waitMs: 0 })
    await lock.check()
    await lock.release()
    expect(fs.readdirSync(folder)).toEqual([])
  })

  it('is waited for while another Skein holds it', async () => {
    const folder = temp()
    const holder = await startWorker()
    await holder.ask({ do: 'take', folder, heartbeatSeconds: 30 })
    const waiting = acquireContextLock({ ...lockOptions(folder), waitMs: 600_000 })
    expect(await holder.ask({ do: 'check' })).toBe('ours')
    await holder.ask({ do: 'release' })
    await (await waiting).release()
  })

  it('is lost by a process that was suspended until it was stale', async () => {
    const folder = temp()
    const sleeper = await startWorker()
    await sleeper.ask({ do: 'take', folder, heartbeatSeconds: 1 })
    sleeper.process.kill('SIGSTOP')
    const options = lockOptions(folder, 1)
    await expect.poll(async () => (await inspectLock(options)).type).toBe('stale')
    const lock = await acquireContextLock({ ...options, waitMs: 0 })
    sleeper.process.kill('SIGCONT')
    expect(await sleeper.ask({ do: 'check' })).toBe('lock-lost')
    await sleeper.ask({ do: 'release' })
    await lock.check()
    await lock.release()
  })

  /** The side file of a process that is dead, without the lock it speaks of. */
  async function deadSide(worker: Awaited<ReturnType<typeof startWorker>>) {
    const folder = temp()
    await worker.ask({ do: 'take', folder, heartbeatSeconds: 30 })
    await worker.kill()
    return JSON.parse(fs.readFileSync(path.join(folder, '.lock.skein'), 'utf8'))
  }

  function leaveStaleLock(folder: string, side: object | undefined): void {
    const file = path.join(folder, '.lock')
    const value = Math.floor(Date.now() / 1000) - (side === undefined ? 46 : 0)
    fs.writeFileSync(file, String(value))
    if (side === undefined) return
    const { dev, ino } = fs.statSync(file)
    const locks = [{ identity: `${dev}:${ino}`, value }]
    fs.writeFileSync(path.join(folder, '.lock.skein'), JSON.stringify({ ...side, locks }))
  }
})

describe('appends among processes', () => {
  it('keeps 400 entries of two processes once each, in partitions that add up', async () => {
    const home = onDisk()
    await (await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: true })).close()
    const workers = await Promise.all([startWorker(), startWorker()])
    const done = await Promise.all(
      workers.map((worker, i) =>
        worker.ask({ do: 'bursts', home, count: 200, maxEntries: 10, prefix: `process ${i}` }),
      ),
    )
    expect(done).toEqual([200, 200])
    const entries = await entriesOf(home)
    const contents = entries.slice(1).map((entry) => entry.content)
    expect(entries.length).toBe(401)
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(401)
    for (const i of [0, 1])
      expect(contents.filter((text) => text.startsWith(`process ${i} `))).toEqual(
        Array.from({ length: 200 }, (_, n) => `process ${i} ${n}`),
      )
    expectWholeManifest(home, entries)
    const verdicts = await openStore({ home, disk: nodeDisk }).verify('garden')
    expect(verdicts.filter(({ ok }) => !ok)).toEqual([])
    expect(verdicts.filter(({ sealed }) => sealed).length).toBe(40)
  })

  it.each([false, true])(
    'keeps every entry that was told durable through kill -9 (partial answers: %s)',
    async (partial) => {
      const random = createRandom(drawnSeed)
      const home = temp()
      const policy = async () => ({ ...defaultRotationPolicy, maxEntries: 4 })
      const store = openStore({ home, disk: nodeDisk, storagePolicy: policy })
      await (await store.openWriter('garden', { create: true })).close()
      const told: unknown[] = []
      for (let round = 0; round < 5; round++) {
        const worker = await startWorker()
        // Any moment is a good one; a rotation comes after every few entries.
        const killedAt = 20 + random.below(300)
        void worker.ask({ do: 'append-for-ever', home, maxEntries: 4, partial, killedAt })
        await worker.closed
        told.push(...worker.told.slice(1))
      }
      // How many appends fit before a kill differs: a busy machine beats the lock between them, which are calls too.
      expect(told.length).toBeGreaterThan(12)
      await (await store.openWriter('garden', { create: false })).close()
      const entries = await entriesOf(home)
      const ids = entries.map((entry) => entry.id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(told.filter((id) => !ids.includes(id as Entry['id']))).toEqual([])
      expectWholeManifest(home, entries)
      expect((await store.verify('garden')).filter(({ ok }) => !ok)).toEqual([])
    },
  )
})
