import { execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { appDisk } from '../../src/main/disk/app-disk'
import { type Counter, threadCounter } from '../../src/main/library/count/counter'
import { type Library, type LibraryOptions, openLibrary } from '../../src/main/library/library'
import { openHistories } from '../../src/main/library/sources/histories'
import type { LibraryRoot } from '../../src/main/library/sources/roots'
import { historyDisk } from '../../src/main/readers/history-disk'
import { readers } from '../../src/main/readers/index'
import { threadDatabases } from '../../src/main/sqlite/thread'
import { openStore } from '../../src/main/store/open-store'
import { timeMs } from './report'
import { builtWorker } from './worker'

/** A home and other systems' roots, as a library lists them. */
export interface ListedRoots {
  readonly home: string
  readonly roots: readonly LibraryRoot[]
}

/** A library that is open, as the app has it: with threads for counts and databases. */
interface OpenLibrary {
  readonly library: Library
  readonly counter: Counter
  /** What could not be read, for people. */
  readonly faults: readonly string[]
  close(): Promise<void>
}

/** The figures of a start that has only the cache. */
export interface SecondStart {
  readonly rows: number
  readonly cachedMs: number
  readonly checkedMs: number
}

const sources = ['src/main/library/count/count.worker.ts', 'src/main/sqlite/sqlite.worker.ts']
const pageRows = 200
/** Rows of a library that a large window shows. */
const rowsInSight = 50

/** Builds the threads' code into a folder. */
export function buildThreads(folder: string): void {
  for (const source of sources) builtWorker(source, folder)
}

/** What the app tells a library, where its rows are to come before all are found. */
type EarlyRows = Pick<LibraryOptions, 'rowsAfterMs' | 'changed'>

/** Opens a library, whose cache and threads' code are in the folder. */
export function openListed(
  { home, roots }: ListedRoots,
  folder: string,
  early: EarlyRows = { changed: () => {} },
): OpenLibrary {
  const faults: string[] = []
  const databases = threadDatabases(path.join(folder, 'sqlite.worker.cjs'))
  const disk = historyDisk(appDisk, databases)
  const counter = threadCounter(disk, path.join(folder, 'count.worker.cjs'))
  const library = openLibrary({
    disk,
    store: openStore({ home, disk }),
    shownHome: '~/.chibi',
    histories: openHistories(disk, roots, (words) => faults.push(words), readers, counter.look),
    cacheFolder: path.join(folder, 'cache'),
    counter,
    isRunning: () => false,
    ...early,
    watched: false,
  })
  return {
    library,
    counter,
    faults,
    async close() {
      await library.close()
      await counter.close()
      await databases.close()
    },
  }
}

/** Asks for all rows by pages, as the window does; also tells when the first page was there. */
export async function listAll(
  library: Library,
): Promise<{ readonly rows: number; readonly firstMs: number; readonly ms: number }> {
  const startedAt = performance.now()
  let firstMs: number | undefined
  let rows = 0
  let cursor: string | undefined
  do {
    const page = await library.list(cursor, pageRows)
    firstMs ??= performance.now() - startedAt
    rows += page.conversations.length
    cursor = page.next
  } while (cursor !== undefined)
  return { rows, firstMs, ms: performance.now() - startedAt }
}

/** The times of a list whose rows come before all of them are known, in ms. */
export interface ListedInParts {
  readonly rows: number
  /** Until there were rows that are read, a page of them or all. */
  readonly firstMs: number
  /** Until each conversation had a row, be it provisional. */
  readonly foundMs: number
  readonly ms: number
}

/** Asks for all rows as the window does, of a library that gives them before all are found. */
export async function listInParts(
  listed: ListedRoots,
  folder: string,
): Promise<{ readonly opened: OpenLibrary; readonly times: ListedInParts }> {
  const startedAt = performance.now()
  const sinceStart = () => performance.now() - startedAt
  const read = new Set<string>()
  let firstMs: number | undefined
  let foundMs: number | undefined
  let isDone: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    isDone = resolve
  })
  const seen = (
    rows: readonly { readonly key: string; readonly provisional?: true | undefined }[],
  ) => {
    for (const { key, provisional } of rows) if (!provisional) read.add(key)
    if (read.size >= rowsInSight) firstMs ??= sinceStart()
  }
  const opened = openListed(listed, folder, {
    rowsAfterMs: 1000,
    changed({ conversations, listing }) {
      seen(conversations)
      if (listing?.state === 'reading') foundMs ??= sinceStart()
      if (listing?.state === 'done') isDone()
    },
  })
  let cursor: string | undefined
  let isWhole = false
  do {
    const page = await opened.library.list(cursor, pageRows)
    seen(page.conversations)
    isWhole = page.listing === undefined
    cursor = page.next
  } while (cursor !== undefined)
  if (!isWhole) await done
  const ms = sinceStart()
  const times = { rows: read.size, firstMs: firstMs ?? ms, foundMs: foundMs ?? ms, ms }
  return { opened, times }
}

/** Lists in a process of its own, with nothing warm but the system's pages: the script, called with `again`, calls `answerSecondStart`. */
export function secondStart(script: string, listed: ListedRoots, folder: string): SecondStart {
  const answer = execFileSync(process.execPath, [script, 'again', folder, JSON.stringify(listed)])
  return JSON.parse(answer.toString()) as SecondStart // what we wrote
}

/** Lists from the cache, then checks it against the disk, and prints the figures. */
export async function answerSecondStart(folder: string, listed: string): Promise<void> {
  const opened = openListed(JSON.parse(listed) as ListedRoots, folder) // what `secondStart` gave
  const { rows, ms: cachedMs } = await listAll(opened.library)
  const checkedMs = cachedMs + (await timeMs(() => opened.close()))
  process.stdout.write(JSON.stringify({ rows, cachedMs, checkedMs }))
}

/** Watches the most that this thread holds at once, buffers included, in bytes. */
export function watchHeap(): { highest(): number; end(): number } {
  let highest = 0
  const look = () => {
    const { heapUsed, external } = process.memoryUsage()
    highest = Math.max(highest, heapUsed + external)
  }
  const timer = setInterval(look, 20)
  return {
    highest() {
      look()
      return highest
    },
    end() {
      clearInterval(timer)
      look()
      return highest
    },
  }
}

/** Returns the bytes of all files in a folder. */
export async function sizeOf(folder: string): Promise<number> {
  const names = await fs.readdir(folder, { recursive: true })
  const stats = await Promise.all(names.map((name) => fs.stat(path.join(folder, name))))
  return stats.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
}
