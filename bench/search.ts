import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { nodeDisk } from '../src/main/disk/node/node-disk'
import { searchDecoders } from '../src/main/library/sources/search-decoders'
import { openSearch, type Search } from '../src/main/search/search'
import { threadWorkers } from '../src/main/search/workers'
import type { SearchableConversation } from '../src/shared/model/search'
import { withFolder } from './support/folder'
import { fullTextKinds, hasFullText, writeFullText } from './support/full-text'
import { measureClass } from './support/measure-classes'
import { drawQueryClasses } from './support/query-classes'
import { createRandom, type Random } from './support/random'
import { atLeast, atMost, forInformation, median, type Row, report } from './support/report'
import { hasRipgrep, ripgrep } from './support/ripgrep'
import { createWriter } from './support/text'
import { TextSample } from './support/text-sample'
import { writeConversation, writeTextsCorpus } from './support/texts-corpus'
import { builtWorker } from './support/worker'

/**
 * The budgets hold for 1 GB: `SKEIN_BENCH_MB=1000 npm run bench -- search` (some five minutes). Beside a smaller corpus
 * ripgrep takes little more than its start, so its figures stand for information there. The texts of others are those of
 * `textFolders`: up to as many megabytes.
 */
const megabytes = Number(process.env.SKEIN_BENCH_MB ?? 128)
const isFull = megabytes >= 900
/** As a store leaves them: partitions of some hundred kilobytes, and some long files that were never rotated. */
const fileBytes = [300_000, 300_000, 300_000, 8_000_000] as const
const queries = 100
const rareWords = 40_000

interface Corpus {
  readonly folder: string
  readonly conversations: readonly SearchableConversation[]
  readonly bytes: number
  readonly entries: number
  readonly rare: readonly string[]
  readonly sample: TextSample
}

const consonants = 'bcdfghjklmnpqrstvwxz'
const vowels = 'aeiouy'

/** A word as dictionaries have them: eight to twelve letters, any pair of them possible. */
function rareWord(random: Random): string {
  const length = 8 + random.below(5)
  return Array.from({ length }, (_, n) => {
    const letters = n % 2 === 0 || random.next() < 0.15 ? consonants : vowels
    return letters.charAt(random.below(letters.length))
  }).join('')
}

function writeCorpus(folder: string): Corpus {
  const random = createRandom(5)
  const writer = createWriter(random)
  const rare = Array.from({ length: rareWords }, () => rareWord(random))
  const conversations: SearchableConversation[] = []
  const sample = new TextSample(createRandom(7))
  let bytes = 0
  let entries = 0
  while (bytes < megabytes * 1e6) {
    const lines: string[] = []
    const want = random.pick(fileBytes)
    for (let size = 0; size < want; ) {
      const isTool = random.next() < 0.4
      // Each rare word stands in one or two of some ten thousand entries.
      const word =
        random.next() < rareWords / (megabytes * 1100) ? ` ${rare[random.below(rareWords)]} ` : ' '
      const text = `${writer.text(60 + Math.floor(1200 * random.next() ** 3))}${word}${randomUUID()}`
      sample.add(text)
      const line = JSON.stringify({
        id: randomUUID(),
        timestamp: 1_700_000_000 + entries * 30,
        from: isTool ? 'shell_exec' : 'ann',
        to: 'notes',
        content: text,
        entry_type: isTool ? 'tool_result' : 'message',
      })
      lines.push(line)
      size += Buffer.byteLength(line) + 1
      entries++
    }
    const name = String(conversations.length).padStart(5, '0')
    const written = writeConversation(folder, name, lines, 1_700_000_000 + entries * 30)
    for (const { sizeBytes } of written.files) bytes += sizeBytes
    conversations.push(written)
  }
  return { folder, conversations, bytes, entries, rare, sample }
}

/** Time that parsing alone takes: tells a busy machine from a slow index. */
function parseSpeed(corpus: Corpus): number {
  const files = corpus.conversations.slice(0, 40).flatMap(({ files: all }) => all)
  const before = process.cpuUsage()
  let bytes = 0
  for (const file of files) {
    for (const line of fs.readFileSync(file.path, 'utf8').split('\n')) if (line) JSON.parse(line)
    bytes += file.sizeBytes
  }
  const { user, system } = process.cpuUsage(before)
  return bytes / (user + system)
}

async function measureIndex(
  name: string,
  search: Search,
  { bytes }: Pick<Corpus, 'bytes'>,
): Promise<Row[]> {
  // What writing the corpus left behind is no work of the index.
  globalThis.gc?.()
  const before = process.cpuUsage()
  await search.buildIndex({ all: true })
  const { user, system } = process.cpuUsage(before)
  const { indexBytes } = search.indexProgress()
  return [
    atMost(`${name}: index of the bytes`, (100 * indexBytes) / bytes, '%', 5),
    // Processor time of all threads: other work on the machine does not count.
    atLeast(`${name}: index built, a core`, bytes / (user + system), 'MB/s', 40),
  ]
}

