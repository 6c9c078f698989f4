import fs from 'node:fs'
import path from 'node:path'
import type { Disk } from '../../src/main/disk/interface/disk'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { openBranching } from '../../src/main/library/branch/branching'
import { openHistories } from '../../src/main/library/sources/histories'
import { compactWindow } from '../../src/main/store/context-window/compact'
import { defaultRotationPolicy } from '../../src/main/store/core/manifest'
import { openStore } from '../../src/main/store/open-store'
import type { Store } from '../../src/main/store/store'
import { LibraryKey } from '../../src/shared/model/conversation/conversation'
import type { Entry } from '../../src/shared/model/conversation/entry'
import { requireWhole } from '../../src/shared/model/conversation/reading'
import { openAsChibi } from './chibi-writer'
import { countingDisk } from './counting-disk'
import { message } from './entries'

/** What a process is at when it is stopped, or dies. */
export const works = [
  'append',
  'rotate',
  'compact, all',
  'compact, a part',
  'compact, no summary',
  'branch',
  'rename',
  'clear',
  'archive',
  'remove',
  'as chibi',
] as const
export type Work = (typeof works)[number]

/** So many entries make a partition of who comes while another is stopped. */
export const partitionEntries = 3

/** So long each look at a gate seems to take. */
const lookMs = 100

/** Some work for a process, and when it is interrupted. */
export interface WorkCommand {
  readonly do: 'work'
  readonly work: Work
  /** Holds the context `garden`, with entries. */
  readonly home: string
  /** A file with the milliseconds by which the clock is ahead: it goes on while this process is stopped. */
  readonly clock: string
  /** At the call of the disk with this number, before it is made. */
  readonly at: number
  readonly signal: 'SIGSTOP' | 'SIGKILL'
}

/**
 * What the process tells: each entry as soon as it is told to be durable, that its signal is what comes next, and how the
 * work ended.
 */
export type WorkNews =
  | { readonly type: 'halting' }
  | { readonly type: 'appended'; readonly id: string }
  | { readonly type: 'ended'; readonly calls: readonly string[]; readonly failure?: string }

/** A clock that another process puts forward, in Unix milliseconds. */
export function clockIn(file: string): () => number {
  return () => Date.now() + Number(fs.readFileSync(file, 'utf8'))
}

/**
 * A store whose partitions hold so many entries. It waits for a gate by looks, not by time: who is stopped holds it for so
 * long as the test wants, and two seconds at each call of hundreds prove no more than so many looks.
 */
export function storeOf(home: string, disk: Disk, now: () => number, maxEntries: number): Store {
  const storagePolicy = async () => ({ ...defaultRotationPolicy, maxEntries })
  let looks = 0
  const gateClock = () => lookMs * looks++
  return openStore({ home, disk, now, storagePolicy, gateClock })
}

/** Where a removed context goes. */
export function trashOf(home: string): string {
  return path.join(home, 'trash', 'contexts', 'garden')
}

/** Does some work, and sends this process a signal at one call of the disk. */
export async function doWork(command: WorkCommand, tell: (news: WorkNews) => void): Promise<void> {
  const calls: string[] = []
  const disk = countingDisk(nodeDisk, (call, name, file) => {
    calls.push(name === 'write' ? nameOfWrite(file) : name)
    if (call !== command.at) return
    tell({ type: 'halting' })
    process.kill(process.pid, command.signal)
  })
  try {
    await working(command, disk, (id) => tell({ type: 'appended', id }))
    tell({ type: 'ended', calls })
  } catch (error) {
    const { code, message: words } = error as { code?: unknown; message: string }
    tell({ type: 'ended', calls, failure: `${String(code)}: ${words}` })
  }
}

/** What is written to is what matters there: each file is another place to be stopped at, however its temporary one is called. */
function nameOfWrite(file: string): string {
  return `write ${path.basename(file).replace(/[0-9a-f-]*\d[0-9a-f-]*/g, '')}`
}

async function working(
  { work, home, clock }: WorkCommand,
  disk: Disk,
  appended: (id: string) => void,
): Promise<void> {
  const now = clockIn(clock)
  const store = storeOf(home, disk, now, work === 'rotate' ? 4 : 1000)
  const appending = async (texts: readonly string[], meanwhile = async (_: Writer) => {}) => {
    const writer = await store.openWriter('garden', { create: false })
    try {
      for (const [i, text] of texts.entries()) {
        const timestamp = Math.floor(now() / 1000)
        const { entry } = await writer.append(message(text, { timestamp }))
        appended(entry.id)
        if (i === 0) await meanwhile(writer)
      }
    } finally {
      await writer.close()
    }
  }
  const compacting = (summary: string, replacesSummary: boolean, keeps: boolean) =>
    appending(['first of A', 'second of A'], async (writer) => {
      const window = await writer.window('refuse')
      const kept = keeps ? window.slice(-1).map(({ id }) => id) : []
      const wish = { summary, replacesSummary, kept, metadata: {} }
      const anchor = await compactWindow({ disk, home, writer, now }, wish)
      appended(anchor.id)
    })
  switch (work) {
    case 'append':
      return appending(['first of A', 'second of A'])
    case 'rotate':
      return appending(['first of A', 'second of A', 'third of A'])
    case 'compact, all':
      return compacting('All of it.', true, false)
    case 'compact, a part':
      return compacting('Most of it.', true, true)
    case 'compact, no summary':
      return compacting('3 messages.', false, false)
    case 'branch':
      return branching(store, disk, now)
    case 'rename':
      return store.contexts.rename('garden', 'allotment')
    case 'clear':
      await store.contexts.clear('garden', { withPage: true })
      return
    case 'archive':
      return store.contexts.setArchived('garden', true)
    case 'remove':
      return store.contexts.destroy('garden', async (folder) => {
        await disk.makeFolder(path.dirname(trashOf(home)))
        await disk.rename(folder, trashOf(home))
      })
    case 'as chibi': {
      const writer = await openAsChibi({ disk, home, context: 'garden', now, maxEntries: 4 })
      try {
        for (const text of ['first of A', 'second of A', 'third of A'])
          appended(await writer.append(text))
      } finally {
        await writer.close()
      }
    }
  }
}

type Writer = Awaited<ReturnType<Store['openWriter']>>

async function branching(store: Store, disk: Disk, now: () => number): Promise<void> {
  const { rows } = await store.readWhole('garden')
  let last: Entry | undefined
  for await (const row of requireWhole(rows)) if (row.type === 'entry') last = row.entry
  if (last === undefined) throw new Error('nothing to branch from')
  const branches = openBranching({
    store,
    disk,
    now,
    histories: openHistories(disk, []),
    ask: () => Promise.reject(new Error('nobody is asked')),
    created: async () => {},
  })
  const at = { entry: last.id, file: last.file, offset: last.offset }
  await branches.create(LibraryKey.parse('garden'), at, { type: 'branch' })
}
