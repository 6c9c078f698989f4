import fs from 'node:fs'
import path from 'node:path'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { message } from './entries'
import { clockIn, storeOf, type Work, type WorkCommand, type WorkNews } from './interrupted-work'
import type { StoreWorker } from './workers'

/** A minute later every lock that was not beaten is stale. */
export const muchLaterMs = 60_000

/** A home with the context `garden`, three entries in it, and a clock. */
export interface Ground {
  readonly home: string
  readonly clock: string
  readonly now: () => number
  /** Puts the clock forward, for everybody. */
  pass(ms: number): void
}

/** Makes a ground in an empty folder. */
export async function groundIn(folder: string): Promise<Ground> {
  const home = path.join(folder, 'home')
  const clock = path.join(folder, 'clock')
  fs.writeFileSync(clock, '0')
  const now = clockIn(clock)
  const writer = await storeOf(home, nodeDisk, now, 1000).openWriter('garden', { create: true })
  for (const text of ['one', 'two'])
    await writer.append(message(text, { timestamp: Math.floor(now() / 1000) }))
  await writer.close()
  fs.writeFileSync(path.join(home, 'contexts/garden/summary.md'), 'Of earlier days.')
  return {
    home,
    clock,
    now,
    pass: (ms) => fs.writeFileSync(clock, String(Number(fs.readFileSync(clock, 'utf8')) + ms)),
  }
}

/** A process that is at some work. */
export interface WorkingProcess {
  /** The ids that it told to be durable, in order. */
  readonly appended: readonly string[]
  /** Resolves when it is stopped, is gone, or has ended its work before the signal came. */
  readonly halted: Promise<'stopped' | 'gone' | 'ended'>
  /** Lets it go on; resolves to how it ended: undefined is well. */
  wake(): Promise<string | undefined>
  /** What it called of the disk, in order, when it has ended. */
  readonly calls: () => readonly string[]
}

/** Has a process do some work, until its signal comes at one call of the disk. */
export function startWork(
  worker: StoreWorker,
  { home, clock }: Ground,
  work: Work,
  at: number,
  signal: WorkCommand['signal'] = 'SIGSTOP',
): WorkingProcess {
  const appended: string[] = []
  let calls: readonly string[] = []
  let over: 'gone' | 'ended' | undefined
  let isHalting = () => {}
  const halting = new Promise<void>((resolve) => {
    isHalting = resolve
  })
  const ended = (async () => {
    let failure: string | undefined
    // Its last line is the answer to the command.
    for (
      let line = await worker.ask({ do: 'work', work, home, clock, at, signal });
      line !== null;
      line = await worker.next()
    ) {
      if (line === 'closed') {
        over = 'gone'
        return 'gone'
      }
      const news = line as WorkNews
      if (news.type === 'appended') appended.push(news.id)
      else if (news.type === 'halting') isHalting()
      else {
        calls = news.calls
        failure = news.failure
      }
    }
    over = 'ended'
    return failure
  })()
  const pid = worker.process.pid ?? 0
  const halted = (async () => {
    await Promise.race([halting, ended])
    const how = () => over ?? (stateOf(pid) === 'T' ? ('stopped' as const) : undefined)
    // Its own signal comes before the call; what is seen of the process is all that tells it.
    for (;;) {
      const now = how()
      if (now !== undefined) return now
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  return {
    appended,
    halted,
    wake() {
      worker.process.kill('SIGCONT')
      return ended
    },
    calls: () => calls,
  }
}

/** Of a process, as Linux tells it: `T` is stopped. Undefined of one that is gone. */
function stateOf(pid: number): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0]
  } catch {
    return undefined
  }
}
