import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { appDisk } from '../src/main/disk/app-disk'
import { nodeDisk } from '../src/main/disk/node/node-disk'
import { importExport } from '../src/main/library/imports'
import { readers } from '../src/main/readers/index'
import { zipped } from '../test/support/zipped'
import {
  hasSqlite3,
  writeAllSources,
  writeExport,
  writeOpencode,
} from './support/copies/all-sources'
import { withFolder } from './support/folder'
import {
  answerSecondStart,
  buildThreads,
  type ListedRoots,
  listAll,
  listInParts,
  openListed,
  secondStart,
  sizeOf,
  watchHeap,
} from './support/listed-library'
import { atMost, forInformation, type Row, report, timeMs } from './support/report'
import { withLibrarySearch } from './support/searched-library'

/** The budgets hold for 2,000: a library of 2 GB, a database of 2 GB, exports of 500 and 100 MB. */
const megabytes = Number(process.env.SKEIN_BENCH_MB ?? 200)
const files = 5000
const megabyte = 1024 * 1024
const script = fileURLToPath(import.meta.url)

/** Seconds of the processor since a moment, of all threads. */
function processorSeconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Time of the simplest program that reads all of it: what the machine can do now. In seconds. */
async function readingSeconds(folder: string): Promise<number> {
  const command = `find "${folder}" -type f -print0 | xargs -0 cat > /dev/null`
  return (await timeMs(async () => execFileSync('sh', ['-c', command]))) / 1000
}

async function measureLibrary(folder: string): Promise<Row[]> {
  const corpusFolder = path.join(folder, 'corpus')
  const corpus = await writeAllSources(corpusFolder, files, megabytes * 1e6)
  const readS = await readingSeconds(corpusFolder)
  const work = path.join(folder, 'work')
  buildThreads(work)
  const heap = watchHeap()
  const before = process.cpuUsage()
  const { opened, times } = await listInParts(corpus, work)
  const { rows, firstMs, foundMs, ms } = times
  const processorS = processorSeconds(before)
  const heapOfRows = heap.highest()
  const countMs = await timeMs(() =>
    opened.library.countAll(Number.POSITIVE_INFINITY, new AbortController().signal),
  )
  await opened.close()
  const second = secondStart(script, corpus, work)
  if (second.rows !== rows) throw new Error(`listed ${rows} rows, and ${second.rows} of the cache`)
  if (opened.faults.length > 0) throw new Error(opened.faults.join('\n'))
  const name = 'sources'
  return [
    forInformation(`${name}: files and databases of ${corpus.roots.length + 1}`, corpus.files, ''),
    forInformation(`${name}: all of them`, corpus.bytes / 1e6, 'MB'),
    forInformation(`${name}: all of them through cat`, readS, 's'),
    atMost(`${name}: the first page of rows, without a cache`, firstMs / 1000, 's', 4),
    forInformation(`${name}: ${rows} rows, some provisional`, foundMs / 1000, 's'),
    atMost(`${name}: all of them read`, ms / 1000, 's', 4),
    forInformation(`${name}: processor time for those rows, all threads`, processorS, 's'),
    atMost(`${name}: the main thread meanwhile, at its highest`, heapOfRows / megabyte, 'MB', 300),
    forInformation(`${name}: exact counts and models`, (ms + countMs) / 1000, 's'),
    atMost(`${name}: the main thread, at its highest`, heap.end() / megabyte, 'MB', 300),
    atMost(`${name}: ${rows} rows from the cache`, second.cachedMs, 'ms', 300),
    forInformation(`${name}: all of them checked against the disk`, second.checkedMs, 'ms'),
    forInformation(`${name}: the cache`, (await sizeOf(path.join(work, 'cache'))) / 1e6, 'MB'),
  ]
}

