import { execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeDisk } from '../src/main/disk/node/node-disk'
import { type Counter, threadCounter } from '../src/main/library/count/counter'
import { type Library, openLibrary } from '../src/main/library/library'
import { openHistories } from '../src/main/library/sources/histories'
import { readers } from '../src/main/readers/index'
import { openStore } from '../src/main/store/open-store'
import { withFolder } from './support/folder'
import { type Corpus, writeHistories } from './support/histories'
import { atMost, forInformation, report, timeMs } from './support/report'
import { builtWorker } from './support/worker'

/** The budgets hold for 5,000 files of 1 GB together; `SKEIN_BENCH_MB` makes the files smaller, not fewer. */
const megabytes = Number(process.env.SKEIN_BENCH_MB ?? 1000)
const files = 5000
const pageRows = 200
const megabyte = 1024 * 1024
const workerSource = 'src/main/library/count/count.worker.ts'
/** As it is built into the folder of the corpus. */
const workerName = 'count.worker.cjs'

function open({ home, roots }: Corpus, folder: string, counter: Counter): Library {
  return openLibrary({
    disk: nodeDisk,
    store: openStore({ home, disk: nodeDisk }),
    shownHome: '~/.chibi',
    histories: openHistories(nodeDisk, roots, () => {}, readers, counter.look),
    cacheFolder: path.join(folder, 'cache'),
    counter,
    isRunning: () => false,
    changed: () => {},
    watched: false,
  })
}

/** All rows by pages, as the window asks for them; and when the first one was there. */
async function listAll(library: Library): Promise<{ rows: number; firstMs: number; ms: number }> {
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

/** A start of its own, with nothing warm but the system's pages. */
async function secondStart(folder: string, corpus: Corpus): Promise<void> {
  const counter = threadCounter(nodeDisk, path.join(folder, workerName))
  const library = open(corpus, folder, counter)
  const { rows, ms } = await listAll(library)
  const checkedMs = ms + (await timeMs(() => library.close()))
  await counter.close()
  process.stdout.write(JSON.stringify({ rows, cachedMs: ms, checkedMs }))
}

async function compare(folder: string): Promise<void> {
  const corpus = await writeHistories(folder, files, megabytes * 1e6)
  const counter = threadCounter(nodeDisk, builtWorker(workerSource, folder))
  const heap = watchHeap()
  const library = open(corpus, folder, counter)
  const before = process.cpuUsage()
  const { rows, firstMs, ms } = await listAll(library)
  const { user, system } = process.cpuUsage(before)
  const countMs = await timeMs(() =>
    library.countAll(Number.POSITIVE_INFINITY, new AbortController().signal),
  )
  await library.close()
  await counter.close()
  const highestHeap = heap.end()
  const again = execFileSync(process.execPath, [
    fileURLToPath(import.meta.url),
    folder,
    JSON.stringify(corpus),
  ])
  const second: unknown = JSON.parse(again.toString())
  const { rows: cachedRows, cachedMs, checkedMs } = second as Record<string, number> // what we wrote
  const expected = corpus.conversations
  if (rows !== expected || cachedRows !== expected)
    throw new Error(`listed ${rows} and ${cachedRows} of ${expected} conversations`)
  const cache = await sizeOf(path.join(folder, 'cache'))
  report([
    forInformation('list: the first page, without a cache', firstMs, 'ms'),
    atMost(`list: ${rows} rows of ${files} files, without a cache`, ms / 1000, 's', 3),
    forInformation('list: processor time for those rows, all threads', (user + system) / 1e6, 's'),
    atMost('list: exact counts and models', (ms + countMs) / 1000, 's', 10),
    atMost('list: the main thread, at its highest', highestHeap / megabyte, 'MB', 300),
    atMost(`list: ${rows} rows from the cache`, cachedMs ?? Number.NaN, 'ms', 200),
    forInformation('list: all of them checked against the disk', checkedMs ?? Number.NaN, 'ms'),
    forInformation('list: the cache', cache / 1e6, 'MB'),
  ])
}

/** The most that this thread holds at once, buffers included, looked at often. */
function watchHeap(): { end(): number } {
  let highest = 0
  const look = () => {
    const { heapUsed, external } = process.memoryUsage()
    highest = Math.max(highest, heapUsed + external)
  }
  const timer = setInterval(look, 20)
  return {
    end() {
      clearInterval(timer)
      look()
      return highest
    },
  }
}

async function sizeOf(folder: string): Promise<number> {
  const names = await fs.readdir(folder, { recursive: true })
  const stats = await Promise.all(names.map((name) => fs.stat(path.join(folder, name))))
  return stats.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
}

const [, , given, corpus] = process.argv
if (given === undefined) await withFolder(compare)
else await secondStart(given, JSON.parse(corpus ?? '') as Corpus) // what `compare` gave
