import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withFolder } from './support/folder'
import { writeHistories } from './support/histories'
import {
  answerSecondStart,
  buildThreads,
  listAll,
  openListed,
  secondStart,
  sizeOf,
  watchHeap,
} from './support/listed-library'
import { atMost, forInformation, report, timeMs } from './support/report'

/** The budgets hold for 5,000 files of 1 GB together; `SKEIN_BENCH_MB` makes the files smaller, not fewer. */
const megabytes = Number(process.env.SKEIN_BENCH_MB ?? 1000)
const files = 5000
const megabyte = 1024 * 1024

async function compare(folder: string): Promise<void> {
  const corpus = await writeHistories(folder, files, megabytes * 1e6)
  buildThreads(folder)
  const heap = watchHeap()
  const opened = openListed(corpus, folder)
  const { library } = opened
  const before = process.cpuUsage()
  const { rows, firstMs, ms } = await listAll(library)
  const { user, system } = process.cpuUsage(before)
  const countMs = await timeMs(() =>
    library.countAll(Number.POSITIVE_INFINITY, new AbortController().signal),
  )
  await opened.close()
  const highestHeap = heap.end()
  const second = secondStart(fileURLToPath(import.meta.url), corpus, folder)
  const { rows: cachedRows, cachedMs, checkedMs } = second
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
    atMost(`list: ${rows} rows from the cache`, cachedMs, 'ms', 200),
    forInformation('list: all of them checked against the disk', checkedMs, 'ms'),
    forInformation('list: the cache', cache / 1e6, 'MB'),
  ])
}

const [, , job, ...given] = process.argv
if (job === 'again') await answerSecondStart(given[0] ?? '', given[1] ?? '')
else await withFolder(compare)