async function measureRare(search: Search, corpus: Corpus): Promise<Row[]> {
  const random = createRandom(6)
  const ours: number[] = []
  const ratios: number[] = []
  const isCompared = hasRipgrep()
  for (let tries = 0; ours.length < queries && tries < 4 * queries; tries++) {
    const word = corpus.rare[random.below(corpus.rare.length)] ?? ''
    const { total, complete } = await search.run(word)
    if (total < 1 || total > 3) continue
    const { elapsedMs } = await search.run(word)
    ours.push(elapsedMs)
    if (!isCompared) continue
    const theirs = ripgrep(word, corpus.folder)
    if (theirs.lines !== total || !complete)
      throw new Error(`"${word}": ${total} hits, but ripgrep finds ${theirs.lines}`)
    ratios.push(theirs.ms / elapsedMs)
  }
  const slowest = [...ratios].sort((a, b) => a - b)[Math.floor(ratios.length / 10)] ?? Number.NaN
  const rows = [forInformation(`search: a rare word, median of ${ours.length}`, median(ours), 'ms')]
  if (!isCompared) return rows
  const row = isFull
    ? atLeast
    : (name: string, figure: number, unit: string) => forInformation(name, figure, unit)
  rows.push(row('search: faster than rg -i, median', median(ratios), 'times', 20))
  rows.push(row('search: faster than rg -i, slowest tenth', slowest, 'times', 5))
  return rows
}

async function measureCommon(search: Search): Promise<Row> {
  const times: number[] = []
  for (let n = 0; n < 9; n++) times.push((await search.run('const')).elapsedMs)
  return atMost('search: a common word, first 100 hits', median(times), 'ms', 100)
}

/** Opens a search over conversations, with threads of its own. */
async function withSearch<T>(
  folder: string,
  conversations: readonly SearchableConversation[],
  work: (search: Search) => Promise<T>,
): Promise<T> {
  const workers = threadWorkers(builtWorker('src/main/search/search.worker.ts', folder), 2)
  const cacheFolder = path.join(folder, 'cache')
  const search = openSearch({ disk: nodeDisk, decoders: searchDecoders, cacheFolder, workers })
  try {
    await search.update(conversations)
    return await work(search)
  } finally {
    await search.close()
  }
}

async function measureWritten(folder: string): Promise<Row[]> {
  const histories = path.join(folder, 'histories')
  fs.mkdirSync(histories)
  const corpus = writeCorpus(histories)
  return withSearch(folder, corpus.conversations, async (search) => [
    forInformation('search: corpus', corpus.bytes / 1e6, 'MB'),
    forInformation('search: entries', corpus.entries, 'entries'),
    ...(await measureIndex('search', search, corpus)),
    forInformation('search: the same lines parsed alone, a core', parseSpeed(corpus), 'MB/s'),
    ...(await measureRare(search, corpus)),
    await measureCommon(search),
    ...(await measureClasses('search', search, corpus, createRandom(18), folder)),
  ])
}

/** Every kind of query, beside ripgrep and tables of FTS5 over the same texts. */
async function measureClasses(
  name: string,
  search: Search,
  corpus: Pick<Corpus, 'folder' | 'conversations' | 'bytes' | 'entries' | 'sample'>,
  random: Random,
  folder: string,
): Promise<Row[]> {
  const files = corpus.conversations.flatMap((one) => one.files.map((file) => file.path))
  const isThere = hasFullText()
  if (!isThere) console.error('FTS5 is not compared: the program sqlite3 is not there.')
  const fullTexts = isThere ? fullTextKinds.map((kind) => writeFullText(kind, files, folder)) : []
  const rows = fullTexts.map(({ kind, bytes }) =>
    forInformation(`${name}: FTS5 ${kind} of the bytes`, (100 * bytes) / corpus.bytes, '%'),
  )
  for (const one of drawQueryClasses(corpus, random))
    rows.push(...(await measureClass({ name, search, folder: corpus.folder, fullTexts }, one)))
  return rows
}

async function measureTexts(folder: string): Promise<Row[]> {
  const histories = path.join(folder, 'histories')
  fs.mkdirSync(histories)
  const random = createRandom(17)
  const corpus = writeTextsCorpus(histories, megabytes * 1e6, random)
  const name = 'search, texts of others'
  return withSearch(folder, corpus.conversations, async (search) => {
    const rows = [
      forInformation(`${name}: corpus`, corpus.bytes / 1e6, 'MB'),
      forInformation(`${name}: entries`, corpus.entries, 'entries'),
      ...(await measureIndex(name, search, corpus)),
    ]
    return [...rows, ...(await measureClasses(name, search, corpus, random, folder))]
  })
}

const written = await withFolder(measureWritten)
report([...written, ...(await withFolder(measureTexts))])
