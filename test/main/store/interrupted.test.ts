import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { inspectLock } from '../../../src/main/store/lock/lock-files'
import { type Done, expectAllKept, expectWritten } from '../../support/all-kept'
import { openAsChibi, type SecondWriter } from '../../support/chibi-writer'
import { drawnOf, sayingWhere, triesAll } from '../../support/drawn'
import { message } from '../../support/entries'
import { partitionEntries, storeOf, type Work, works } from '../../support/interrupted-work'
import { type Ground, groundIn, muchLaterMs, startWork } from '../../support/interruptions'
import { memoryFolder, tempFolders } from '../../support/temp-folder'
import { type StoreWorker, storeWorkers } from '../../support/workers'

/** So many calls of each work are tried besides the first and the last, unless all are to be. */
const sampled = 3
/** Some wait for a gate that its owner holds while it is stopped; meanwhile others are tried. */
const sideBySide = 4
/** Of thousands of tries. */
const timeout = 3_600_000

const temp = tempFolders(memoryFolder)
const startWorker = storeWorkers('after all tests')

/** Who comes while the first process is stopped. */
type Second = 'a Skein that stays open' | 'a Skein that leaves' | 'chibi'
const seconds: readonly Second[] = ['a Skein that stays open', 'a Skein that leaves', 'chibi']

const onLinux = process.platform === 'linux' ? describe : describe.skip

onLinux('a process that is stopped at any call of the disk', () => {
  it.each(works)(
    'loses and doubles nothing that was told to be kept, by it or by who comes meanwhile: %s',
    { timeout },
    (work) =>
      atCalls(
        work,
        seconds,
        async (worker, at, second) => {
          const ground = await groundIn(temp())
          const a = startWork(worker, ground, work, at)
          if ((await a.halted) === 'ended') return
          const b = new Taker(ground, second)
          ground.pass(muchLaterMs)
          const fault = await b.take().catch((error: unknown) => ({ error }))
          const failure = await a.wake()
          if (fault !== undefined) throw fault.error
          expectWritten(ground, [...a.appended, ...b.kept])
          await b.goOn()
          ground.pass(muchLaterMs)
          await expectAllKept(ground, [{ work, appended: a.appended, failure }], b.kept)
        },
        // All are made of the same calls: each kind of them is tried where an entry is appended.
        (name) => (work === 'append' ? name : ''),
      ),
  )

  it.each<Work>(['rotate', 'compact, a part', 'clear'])(
    'nor does another that is stopped while it takes over, in whatever order they wake: %s',
    { timeout },
    async (work) => {
      const others = await crewOf('others')
      await atCalls(work, ['the first', 'the second'], async (worker, at, wakesFirst) => {
        const other = others.pop()
        if (other === undefined) throw new Error('no process is left')
        const ground = await groundIn(temp())
        const a = startWork(worker, ground, work, at)
        if ((await a.halted) === 'ended') return void others.push(other)
        ground.pass(muchLaterMs)
        // Anywhere, and elsewhere for each place of the first.
        const b = startWork(other, ground, 'rotate', 1 + ((at * 37) % 190))
        await b.halted
        ground.pass(muchLaterMs)
        const c = new Taker(ground, 'a Skein that stays open')
        const fault = await c.take().catch((error: unknown) => ({ error }))
        const both = [
          { one: a, work },
          { one: b, work: 'rotate' as const },
        ]
        const done: Done[] = []
        for (const { one, work } of wakesFirst === 'the first' ? both : both.reverse())
          done.push({ work, appended: one.appended, failure: await one.wake() })
        const told = done.flatMap(({ appended }) => appended)
        others.push(other)
        if (fault !== undefined) throw fault.error
        expectWritten(ground, [...told, ...c.kept])
        await c.goOn()
        ground.pass(muchLaterMs)
        await expectAllKept(ground, done, c.kept)
      })
    },
  )
})

onLinux('a process that is killed at any call of the disk', () => {
  it(
    'leaves a lock that names it, if any, and a context that is free at once',
    {
      timeout: 900_000,
    },
    () =>
      atCalls('rotate', [undefined], async (_, at) => {
        const ground = await groundIn(temp())
        const a = startWork(await startWorker(), ground, 'rotate', at, 'SIGKILL')
        if ((await a.halted) === 'ended') return
        const folder = path.join(ground.home, 'contexts/garden')
        const options = { disk: nodeDisk, folder, now: ground.now, heartbeatSeconds: 30 }
        expect([{ type: 'free' }, { type: 'stale', mayWake: false }]).toContainEqual(
          await inspectLock(options).then(({ type, ...sight }) =>
            'mayWake' in sight ? { type, mayWake: sight.mayWake } : { type },
          ),
        )
        const b = new Taker(ground, 'a Skein that leaves')
        await b.take()
        expect(b.kept.length).toBe(4)
        ground.pass(muchLaterMs)
        const first = { work: 'rotate' as const, appended: a.appended, failure: 'gone' }
        await expectAllKept(ground, [first], b.kept)
      }),
  )
})

