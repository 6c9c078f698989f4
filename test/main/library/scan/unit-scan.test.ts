import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { ScanClock } from '../../../../src/main/library/scan/scan-clock'
import { type ScannedBook, unreadStamp } from '../../../../src/main/library/scan/scanned-book'
import { UnitScan } from '../../../../src/main/library/scan/unit-scan'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const largeBytes = 1024 * 1024

/** A clock that stands still until it is moved; moved to where the next one waits, it calls that. */
function handClock(): ScanClock & { pass(ms: number): void; waits(): readonly number[] } {
  let now = 0
  const waiting = new Set<{ readonly at: number; readonly call: () => void }>()
  const after = (ms: number, call: () => void) => {
    const one = { at: now + ms, call }
    waiting.add(one)
    return () => void waiting.delete(one)
  }
  return {
    now: () => now,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const drop = after(ms, resolve)
        signal.addEventListener('abort', () => {
          drop()
          resolve()
        })
      }),
    pass(ms) {
      now += ms
      for (const one of [...waiting].filter(({ at }) => at <= now)) {
        waiting.delete(one)
        one.call()
      }
    },
    /** How long each that waits still has to. */
    waits: () => [...waiting].map(({ at }) => at - now),
  }
}

/** A root of cycod's with a conversation for each name; a later name was changed later. */
function rootOf(...names: readonly string[]): string {
  const root = temp()
  fs.mkdirSync(path.join(root, 'history'))
  for (const name of names) write(root, name)
  return root
}

const fileOf = (root: string, name: string) =>
  path.join(root, 'history', `chat-history-${name}.jsonl`)

function write(root: string, name: string, bytes = 0): void {
  const line = JSON.stringify({ role: 'user', content: `${name}${'.'.repeat(bytes)}` })
  fs.appendFileSync(fileOf(root, name), `${line}\n`)
  fs.utimesSync(fileOf(root, name), 1_700_000_000, 1_700_000_000 + Number(name))
}

const keyOf = (name: string) => LibraryKey.parse(`cycod:chat-history-${name}`)

interface Scene {
  readonly scan: UnitScan
  readonly clock: ReturnType<typeof handClock>
  /** What the book heard, in order; conversations by their names. */
  readonly heard: string[]
  /** Names of those that the book knows. */
  known(): readonly string[]
}

/** A scan of one root, with a book that knows stamps alone. */
function sceneOf(
  root: string,
  {
    disk = nodeDisk,
    takesMs = 0,
    more = {},
    fails = () => false,
    before = async () => undefined,
  }: {
    disk?: Disk
    takesMs?: number
    more?: Partial<ScannedBook>
    fails?: (name: string) => boolean
    /** Done before one is read. */
    before?: (name: string) => Promise<void>
  } = {},
): Scene {
  const clock = handClock()
  const heard: string[] = []
  const stamps = new Map<LibraryKey, string>()
  const nameOf = (key: LibraryKey) => key.slice(keyOf('').length)
  const histories = openHistories(disk, [{ source: 'cycod', path: root }])
  const scan = new UnitScan(
    { disk, home: path.join(root, 'home'), histories, clock },
    {
      async begin(isFirst) {
        heard.push(isFirst ? 'begin first' : 'begin')
      },
      keys: () => stamps.keys(),
      stampOf: (key) => stamps.get(key),
      async read({ key, stamp }) {
        await before(nameOf(key))
        heard.push(`read ${nameOf(key)}`)
        clock.pass(takesMs)
        stamps.set(key, fails(nameOf(key)) ? unreadStamp : stamp)
      },
      forget(key) {
        heard.push(`forget ${nameOf(key)}`)
        stamps.delete(key)
      },
      async keep() {
        heard.push('keep')
      },
      changed: () => void heard.push('changed'),
      ...more,
    },
  )
  return { scan, clock, heard, known: () => [...stamps.keys()].map(nameOf).sort() }
}

/** Resolves when the scan waits for nothing but its clock. */
async function isQuiet({ scan, clock }: Scene): Promise<void> {
  await expect.poll(() => scan.progress.isDone || clock.waits().length > 0).toBe(true)
}

it('reads every conversation once, the newest first, then what changed, and drops what is gone', async () => {
  const root = rootOf('1', '2', '3')
  const { scan, heard } = sceneOf(root)
  expect(heard).toEqual([])
  await scan.settled()
  expect(heard).toEqual(['begin first', 'read 3', 'read 2', 'read 1', 'keep', 'changed'])
  expect(scan.progress).toEqual({ read: 3, total: 3, isDone: true })
  heard.length = 0
  await scan.settled()
  expect(heard).toEqual(['begin', 'keep'])
  heard.length = 0
  write(root, '2')
  fs.rmSync(fileOf(root, '1'))
  await scan.settled()
  expect(heard).toEqual(['begin', 'forget 1', 'read 2', 'keep'])
  await scan.close()
})

