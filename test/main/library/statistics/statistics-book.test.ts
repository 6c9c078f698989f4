import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { statsCommand } from '../../../../src/cli/commands/stats'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { LibraryRoot } from '../../../../src/main/library/sources/roots'
import type { LibraryStatistics } from '../../../../src/main/library/statistics/library-statistics'
import { openStatistics } from '../../../../src/main/library/statistics/statistics-book'
import { threadStatistics } from '../../../../src/main/library/statistics/statistics-thread'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { StatisticsMark } from '../../../../src/shared/model/statistics/marks'
import type { StatisticsFilter } from '../../../../src/shared/model/statistics/selection'
import type { Statistics } from '../../../../src/shared/model/statistics/statistics-shape'
import { fixtures, run } from '../../../cli/run'
import { bundled } from '../../../support/bundled'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const worker = bundled('src/main/library/statistics/statistics.worker.ts')

interface Places {
  readonly home: string
  readonly roots: readonly LibraryRoot[]
  readonly cacheFolder?: string
}

/** Homes and histories of every system among the fixtures. */
const everySystem: Places = {
  home: `${fixtures}/chibi/home-v09`,
  roots: [
    { source: 'cycod', path: `${fixtures}/branches/cycod-family` },
    { source: 'fluux', path: `${fixtures}/readers/fluux/input` },
    { source: 'voicemode', path: `${fixtures}/readers/voicemode/input` },
  ],
}

function opened(places: Places, disk: Disk = nodeDisk, changed = () => {}): LibraryStatistics {
  return openStatistics({ ...places, disk, changed })
}

/** What `skein stats --json` prints of the same. */
async function printed(
  { home, roots }: Places,
  more: readonly string[] = [],
): Promise<Statistics & { readonly unread: readonly string[] }> {
  const argv = roots.flatMap(({ source, path: root }) => ['--root', `${source}=${root}`])
  const { out } = await run(statsCommand, ['--home', home, ...argv, ...more, '--json'])
  return JSON.parse(out)
}

async function statisticsIn(
  statistics: LibraryStatistics,
  filter: StatisticsFilter = {},
): Promise<Statistics> {
  return (await statistics.read({ filter, step: 'day' })).statistics
}

/** A disk that counts the conversations that are opened for reading. */
function watchedDisk(): { readonly disk: Disk; opened(): number } {
  let count = 0
  const disk: Disk = {
    ...nodeDisk,
    open(target, mode, permissions) {
      if (mode === 'read' && target.endsWith('.jsonl')) count += 1
      return nodeDisk.open(target, mode, permissions)
    },
  }
  return { disk, opened: () => count }
}

function copyOfFamily(): Places & { readonly root: string } {
  const root = temp()
  fs.cpSync(`${fixtures}/branches/cycod-family`, root, {
    recursive: true,
    preserveTimestamps: true,
  })
  return { home: path.join(root, 'home'), roots: [{ source: 'cycod', path: root }], root }
}

it('has the numbers of “skein stats --json”, of every system', async () => {
  const statistics = opened(everySystem)
  await statistics.settled()
  const { unread, ...expected } = await printed(everySystem)
  expect(expected.entries.total).toBeGreaterThan(50)
  expect(expected.speech?.exchanges).toBeGreaterThan(0)
  expect(await statisticsIn(statistics)).toEqual(expected)
  expect((await statistics.read({ filter: {} })).unreadTotal).toBe(unread.length)
  await statistics.close()
})

it('has the same numbers for a range of days', async () => {
  const statistics = opened(everySystem)
  await statistics.settled()
  const { days } = await statisticsIn(statistics)
  const names = days.map(({ day }) => day).sort()
  const ranges = names.flatMap((from) =>
    names.filter((day) => day >= from).map((until) => [from, until] as const),
  )
  for (const [from, until] of ranges.slice(0, 40)) {
    const { unread: _, ...expected } = await printed(everySystem, ['--date', `${from}..${until}`])
    expect(await statisticsIn(statistics, { from, until })).toEqual(expected)
  }
  await statistics.close()
})

