import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { defaultRotationPolicy } from '../../../src/main/store/core/manifest'
import { openStore } from '../../../src/main/store/open-store'
import type { Store } from '../../../src/main/store/store'
import { requireWhole } from '../../../src/shared/model/conversation/reading'
import { type Done, skeinHere } from '../../cli/skein-here'
import { trialsOf } from '../../support/drawn-alike'
import { message } from '../../support/entries'
import { heapBytes } from '../../support/held-bytes'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

/** Rounds of the long one; `SKEIN_TRIALS=2000 npx vitest run test/main/home/long-life.test.ts` by hand. */
const rounds = trialsOf(6)
const temp = tempFolders(memoryFolder)
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

/** What a process may hold more and more of: its open files, and what keeps its loop busy, by kind. */
function heldNow(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  const files = fs.existsSync('/proc/self/fd') ? fs.readdirSync('/proc/self/fd').length : 0
  return { files, timers: counts.Timeout ?? 0, watchers: counts.FSEventWrap ?? 0 }
}

/** The kinds of which more is held than before. */
function grown(now: ReturnType<typeof heldNow>, before: ReturnType<typeof heldNow>) {
  return Object.entries(now).filter(([kind, count]) => count > (before[kind] ?? 0))
}

/** Names in a home that only a change on its way has. */
const unfinished = (home: string) =>
  fs
    .readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tmp\.\d+$|moved-|\.lock|gate|compacting|\.state\.skein/.test(name))

it(`holds no more after ${rounds} rounds of writing, following, searching, exporting, compacting and clearing than after the first`, async () => {
  const folder = temp()
  const home = path.join(folder, 'chibi')
  const environment = { HOME: folder, XDG_CACHE_HOME: path.join(folder, 'cache'), TZ: 'UTC' }
  const skein = async (...argv: readonly string[]): Promise<Done> => {
    const done = await skeinHere([...argv, '--home', home], environment, { folder })
    expect([argv.join(' '), done.code, done.code === 0 ? '' : done.words]).toEqual([
      argv.join(' '),
      0,
      '',
    ])
    return done
  }
  const store = storeAt(home)
  let written = 0
  const playRound = async () => {
    let changes = 0
    await append(store, `begins ${written}`)
    const leaves = Array.from({ length: 8 }, (_, n) => `leaf${written + n + 1} of the garden`)
    const stop = store.watch('garden', () => {
      changes += 1
    })
    await append(store, ...leaves)
    written += leaves.length
    await expect.poll(() => changes).toBeGreaterThan(0)
    stop()
    const found = await skein('search', `leaf${written}`, '--json')
    expect(found.out).toContain(`leaf${written} `)
    await skein('list', '--json')
    await skein('verify', 'garden')
    await skein('export', 'garden', '--format', 'md', '-o', path.join(folder, `${written}.md`))
    await skein('compact', 'garden', '--mode', 'drop')
    if (written % 16 === 0) await skein('contexts', 'clear', 'garden')
    fs.rmSync(path.join(folder, `${written}.md`))
  }
  const marks: { held: ReturnType<typeof heldNow>; heap: number }[] = []
  for (let round = 0; round < rounds; round++) {
    await playRound()
    // The first ones load what is loaded once.
    if (round !== 1 && round !== Math.floor(rounds / 2) && round !== rounds - 1) continue
    const first = marks[0]?.held
    // What was begun before this test may end meanwhile.
    if (first !== undefined) expect(grown(heldNow(), first)).toEqual([])
    marks.push({ held: heldNow(), heap: heapBytes() })
  }
  if (process.env.SKEIN_TRIALS !== undefined) console.info(JSON.stringify(marks))
  expect(marks).toHaveLength(3)
  expect(unfinished(home)).toEqual([])
  const contents = await contentsOf(store)
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
