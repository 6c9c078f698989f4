import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { defaultRotationPolicy } from '../../../src/main/store/core/manifest'
import { openStore } from '../../../src/main/store/open-store'
import type { EntryDraft } from '../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../src/shared/model/conversation/reading'
import { message } from '../../support/entries'
import { atEveryCall } from '../../support/every-call'
import { type FaultPlan, type FaultyDisk, faultyDisk } from '../../support/faulty-disk'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const startMs = 1_780_000_000_000
/** A minute later any lock that was not given back is stale. */
const laterMs = startMs + 60_000

const faults: readonly FaultPlan[] = [
  { fault: 'no-space' },
  { fault: 'io' },
  { fault: 'done-then-io' },
  { fault: 'short-write' },
  { fault: 'io', forEver: true },
  { fault: 'short-write', forEver: true },
]

function storeAt(home: string, disk = nodeDisk, nowMs = startMs) {
  const policy = { ...defaultRotationPolicy, maxEntries: 3 }
  return openStore({ home, disk, now: () => nowMs, storagePolicy: async () => policy })
}

/** What a process that died holds is let go by its death; here the "dead" process is the test's own. */
function burySelf(home: string): void {
  for (const name of fs.readdirSync(home, { recursive: true, encoding: 'utf8' }))
    if (/\.skein-gate|\.state\.skein/.test(name)) fs.rmSync(path.join(home, name))
}

async function readAll(home: string) {
  const reading = await storeAt(home).readWhole('garden')
  const entries = []
  for await (const row of requireWhole(reading.rows))
    if (row.type === 'entry') entries.push(row.entry)
  for (const { lines, entryLines, blank, damaged } of reading.ledgers)
    expect(lines).toBe(entryLines + blank + damaged.length)
  return entries
}

describe.each(faults)('with $fault (for ever: $forEver) at any change of the disk', (plan) => {
  let base = ''
  beforeAll(async () => {
    base = fs.mkdtempSync(path.join(memoryFolder, 'skein-base-'))
    const writer = await storeAt(base).openWriter('garden', { create: true })
    await writer.append(message('before'))
    await writer.close()
    return () => fs.rmSync(base, { recursive: true, force: true })
  })

  it('appends and rotations lose nothing that was durable, and double nothing', async () => {
    const tried = await atEveryCall(plan, async (disk) => {
      const home = temp()
      fs.cpSync(base, home, { recursive: true })
      const durable = await appendSome(home, disk)
      burySelf(home)
      const writer = await storeAt(home, nodeDisk, laterMs).openWriter('garden', { create: false })
      await writer.append(message('after'))
      await writer.close()

      const entries = await readAll(home)
      const ids = entries.map(({ id }) => id)
      const contents = entries.map(({ content }) => content)
      expect(ids.length).toBe(new Set(ids).size)
      expect(contents.filter((text) => durable.includes(text))).toEqual(durable)
      expect([contents.slice(0, 2), contents.at(-1)]).toEqual([
        ['Context created', 'before'],
        'after',
      ])
      expectAddsUp(home, entries.length)
    })
    expect(tried).toBeGreaterThan(30)
  })

  it('a creation can be tried again, and leaves one anchor', async () => {
    const tried = await atEveryCall(plan, async (disk) => {
      const home = path.join(temp(), 'home')
      await storeAt(home, disk)
        .openWriter('garden', { create: true })
        .then((writer) => writer.close())
        .catch(() => {})
      if (fs.existsSync(home)) burySelf(home)
      const store = storeAt(home, nodeDisk, laterMs)
      const writer = await store
        .openWriter('garden', { create: true })
        .catch(() => store.openWriter('garden', { create: false }))
      await writer.append(message('after'))
      await writer.close()
      expect((await readAll(home)).map(({ content }) => content)).toEqual([
        'Context created',
        'after',
      ])
    })
    expect(tried).toBeGreaterThan(10)
  })

  /** Appends three entries; returns the contents of those that were told durable. */
  async function appendSome(home: string, disk: FaultyDisk): Promise<string[]> {
    const durable: string[] = []
    const writer = await storeAt(home, disk)
      .openWriter('garden', { create: false })
      .catch(() => undefined)
    for (const text of ['one', 'two', 'three']) {
      const draft: EntryDraft = message(text)
      await writer?.append(draft).then(
        () => durable.push(text),
        () => {},
      )
    }
    await writer?.close().catch(() => {})
    return durable
  }

  function expectAddsUp(home: string, entries: number): void {
    const transcript = path.join(home, 'contexts/garden/transcript')
    const manifest = JSON.parse(fs.readFileSync(path.join(transcript, 'manifest.json'), 'utf8'))
    const listed = manifest.partitions as { file: string; entry_count: number }[]
    const onDisk = fs
      .readdirSync(path.join(transcript, 'partitions'))
      .filter((n) => n.endsWith('.jsonl'))
    expect(listed.map(({ file }) => path.basename(file)).sort()).toEqual(onDisk.sort())
    const active = path.join(transcript, 'active.jsonl')
    const lines = fs.existsSync(active) ? fs.readFileSync(active, 'utf8').split('\n') : []
    const activeEntries = lines.filter((line) => line.endsWith('}')).length
    expect(listed.reduce((sum, { entry_count }) => sum + entry_count, activeEntries)).toBe(entries)
  }
})

describe('an append that failed', () => {
  it('says that the disk is full, and the next one reads the context again', async () => {
    const home = temp()
    const disk = faultyDisk(nodeDisk)
    const writer = await storeAt(home, disk).openWriter('garden', { create: true })
    disk.plan({ at: 1, fault: 'short-write' })
    await expect(writer.append(message('lost'))).rejects.toMatchObject({
      code: 'disk-full',
      message: 'The message entry was not saved: the disk is full.',
    })
    const { entry } = await writer.append(message('kept'))
    await writer.close()
    expect(entry.line).toBe(3)
    const page = await storeAt(home).readPage('garden', 'start', 10)
    expect(
      page.rows.map((row) => (row.type === 'entry' ? row.entry.content : row.damaged.line)),
    ).toEqual(['Context created', 2, 'kept'])
  })

  it('is not durable when the sync fails, whatever the file says', async () => {
    const home = temp()
    const disk = faultyDisk(nodeDisk)
    const writer = await storeAt(home, disk).openWriter('garden', { create: true })
    disk.plan({ at: 1, only: 'sync', fault: 'io' })
    await expect(writer.append(message('perhaps'))).rejects.toMatchObject({ code: 'io' })
    await writer.append(message('kept'))
    await writer.close()
    const window = fs.readFileSync(path.join(home, 'contexts/garden/context.jsonl'), 'utf8')
    // It stands in the file all the same, and the window is what the file says: it was read again.
    expect(
      window
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).content),
    ).toEqual(['perhaps', 'kept'])
  })
})