it('counts what a family repeats once, and a branch that grows by what it has alone', async () => {
  const places = copyOfFamily()
  const statistics = opened(places)
  await statistics.settled()
  const before = await statisticsIn(statistics)
  expect(before.entriesWithRepeats).toBeGreaterThan(before.entries.total)
  const [name = ''] = fs.readdirSync(path.join(places.root, 'history')).slice(-1)
  const file = path.join(places.root, 'history', name)
  fs.appendFileSync(file, '\n{"role":"user","content":"And one more thing."}')
  await statistics.settled()
  const { unread: _, ...expected } = await printed(places)
  expect(expected.entries.total).toBe(before.entries.total + 1)
  expect(await statisticsIn(statistics)).toEqual(expected)
  // Without the oldest, what it had counts at those that repeat it.
  const [oldest = ''] = fs.readdirSync(path.join(places.root, 'history'))
  fs.rmSync(path.join(places.root, 'history', oldest))
  await statistics.settled()
  const { unread: __, ...without } = await printed(places)
  expect(await statisticsIn(statistics)).toEqual(without)
  await statistics.close()
})

it('reads only what changed, also after a restart', async () => {
  const places = { ...copyOfFamily(), cacheFolder: temp() }
  const first = opened(places)
  await first.settled()
  const before = await statisticsIn(first)
  await first.close()

  const again = watchedDisk()
  const second = opened(places, again.disk)
  await second.settled()
  expect(await statisticsIn(second)).toEqual(before)
  expect(again.opened()).toBe(0)

  const [name = ''] = fs.readdirSync(path.join(places.root, 'history')).slice(-1)
  fs.appendFileSync(
    path.join(places.root, 'history', name),
    '\n{"role":"user","content":"And one more thing."}',
  )
  await second.settled()
  // Outlines of its relatives are in the cache; its own part of the family is the one it had.
  expect(again.opened()).toBe(1)
  await second.close()
})

it('reads all again in another time zone, whose days and hours are others', async () => {
  const places = { ...copyOfFamily(), cacheFolder: temp() }
  const first = opened(places)
  await first.settled()
  await first.close()
  const watched = watchedDisk()
  const clock = {
    now: 0,
    dayOf: () => ({ year: 2026, month: 3, day: 2 }),
    hourOf: () => 7,
    startOf: () => 0,
  }
  const second = openStatistics({
    ...places,
    disk: watched.disk,
    clock,
    zone: 'Elsewhere',
    changed: () => {},
  })
  await second.settled()
  expect(watched.opened()).toBeGreaterThan(0)
  expect(Object.keys((await statisticsIn(second)).entries.byDay)).toEqual(['2026-03-02'])
  await second.close()
})

it('reads nothing before somebody asks, and no more once nobody looks at what was found', async () => {
  const places = copyOfFamily()
  const { disk, opened: readings } = watchedDisk()
  let changes = 0
  const statistics = opened(places, disk, () => {
    changes += 1
  })
  statistics.look()
  expect(readings()).toBe(0)
  expect((await statistics.read({ filter: {} })).reading.isDone).toBe(false)
  await expect.poll(() => changes).toBeGreaterThan(0)
  await expect
    .poll(async () => (await statistics.read({ filter: {} })).reading)
    .toMatchObject({ read: 9, total: 9, isDone: true })
  const [name = ''] = fs.readdirSync(path.join(places.root, 'history')).slice(-1)
  const grow = () =>
    fs.appendFileSync(
      path.join(places.root, 'history', name),
      '\n{"role":"user","content":"And one more thing."}',
    )
  const before = changes
  const read = readings()
  grow()
  // It was read since the last report, so this one is looked at.
  statistics.look()
  await expect.poll(() => changes).toBeGreaterThan(before)
  // What its relatives have is in memory.
  expect(readings()).toBe(read + 1)
  grow()
  statistics.look()
  await statistics.close()
  expect(readings()).toBe(read + 1)
})