it('reads first what somebody asks for, and lets them go on once it was read or is not there', async () => {
  let known: Promise<unknown> = Promise.resolve()
  const { scan, clock, heard } = sceneOf(rootOf('1', '2', '3'), {
    // The last one is read when nobody waits any more.
    before: async (name) => void (name === '3' && (await known)),
  })
  scan.want(keyOf('1'))
  known = Promise.all([scan.untilKnown(keyOf('2')), scan.untilKnown(keyOf('9'))])
  // The second question came after the scan had begun: another one follows.
  await expect.poll(() => clock.waits()).toEqual([200])
  expect(heard).toEqual(['begin first', 'read 1', 'read 2', 'read 3', 'keep', 'changed'])
  await known
  await scan.untilKnown(keyOf('3'))
  await scan.close()
})

it('rests between two scans for four times as long as one took, and for 200 ms at least', async () => {
  const root = rootOf('1')
  const scene = sceneOf(root, { takesMs: 500 })
  const { scan, clock, heard } = scene
  scan.look()
  // Again while it runs: once more, but later.
  scan.look()
  await expect.poll(() => clock.waits()).toEqual([2000])
  scan.look()
  clock.pass(1999)
  expect(heard.filter((one) => one.startsWith('begin'))).toEqual(['begin first'])
  clock.pass(1)
  await expect.poll(() => scan.progress.isDone).toBe(true)
  expect(heard.filter((one) => one.startsWith('begin'))).toEqual(['begin first', 'begin'])
  scan.look()
  scan.look()
  await expect.poll(() => clock.waits()).toEqual([200])
  await scan.close()
})

it('leaves a large conversation that grows alone for twenty times as long as its reading took', async () => {
  const root = rootOf('1')
  write(root, '2', largeBytes)
  const scene = sceneOf(root, { takesMs: 100 })
  const { scan, clock, heard } = scene
  await scan.settled()
  const readings = () => heard.filter((one) => one.startsWith('read'))
  expect(readings()).toEqual(['read 2', 'read 1'])
  write(root, '1')
  write(root, '2')
  scan.look()
  // The small one at once; then it wakes by itself, when the large one has rested.
  await expect.poll(readings).toEqual(['read 2', 'read 1', 'read 1'])
  await expect.poll(() => clock.waits()).toEqual([2000 - 200])
  clock.pass(1800)
  await expect.poll(readings).toEqual(['read 2', 'read 1', 'read 1', 'read 2'])
  await isQuiet(scene)
  expect(clock.waits()).toEqual([])
  // Somebody who waits for all gets it at once.
  write(root, '2')
  await scan.settled()
  expect(readings().slice(4)).toEqual(['read 2'])
  await scan.close()
})

it('reports at most once a second while much is read, and keeps every ten seconds', async () => {
  const names = Array.from({ length: 41 }, (_, at) => String(at + 10))
  let scan: UnitScan | undefined
  const scene = sceneOf(rootOf(...names), {
    takesMs: 500,
    more: { beforeReport: () => scan?.markChanged() },
  })
  scan = scene.scan
  await scan.settled()
  const { heard } = scene
  const between = heard.join(' ').split('changed')
  // After the first, after each two, and at the end.
  expect(between).toHaveLength(1 + 1 + 20 + 1)
  expect(between.slice(1, -2).every((each) => each.match(/read/g)?.length === 2)).toBe(true)
  const kept = heard
    .filter((one) => one === 'keep' || one.startsWith('read'))
    .join(' ')
    .split('keep')
  expect(kept.map((each) => each.match(/read/g)?.length ?? 0)).toEqual([20, 20, 1, 0])
  await scan.close()
})

it('forgets nothing of a root that cannot be listed, says so, and goes on once it can', async () => {
  const root = rootOf('1', '2')
  let fails = false
  const disk: Disk = {
    ...nodeDisk,
    async list(folder) {
      if (fails && folder === path.join(root, 'history'))
        throw new DiskError('io', folder, `${folder}: input/output error`)
      return nodeDisk.list(folder)
    },
  }
  const { scan, heard, known } = sceneOf(root, { disk })
  await scan.settled()
  expect(scan.faults).toEqual([])
  fails = true
  heard.length = 0
  await scan.settled()
  expect(heard).toEqual(['begin', 'keep', 'changed'])
  expect(scan.faults.join()).toContain('input/output error')
  expect(known()).toEqual(['1', '2'])
  fails = false
  fs.rmSync(fileOf(root, '1'))
  heard.length = 0
  await scan.settled()
  expect(heard).toEqual(['begin', 'forget 1', 'keep', 'changed'])
  expect(scan.faults).toEqual([])
  await scan.close()
})

