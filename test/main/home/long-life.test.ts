import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { defaultRotationPolicy } from '../../../src/main/store/core/manifest'
import { openStore } from '../../../src/main/store/open-store'
import type { Store } from '../../../src/main/store/store'
import { requireWhole } from '../../../src/shared/model/conversation/reading'
import { skeinHere } from '../../cli/skein-here'
import { bundled } from '../../support/bundled'
import { trialsOf } from '../../support/drawn-alike'
import { message } from '../../support/entries'
import type { HeldMark } from '../../support/long-life-process'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

/** Rounds of the long one; `SKEIN_TRIALS=2000 npx vitest run test/main/home/long-life.test.ts` by hand. */
const rounds = trialsOf(6)
const temp = tempFolders(memoryFolder)
const run = promisify(execFile)
const longLife = bundled('test/support/long-life-process.ts')
const startMs = 1_780_000_000_000
const yearMs = 365 * 24 * 3600 * 1000

const storeAt = (home: string, disk: Disk = nodeDisk, now: () => number = () => startMs) =>
  openStore({
    home,
    disk,
    now,
    storagePolicy: async () => ({ ...defaultRotationPolicy, maxEntries: 20 }),
  })

async function append(store: Store, ...texts: readonly string[]): Promise<void> {
  const writer = await store.openWriter('garden', { create: !(await store.findContext('garden')) })
  try {
    for (const text of texts) await writer.append(message(text))
  } finally {
    await writer.close()
  }
}

async function contentsOf(store: Store): Promise<readonly string[]> {
  const contents: string[] = []
  for await (const row of requireWhole((await store.readWhole('garden')).rows))
    contents.push(row.type === 'entry' ? row.entry.content : `damaged: ${row.damaged.reason}`)
  return contents.filter((content) => content !== 'Context created')
}

/** Names in a home that only a change on its way has. */
const unfinished = (home: string) =>
  fs
    .readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tmp\.\d+$|moved-|\.lock|gate|compacting|\.state\.skein/.test(name))

it(`holds no more after ${rounds} rounds of writing, following, searching, exporting, compacting and clearing than after the first`, async () => {
  const folder = temp()
  const { stdout } = await run(process.execPath, [longLife(), folder, String(rounds)])
  const { written, marks }: { readonly written: number; readonly marks: readonly HeldMark[] } =
    JSON.parse(stdout)
  if (process.env.SKEIN_TRIALS !== undefined) console.info(stdout)
  expect(marks).toHaveLength(3)
  const counts = marks.map(({ files, timers, watchers }) => ({ files, timers, watchers }))
  for (const one of counts) expect(one).toEqual(counts[0])
  expect(counts[0]).toMatchObject({ timers: 0, watchers: 0 })
  const home = path.join(folder, 'chibi')
  expect(unfinished(home)).toEqual([])
  const contents = await contentsOf(storeAt(home))
  expect(contents.filter((text) => text.startsWith('leaf'))).toHaveLength(written)
})

describe('a clock that jumps', () => {
  it.each([
    ['back a year', -yearMs],
    ['forward a year', yearMs],
  ])('%s while a conversation is written loses no entry and no order', async (_, jumpMs) => {
    const home = path.join(temp(), 'chibi')
    let nowMs = startMs
    const store = storeAt(home, nodeDisk, () => nowMs)
    const texts = Array.from({ length: 50 }, (__, n) => `entry ${n}`)
    const writer = await store.openWriter('garden', { create: true })
    for (const [n, text] of texts.entries()) {
      if (n === 25) nowMs += jumpMs
      await writer.append(message(text, { timestamp: Math.floor(nowMs / 1000) }))
    }
    await writer.close()
    expect(await contentsOf(store)).toEqual(texts)
    await append(store, 'afterwards')
    expect((await contentsOf(store)).at(-1)).toBe('afterwards')
    expect((await store.verify('garden')).filter(({ ok }) => !ok)).toEqual([])
  })
})

it('a time zone that changes while it runs changes times that are shown, and nothing that is kept', async () => {
  const folder = temp()
  const home = path.join(folder, 'chibi')
  const store = storeAt(home)
  await append(store, 'noon')
  const files = () =>
    fs.readFileSync(path.join(home, 'contexts/garden/transcript/active.jsonl'), 'utf8')
  const before = files()
  const shownIn = async (zone: string) => {
    const environment = { HOME: folder, XDG_CACHE_HOME: path.join(folder, 'cache'), TZ: zone }
    return skeinHere(['show', 'garden', '--home', home], environment, { folder })
  }
  const [here, there] = [await shownIn('UTC'), await shownIn('Pacific/Auckland')]
  expect([here.code, there.code]).toEqual([0, 0])
  expect(there.out).toContain('noon')
  expect(there.out).not.toBe(here.out)
  expect(files()).toBe(before)
})

it('a disk that goes while a conversation is followed, and comes back, is said to be gone, and nothing is lost', async () => {
  const folder = temp()
  const home = path.join(folder, 'chibi')
  const store = storeAt(home)
  await append(store, 'before')
  let changes = 0
  const stop = store.watch('garden', () => {
    changes += 1
  })
  fs.renameSync(home, path.join(folder, 'elsewhere'))
  await expect(store.readPage('garden', 'end', 10)).rejects.toMatchObject({ code: 'not-found' })
  await expect(store.openWriter('garden', { create: false })).rejects.toMatchObject({
    code: 'not-found',
  })
  expect(await store.exists()).toBe(false)
  fs.renameSync(path.join(folder, 'elsewhere'), home)
  expect(await contentsOf(store)).toEqual(['before'])
  const then = changes
  await append(store, 'after')
  await expect.poll(() => changes).toBeGreaterThan(then)
  stop()
  expect(await contentsOf(store)).toEqual(['before', 'after'])
})

it('a home on a disk that takes no writes is read whole, says so to who writes, and is written to later', async () => {
  const home = path.join(temp(), 'chibi')
  await append(storeAt(home), 'before')
  const refuse = (at: string) => Promise.reject(new DiskError('denied', at, `${at}: read-only`))
  const disk: Disk = {
    ...nodeDisk,
    open: (at, mode, permissions) =>
      mode === 'read' ? nodeDisk.open(at, mode, permissions) : refuse(at),
    makeFolder: refuse,
    rename: (_, to) => refuse(to),
    link: (_, to) => refuse(to),
    unlink: refuse,
    removeFolder: refuse,
  }
  const store = storeAt(home, disk)
  expect((await store.listContexts()).map(({ name }) => name)).toEqual(['garden'])
  expect(await contentsOf(store)).toEqual(['before'])
  expect((await store.readPage('garden', 'end', 10)).rows).toHaveLength(2)
  await expect(store.openWriter('garden', { create: false })).rejects.toMatchObject({
    code: 'read-only',
  })
  await expect(store.contexts.rename('garden', 'shed')).rejects.toMatchObject({ code: 'read-only' })
  await append(storeAt(home), 'after')
  expect(await contentsOf(store)).toEqual(['before', 'after'])
})