it('says what could not be read, counts the rest, and reads it once it can', async () => {
  const places = copyOfFamily()
  const [name = ''] = fs.readdirSync(path.join(places.root, 'history'))
  let fails = true
  const disk: Disk = {
    ...nodeDisk,
    async open(target, mode, permissions) {
      if (fails && mode === 'read' && target.endsWith(name))
        throw new DiskError('io', target, `${target}: input/output error`)
      return nodeDisk.open(target, mode, permissions)
    },
  }
  const statistics = opened(places, disk)
  await statistics.settled()
  const without = await statistics.read({ filter: {} })
  expect(without.unreadTotal).toBe(1)
  expect(without.unread.join()).toContain(name.replace('.jsonl', ''))
  const mark = { type: 'state', state: 'failed' } as const
  expect(await statistics.conversations({ filter: {}, mark })).toMatchObject({ unread: 1 })
  expect(without.statistics.entries.total).toBeGreaterThan(0)
  fails = false
  await statistics.settled()
  const { unread: _, ...expected } = await printed(places)
  expect(await statisticsIn(statistics)).toEqual(expected)
  expect((await statistics.read({ filter: {} })).unreadTotal).toBe(0)
  await statistics.close()
})

/** Every mark that the view makes of statistics, with its number of conversations. */
function marksOf(statistics: Statistics): readonly (readonly [StatisticsMark, number])[] {
  const { hours, tools, models, projects, lengths, branches, usage, speech } = statistics
  const marks: [StatisticsMark, number][] = [[{ type: 'all' }, statistics.conversations]]
  const add = (mark: StatisticsMark, conversations: number) => marks.push([mark, conversations])
  for (const { weekday, hour, conversations } of hours)
    add({ type: 'entries', weekday, hour }, conversations)
  for (const { tool, conversations, failedIn } of tools) {
    add({ type: 'tool', tool, isFailed: false }, conversations)
    add({ type: 'tool', tool, isFailed: true }, failedIn)
  }
  for (const { model, conversations } of models) add({ type: 'model', model }, conversations)
  for (const { project, conversations } of projects)
    add({ type: 'project', project }, conversations)
  for (const [step, { conversations }] of lengths.entries())
    add({ type: 'length', step }, conversations)
  for (const [step, { conversations }] of branches.steps.entries())
    add({ type: 'branches', step }, conversations)
  for (const { from, until, name, conversations } of usage.byModel)
    add({ type: 'usage', from, until, models: [name] }, conversations)
  for (const { from, until, name, conversations } of usage.byProject)
    add({ type: 'usage', from, until, projects: [name] }, conversations)
  for (const [step, { conversations }] of (speech?.turnarounds ?? []).entries())
    add({ type: 'turnaround', step }, conversations)
  return marks
}

it('opens as many conversations by each mark as the mark says', async () => {
  const statistics = opened(everySystem)
  await statistics.settled()
  const { choices } = await statistics.read({ filter: {} })
  const filters: readonly StatisticsFilter[] = [
    {},
    ...choices.sources.map(({ name }) => ({ source: name ?? '' })),
    ...choices.projects.map(({ name }) => ({ project: name })),
    ...choices.models.map(({ name }) => ({ model: name })),
    { from: '2025-08-01', until: '2025-08-31' },
  ]
  for (const filter of filters)
    for (const [mark, number] of marksOf(await statisticsIn(statistics, filter))) {
      const { keys } = await statistics.conversations({ filter, mark })
      expect([filter, mark, new Set(keys).size]).toEqual([filter, mark, number])
    }
  await statistics.close()
})

it('answers from a thread as in the caller’s own', async () => {
  let changes = 0
  const { home, roots } = everySystem
  const thread = threadStatistics(worker(), { home, roots }, () => {
    changes += 1
  })
  await thread.settled()
  const here = opened(everySystem)
  await here.settled()
  const question = { filter: {}, step: 'month' } as const
  expect(await thread.read(question)).toEqual(await here.read(question))
  expect(changes).toBeGreaterThan(0)
  const mark = { type: 'all' } as const
  const found = await thread.conversations({ filter: { source: 'cycod' }, mark })
  expect(found).toEqual(await here.conversations({ filter: { source: 'cycod' }, mark }))
  expect(found.reading.isDone).toBe(true)
  expect(found.keys).toContain(LibraryKey.parse('cycod:chat-history-1754437300000'))
  await here.close()
  await thread.close()
  await expect(thread.settled()).rejects.toThrow('closed')
})
