import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { Plugins } from '../../../../src/main/plugins/plugins'
import { openStore } from '../../../../src/main/store/open-store'
import type { HookPoint } from '../../../../src/main/tools/hooks/hooks'
import { checkHome } from '../../../support/chibi-checker/home'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { isAlive, pluginHomes, shell, tool, until } from '../../plugins/plugin-home'
import { realRun } from '../support/real-run'
import {
  allWords,
  compactByHand,
  fillRoom,
  inWindow,
  roomServer,
  standing,
} from './compaction-room'

const temp = tempFolders(memoryFolder)
const pluginHome = pluginHomes()
let server: Awaited<ReturnType<typeof roomServer>>
beforeAll(async () => {
  server = await roomServer()
})
beforeEach(() => server.restart())
afterAll(() => server.close())

/** What makes room, the points that it tells, and what the window is afterwards. */
interface Act {
  readonly name: string
  readonly points: readonly [before: HookPoint, after: HookPoint]
  readonly left: readonly string[]
  do(home: string, plugins: Plugins, signal?: AbortSignal): Promise<string>
}

// The server chooses three; the answer to the last of them goes along.
const latest = ['word 5', 'word 6', 'word 7', 'word 8']
const byHand =
  (mode: 'full' | 'rolling' | 'drop') =>
  async (home: string, { hooks }: Plugins, signal?: AbortSignal) =>
    (
      await compactByHand(
        home,
        server.url,
        mode,
        signal === undefined ? { hooks } : { hooks, signal },
      )
    ).type
const compact = ['pre_compact', 'post_compact'] as const
const rolling = ['pre_rolling_compact', 'post_rolling_compact'] as const

const acts: readonly Act[] = [
  { name: 'full', points: compact, left: [], do: byHand('full') },
  { name: 'rolling', points: rolling, left: latest, do: byHand('rolling') },
  { name: 'drop', points: compact, left: [], do: byHand('drop') },
  {
    name: 'a run',
    points: rolling,
    // The choice alone makes too little room: the oldest go as well.
    left: ['word 7', 'word 8', 'Question 1?', 'Fine, then.'],
    async do(home, { hooks }, signal) {
      const { end } = await realRun({
        home,
        url: server.url,
        text: 'Question 1?',
        hooks,
        ...(signal === undefined ? {} : { signal }),
      })
      return end.outcome === 'complete' ? 'compacted' : end.outcome
    },
  },
  {
    name: 'clear',
    points: ['pre_clear', 'post_clear'],
    left: [],
    async do(home, { hooks }) {
      const { cleared } = await openStore({ home, disk: nodeDisk }).contexts.clear('garden', {
        hooks: async (point, data) => void (await hooks.call(point, { ...data })),
      })
      return cleared ? 'compacted' : 'nothing'
    },
  },
]

const hanging = 'hangs until its time is over'
/** How long a plugin may take; no time passes but what a test lets pass. */
const timeoutMs = 600

/** What a plugin does when it is called, in sh, and to its file once it is trusted. */
const manners: readonly {
  readonly manner: string
  readonly body: string
  readonly change?: (file: string) => void
}[] = [
  { manner: 'blocks', body: `echo '{"block":true,"message":"no","summary":"mine"}'` },
  { manner: hanging, body: 'sleep 300 & echo $! >> "$PIDS"; wait' },
  { manner: 'fails', body: `echo '{"block":true}'; echo why >&2; exit 1` },
  { manner: 'answers rubbish', body: 'head -c 60000 /dev/urandom' },
  { manner: 'is killed', body: 'kill -9 $$' },
  {
    manner: 'cannot be started any more',
    body: 'exit 0',
    change: (file) => fs.chmodSync(file, 0o644),
  },
  { manner: 'is gone', body: 'exit 0', change: (file) => fs.unlinkSync(file) },
  {
    manner: 'is another one than was trusted',
    body: 'exit 0',
    change: (file) => fs.appendFileSync(file, '\necho more\n'),
  },
]

interface Place {
  readonly home: string
  readonly plugins: Plugins
  /** The points at which the plugin was called. */
  heard(): readonly string[]
  pids(): readonly number[]
}