it('goes on after a scan that failed as a whole', async () => {
  const root = rootOf('1')
  let begun = 0
  const { scan, heard, known } = sceneOf(root, {
    more: {
      async begin() {
        begun += 1
        if (begun === 1) throw new Error('the home cannot be listed')
      },
    },
  })
  await scan.settled()
  expect(scan.faults).toEqual(['the home cannot be listed'])
  expect(heard).toEqual(['keep', 'changed'])
  await scan.settled()
  expect(scan.faults).toEqual([])
  expect(known()).toEqual(['1'])
  await scan.close()
})

it('one who waits for all gets what came while a scan ran, also where nobody else asks any more', async () => {
  const root = rootOf('1')
  let isAsked = true
  const scene = sceneOf(root, {
    more: {
      isAsked: () => isAsked,
      changed() {
        isAsked = false
      },
      async keep() {
        // The first scan has listed and read by now.
        if (fs.existsSync(fileOf(root, '2'))) return
        write(root, '2')
        settled = scene.scan.settled().then(() => [...scene.known()])
      },
    },
  })
  let settled: Promise<readonly string[]> | undefined
  scene.scan.look()
  await expect.poll(() => scene.clock.waits()).toEqual([200])
  scene.clock.pass(200)
  expect(await settled).toEqual(['1', '2'])
  // Nobody asks: nothing is scanned.
  write(root, '3')
  const { length } = scene.heard
  scene.scan.look()
  expect(scene.scan.progress.isDone).toBe(false)
  expect(scene.heard).toHaveLength(length)
  isAsked = true
  scene.scan.refresh()
  await expect.poll(scene.known).toEqual(['1', '2', '3'])
  await scene.scan.close()
})

it('one who waits for a conversation gets it, also where nobody else asks', async () => {
  const { scan, heard } = sceneOf(rootOf('1', '2'), { more: { isAsked: () => false } })
  scan.look()
  expect(heard).toEqual([])
  await Promise.all([scan.untilKnown(keyOf('1')), scan.untilKnown(keyOf('9'))])
  expect(heard.slice(0, 2)).toEqual(['begin first', 'read 1'])
  await scan.close()
})

it('a question refreshes what is older than it wants, and never what is being read', async () => {
  let view: UnitScan | undefined
  const scene = sceneOf(rootOf('1', '2', '3'), {
    takesMs: 3000,
    // None of them can be read: each scan tries again.
    fails: () => true,
    more: {
      beforeReport() {
        if (view?.isReading) view.markChanged()
      },
      // A view that asks again whenever it hears of a change.
      changed: () => view?.refresh(2000),
    },
  })
  const { scan, clock, heard } = scene
  view = scan
  scan.refresh(2000)
  await expect.poll(() => scan.progress.isDone).toBe(true)
  const scans = () => heard.filter((one) => one.startsWith('begin')).length
  expect(scans()).toBe(1)
  expect(clock.waits()).toEqual([])
  clock.pass(2000)
  scan.refresh(2000)
  expect(scans()).toBe(1)
  clock.pass(1)
  scan.refresh(2000)
  expect(scans()).toBe(2)
  await expect.poll(() => scan.progress.isDone).toBe(true)
  expect(clock.waits()).toEqual([])
  expect(scans()).toBe(2)
  await scan.close()
})

it('reads once more what the book names after all others', async () => {
  const asked: number[] = []
  const scene = sceneOf(rootOf('1', '2'), {
    more: {
      async again() {
        asked.push(scene.heard.filter((one) => one.startsWith('read')).length)
        return [keyOf('2'), keyOf('9')]
      },
    },
  })
  await scene.scan.settled()
  expect(asked).toEqual([2])
  expect(scene.heard.filter((one) => one.startsWith('read'))).toEqual([
    'read 2',
    'read 1',
    'read 2',
  ])
  await scene.scan.close()
})

it('reads and reports nothing more once it is closed, and nobody waits for it', async () => {
  const closing: Promise<void>[] = []
  const scene = sceneOf(rootOf('1', '2', '3'), {
    more: {
      async read({ key }) {
        scene.heard.push(`read ${key}`)
        closing.push(scene.scan.close())
      },
    },
  })
  const waiting = scene.scan.untilKnown(keyOf('1'))
  await Promise.all([scene.scan.listed, waiting])
  await Promise.all(closing)
  expect(scene.heard.filter((one) => one.startsWith('read'))).toHaveLength(1)
  expect(scene.heard).not.toContain('changed')
  scene.scan.look()
  await scene.scan.settled()
  await scene.scan.untilKnown(keyOf('2'))
  expect(scene.heard.filter((one) => one.startsWith('begin'))).toHaveLength(1)
  expect(scene.clock.waits()).toEqual([])
})