/** Does something at each call of the disk that is due, in each way or in one after the other, several side by side. */
async function atCalls<Way>(
  work: Work,
  ways: readonly Way[],
  interrupt: (worker: StoreWorker, at: number, way: Way) => Promise<void>,
  kindOf: (name: string) => string = () => '',
): Promise<void> {
  const workers = await crewOf('first')
  const [first] = workers
  if (first === undefined) throw new Error('no process')
  const rehearsed = startWork(first, await groundIn(temp()), work, 0)
  expect(await rehearsed.halted).toBe('ended')
  const calls = [...rehearsed.calls().entries()].map(([i, name]) => ({ at: i + 1, name }))
  const drawn = drawnOf(calls, sampled, ({ name }) => kindOf(name))
  const due = drawn.flatMap(({ at, name }, i) =>
    // Before a write it matters most who comes.
    (triesAll || name.startsWith('write') ? ways : ways.slice(i % ways.length).slice(0, 1)).map(
      (way) => ({ at, way }),
    ),
  )
  const failures: unknown[] = []
  const run = async (worker: StoreWorker) => {
    for (let next = due.shift(); next !== undefined; next = due.shift())
      try {
        await interrupt(worker, next.at, next.way)
      } catch (error) {
        failures.push(sayingWhere(error, `call ${next.at}, ${String(next.way)}`))
      }
  }
  await Promise.all([...workers].map(run))
  if (failures.length === 0) return
  // Some may be stopped.
  crews.clear()
  throw failures[0]
}

const crews = new Map<string, Promise<StoreWorker[]>>()

/** Processes that one test after the other lets work. */
function crewOf(name: 'first' | 'others'): Promise<StoreWorker[]> {
  const crew = crews.get(name) ?? Promise.all(Array.from({ length: sideBySide }, startWorker))
  crews.set(name, crew)
  return crew
}

/** Takes a context from a process that is stopped, or is told that it is being taken and comes again. */
class Taker {
  /** The ids that it was told are kept. */
  readonly kept: string[] = []
  private readonly ground: Ground
  private readonly second: Second
  private writer: SecondWriter | undefined

  constructor(ground: Ground, second: Second) {
    this.ground = ground
    this.second = second
  }

  /** While the other is stopped. */
  async take(): Promise<void> {
    this.writer = await openSecond(this.ground, this.second)
    for (let n = 1; n <= 4 && this.writer !== undefined; n++)
      this.kept.push(await this.writer.append(`${n} of B`))
    if (this.second === 'a Skein that stays open') return
    await this.writer?.close()
    this.writer = undefined
  }

  /** When the other has ended. */
  async goOn(): Promise<void> {
    if (this.writer === undefined) {
      this.ground.pass(muchLaterMs)
      this.writer = await openSecond(this.ground, this.second)
    }
    for (let n = 5; n <= 6 && this.writer !== undefined; n++)
      try {
        this.kept.push(await this.writer.append(`${n} of B`))
      } catch (error) {
        // Its folder has another name by now, or its lock was removed by a chibi that woke.
        expect(error).toMatchObject({ code: 'lock-lost' })
      }
    await this.writer?.close()
  }
}

/** Undefined where the context is being taken by the process that is stopped, which is said, and where it is gone. */
async function openSecond(ground: Ground, second: Second): Promise<SecondWriter | undefined> {
  const { home, now } = ground
  const names = fs.readdirSync(path.join(home, 'contexts'))
  const context = ['garden', 'allotment'].find((name) => names.includes(name))
  if (context === undefined) return undefined
  if (second === 'chibi')
    return openAsChibi({ disk: nodeDisk, home, context, now, maxEntries: partitionEntries })
  try {
    const store = storeOf(home, nodeDisk, now, partitionEntries)
    const writer = await store.openWriter(context, { create: false, waitMs: 0 })
    return {
      async append(text) {
        const timestamp = Math.floor(now() / 1000)
        return (await writer.append(message(text, { timestamp }))).entry.id
      },
      close: () => writer.close(),
    }
  } catch (error) {
    const words = expect.stringMatching(/is being opened by another Skein \(process \d+\)\.$/)
    expect(error).toMatchObject({ code: 'locked', message: words })
    return undefined
  }
}