/** A home with a plugin of that manner at these points. It writes what it heard into a folder beside the home. */
async function place(
  points: readonly HookPoint[],
  body: string,
  change?: (file: string) => void,
): Promise<Place> {
  const home = temp()
  await fillRoom(home)
  const beside = temp()
  const read = (name: string) =>
    fs.existsSync(path.join(beside, name))
      ? fs.readFileSync(path.join(beside, name), 'utf8').trim().split('\n')
      : []
  const made = pluginHome({ limits: { timeoutMs } }, home)
  const words = `PIDS='${beside}/pids'; echo $$ >> "$PIDS"; echo "$CHIBI_HOOK" >> '${beside}/heard'\n${body}`
  const file = made.write('odd', shell(tool('odd', { hooks: points }), words))
  await made.trust('odd')
  await made.plugins.tools() // Its schema is asked for: from now on it is known where it wants to be heard.
  change?.(file)
  return {
    home: made.home,
    plugins: made.plugins,
    heard: () => read('heard'),
    pids: () => read('pids').map(Number),
  }
}

describe.each(acts)('making room by $name', ({ points, left, do: act }) => {
  it.each(manners)(
    'is not kept from it by a plugin that $manner',
    async ({ manner, body, change }) => {
      const { home, plugins, heard, pids } = await place(points, body, change)
      const going = act(home, plugins)
      for (const [index] of manner === hanging ? points.entries() : []) {
        await until(() => pids().length === 2 * (index + 1))
        vi.advanceTimersByTime(timeoutMs)
      }
      expect(await going).toBe('compacted')
      expect(heard()).toEqual(change === undefined ? points : [])
      expect(pids().filter(isAlive)).toEqual([])
      expect(inWindow(home)).toEqual(left)
      expect(server.refusals).toEqual([])
      expect(checkHome(home)).toEqual([])
    },
  )
})

const stoppable = acts.filter(({ name }) => name !== 'clear')

describe.each(stoppable)('a stop while a plugin hangs', ({ name, points, left, do: act }) => {
  const body = (point: HookPoint) =>
    `[ "$CHIBI_HOOK" = ${point} ] || exit 0; sleep 300 & echo $! >> "$PIDS"; wait`
  const asked = name === 'a run' ? ['Question 1?'] : []

  it(`before ${name} leaves the old window`, async () => {
    const { home, plugins, heard, pids } = await place(points, body(points[0]))
    const before = standing(home)
    const controller = new AbortController()
    const going = act(home, plugins, controller.signal)
    await until(() => pids().length === 2)
    controller.abort()
    expect(await going).toBe('stopped')
    expect(pids().filter(isAlive)).toEqual([])
    expect(heard()).toEqual([points[0]])
    expect(server.phases).toEqual([])
    expect(inWindow(home)).toEqual([...allWords, ...asked])
    if (asked.length === 0) expect(standing(home)).toEqual(before)
    expect(checkHome(home)).toEqual([])
    await goesOn(home)
  })

  it(`after ${name} leaves the new window`, async () => {
    const { home, plugins, heard, pids } = await place(points, body(points[1]))
    const controller = new AbortController()
    const going = act(home, plugins, controller.signal)
    await until(() => pids().length === 3)
    controller.abort()
    expect(await going).toBe(name === 'a run' ? 'stopped' : 'compacted')
    expect(pids().filter(isAlive)).toEqual([])
    expect(heard()).toEqual(points)
    expect(server.phases).not.toContain('answering')
    expect(inWindow(home)).toEqual(left.filter((words) => words !== 'Fine, then.'))
    expect(checkHome(home)).toEqual([])
    await goesOn(home)
  })
})

/** The next message is answered. */
async function goesOn(home: string): Promise<void> {
  const { end } = await realRun({ home, url: server.url, text: 'Question 2?' })
  expect(end).toEqual({ type: 'ended', outcome: 'complete' })
  expect(inWindow(home).slice(-2)).toEqual(['Question 2?', 'Fine, then.'])
  expect(server.refusals).toEqual([])
  expect(checkHome(home)).toEqual([])
}
