import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { defaultRotationPolicy } from '../../src/main/store/core/manifest'
import { acquireContextLock, type ContextLock } from '../../src/main/store/lock/context-lock'
import { openStore } from '../../src/main/store/open-store'
import { message } from './entries'
import { writeEverything, writeExport } from './every-writer'
import { faultyDisk } from './faulty-disk'
import { doWork, type WorkCommand } from './interrupted-work'

/** What a test asks of the process that runs this file: one JSON object a line, answered by one each. */
export type WorkerCommand =
  | { readonly do: 'take'; readonly folder: string; readonly heartbeatSeconds: number }
  | { readonly do: 'check' }
  | { readonly do: 'release' }
  | {
      readonly do: 'bursts'
      readonly home: string
      readonly count: number
      readonly maxEntries: number
      readonly prefix: string
    }
  /** Appends until it is killed at a call that would change the disk; tells each id as soon as it is durable. */
  | {
      readonly do: 'append-for-ever'
      readonly home: string
      readonly maxEntries: number
      readonly partial: boolean
      readonly killedAt: number
    }
  /** Renames, archives, appends to and clears the one context of a home until then; tells each id that is durable. */
  | { readonly do: 'change-for-ever'; readonly home: string; readonly killedAt: number }
  /** Writes all that Skein writes, under a umask. */
  | {
      readonly do: 'write-everything'
      readonly umask: number
      readonly home: string
      readonly user: string
    }
  | { readonly do: 'export'; readonly umask: number; readonly file: string }
  /** Does some work and stops, or dies, at one call of the disk; tells its news, a line each. */
  | WorkCommand

let lock: ContextLock | undefined
// Else each entry would be old enough for a rotation of its own.
const nowSeconds = () => Math.floor(Date.now() / 1000)

async function run(command: WorkerCommand): Promise<unknown> {
  switch (command.do) {
    case 'take':
      try {
        lock = await acquireContextLock({ disk: nodeDisk, now: Date.now, waitMs: 0, ...command })
        return 'taken'
      } catch (error) {
        return (error as { code?: unknown }).code
      }
    case 'check':
      return lock?.check().then(
        () => 'ours',
        (error) => error.code,
      )
    case 'release':
      await lock?.release()
      lock = undefined
      return 'released'
    case 'bursts':
      return bursts(command.home, command.count, command.maxEntries, command.prefix)
    case 'append-for-ever':
      return appendForEver(command)
    case 'change-for-ever':
      return changeForEver(command.home, command.killedAt)
    case 'write-everything':
      process.umask(command.umask)
      return writeEverything(command.home, command.user)
    case 'export':
      process.umask(command.umask)
      return writeExport(command.file)
    case 'work':
      return doWork(command, (news) => process.stdout.write(`${JSON.stringify(news)}\n`))
  }
}

function storeAt(home: string, maxEntries: number, killedAt?: number) {
  const policy = { ...defaultRotationPolicy, maxEntries }
  const disk =
    killedAt === undefined ? nodeDisk : faultyDisk(nodeDisk, { at: killedAt, fault: 'kill' })
  return openStore({ home, disk, storagePolicy: async () => policy })
}

async function bursts(home: string, count: number, maxEntries: number, prefix: string) {
  const store = storeAt(home, maxEntries)
  let done = 0
  for (let burst = 1; done < count; burst++) {
    const writer = await store.openWriter('garden', { create: false, waitMs: 60_000 })
    try {
      // Of 1 to 9, so that bursts and rotations meet at every phase.
      for (let i = 0; i < 1 + (burst % 9) && done < count; i++, done++)
        await writer.append(message(`${prefix} ${done}`, { timestamp: nowSeconds() }))
    } finally {
      await writer.close()
    }
  }
  return done
}

async function appendForEver({
  home,
  maxEntries,
  partial,
  killedAt,
}: Extract<WorkerCommand, { do: 'append-for-ever' }>): Promise<never> {
  const writer = await storeAt(home, maxEntries, killedAt).openWriter('garden', { create: false })
  const file = path.join(home, 'contexts/garden/partial.skein.jsonl')
  for (let n = 0; ; n++) {
    const draft = message(`entry ${n}`, {
      from: 'garden',
      to: 'user',
      role: 'agent',
      timestamp: nowSeconds(),
    })
    const answer = partial ? await writer.startPartial(draft) : undefined
    answer?.update('entry')
    // Of some answers the entry comes when a part is on the disk, of others before.
    while (answer && n % 3 === 0 && !fs.existsSync(file))
      await new Promise((resolve) => setImmediate(resolve))
    const { entry } = await writer.append(draft)
    // Synchronous on a pipe: what is told here has been durable before.
    process.stdout.write(`${JSON.stringify(entry.id)}\n`)
    await answer?.discard()
  }
}

async function changeForEver(home: string, killedAt: number): Promise<never> {
  const store = storeAt(home, 5, killedAt)
  for (let n = 0; ; n++) {
    const [listing] = await store.listContexts()
    const from = listing?.name ?? ''
    const to = from === 'garden' ? 'allotment' : 'garden'
    await store.contexts.setArchived(from, n % 2 === 0)
    await store.contexts.rename(from, to)
    const writer = await store.openWriter(to, { create: false })
    const { entry } = await writer.append(message(`entry ${n}`, { timestamp: nowSeconds() }))
    await writer.close()
    process.stdout.write(`${JSON.stringify(entry.id)}\n`)
    await store.contexts.clear(to, { withPage: true })
  }
}

let last: Promise<unknown> = Promise.resolve()
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  last = last
    .then(() => run(JSON.parse(line) as WorkerCommand))
    .then((answer) => process.stdout.write(`${JSON.stringify(answer ?? null)}\n`))
})
process.stdout.write('"ready"\n')