/** A database of one system: its rows, and an entry found by a word before there is an index. */
async function measureDatabase(folder: string): Promise<Row[]> {
  const root = path.join(folder, 'opencode')
  const word = 'zwetschgenbaum'
  const { file, bytes } = await writeOpencode(root, megabytes * 1e6, word)
  const work = path.join(folder, 'work')
  buildThreads(work)
  const sums = 'select session_id, sum(length(cast(data as blob))) from part group by 1'
  const peerMs = await timeMs(async () => execFileSync('sqlite3', ['-batch', file, sums]))
  const heap = watchHeap()
  const roots = [{ source: 'opencode', path: root }] as const
  const opened = openListed({ home: path.join(folder, 'home'), roots }, work)
  const { rows, ms } = await listAll(opened.library)
  const found = await withLibrarySearch(opened.library, work, (search) => search.run(word))
  await opened.close()
  if (found.hits.length !== 1)
    throw new Error(
      `found ${found.hits.length} entries by one's word: ${JSON.stringify({ ...found, hits: [] })}`,
    )
  const name = 'opencode.db'
  return [
    forInformation(`${name}: its size`, bytes / 1e6, 'MB'),
    forInformation(`${name}: rows summed by sqlite3`, peerMs / 1000, 's'),
    atMost(`${name}: its ${rows} conversations listed`, ms / 1000, 's', 3),
    forInformation(`${name}: found by a word, without an index`, found.elapsedMs / 1000, 's'),
    atMost(`${name}: the main thread, at its highest`, heap.end() / megabyte, 'MB', 300),
  ]
}

/** The memory of a process that imports an export and lists it. */
interface ImportFigures {
  readonly rows: number
  readonly ms: number
  readonly residentMb: number
}

/** Imports a ChatGPT export of so many bytes in a process of its own. */
async function measureImport(folder: string, bytes: number): Promise<ImportFigures> {
  const place = path.join(folder, `export-${bytes}`)
  const document = await writeExport(place, 'chatgpt', bytes)
  const zip = path.join(place, 'chatgpt.zip')
  fs.writeFileSync(
    zip,
    zipped([{ name: 'conversations.json', content: fs.readFileSync(document) }]),
  )
  fs.rmSync(document)
  const work = path.join(place, 'work')
  buildThreads(work)
  const answer = execFileSync(process.execPath, [script, 'import', zip, work])
  return JSON.parse(answer.toString()) as ImportFigures // what `answerImport` wrote
}

async function answerImport(zip: string, work: string): Promise<void> {
  const imports = path.join(work, 'imports')
  const startedAt = performance.now()
  const deps = { disk: appDisk, plain: nodeDisk, readers, folder: imports, userFolder: work }
  await importExport(deps, zip, () => {}, new AbortController().signal)
  const listed: ListedRoots = {
    home: path.join(work, 'home'),
    roots: [{ source: 'chatgpt', path: imports }],
  }
  const opened = openListed(listed, work)
  const { rows } = await listAll(opened.library)
  await opened.close()
  const ms = performance.now() - startedAt
  const residentMb = process.resourceUsage().maxRSS / 1024
  process.stdout.write(JSON.stringify({ rows, ms, residentMb } satisfies ImportFigures))
}

async function measureImports(folder: string): Promise<Row[]> {
  const small = await measureImport(folder, megabytes * 0.05e6)
  const large = await measureImport(folder, megabytes * 0.25e6)
  const name = `import of a ChatGPT export of ${megabytes / 4} MB`
  return [
    forInformation(`${name}: its ${large.rows} conversations listed`, large.ms / 1000, 's'),
    forInformation(`${name}: memory of the process`, large.residentMb, 'MB'),
    forInformation('import of a fifth of that: memory of the process', small.residentMb, 'MB'),
    atMost(`${name}: memory against a fifth`, large.residentMb / small.residentMb, 'times', 1.3),
  ]
}

const [, , job, ...given] = process.argv
if (job === 'again') await answerSecondStart(given[0] ?? '', given[1] ?? '')
else if (job === 'import') await answerImport(given[0] ?? '', given[1] ?? '')
else if (!hasSqlite3()) throw new Error('sqlite3 is not here, which writes the databases')
else {
  const parts = { library: measureLibrary, database: measureDatabase, imports: measureImports }
  const rows: Row[] = []
  // A word picks one of them.
  for (const [name, measure] of Object.entries(parts))
    if (job === undefined || job === name) rows.push(...(await withFolder(measure)))
  report(rows)
}
