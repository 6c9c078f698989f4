import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeDisk } from '../src/main/disk/node-disk'
import { openHistories } from '../src/main/library/histories'
import { type Library, openLibrary } from '../src/main/library/library'
import { openStore } from '../src/main/store/open-store'
import { withFolder } from './support/folder'
import { createRandom, type Random } from './support/random'
import { atMost, forInformation, report, timeMs } from './support/report'
import { createWriter } from './support/text'

/** The budgets hold for 5,000 files of 1 GB together; `SKEIN_BENCH_MB` makes the files smaller, not fewer. */
const megabytes = Number(process.env.SKEIN_BENCH_MB ?? 1000)
const files = 5000
const pageRows = 200
const pooledTexts = 2000

type MakeLine = (n: number, text: string) => Readonly<Record<string, unknown>>

const contextLine: MakeLine = (n, content) => ({
  id: `${n.toString(16).padStart(8, '0')}-4a1c-4e7b-9d2f-3b8c5a6e7f10`,
  timestamp: 1_770_000_000 + n,
  from: n % 2 === 0 ? 'user' : 'bench',
  to: n % 2 === 0 ? 'bench' : 'user',
  content,
  entry_type: 'message',
  metadata: n % 2 === 0 ? {} : { model: `model-${n % 7}` },
})

const cycodLine: MakeLine = (n, content) => {
  if (n % 10 === 0) return { role: 'system', content }
  if (n % 10 < 4) return { role: n % 2 === 0 ? 'user' : 'assistant', content }
  const id = `call_${n.toString(36)}`
  return n % 2 === 0
    ? {
        role: 'assistant',
        tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: `{"a":${n}}` } }],
      }
    : { role: 'tool', tool_call_id: id, content }
}

/** Half of them contexts of a home, half cycod's histories; most are small, some large, as people have them. */
async function writeCorpus(home: string, history: string): Promise<void> {
  const random = createRandom(7)
  const writer = createWriter(random)
  const texts = Array.from({ length: pooledTexts }, () => writer.text(40 + random.below(2000)))
  const sizes = Array.from({ length: files }, () => 1 / (0.02 + random.next()))
  const scale = (megabytes * 1e6) / sizes.reduce((sum, size) => sum + size, 0)
  mkdirSync(history, { recursive: true })
  for (const [n, size] of sizes.entries()) {
    if (n % 2 === 0) {
      const transcript = path.join(home, 'contexts', `context-${n}`, 'transcript')
      mkdirSync(transcript, { recursive: true })
      await writeFile(
        path.join(transcript, 'active.jsonl'),
        size * scale,
        contextLine,
        texts,
        random,
      )
    } else {
      const file = path.join(history, `chat-history-${1_754_437_000_000 + n}.jsonl`)
      await writeFile(file, size * scale, cycodLine, texts, random)
    }
  }
}

async function writeFile(
  file: string,
  bytes: number,
  make: MakeLine,
  texts: readonly string[],
  random: Random,
): Promise<void> {
  const stream = createWriteStream(file)
  let written = 0
  for (let n = 0; written < bytes; n++) {
    const line = `${JSON.stringify(make(n, texts[random.below(texts.length)] ?? ''))}\n`
    written += line.length
    if (!stream.write(line)) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'close')
}

function open(folder: string): Library {
  return openLibrary({
    disk: nodeDisk,
    store: openStore({ home: path.join(folder, 'home'), disk: nodeDisk }),
    shownHome: '~/.chibi',
    histories: openHistories(nodeDisk, [{ source: 'cycod', path: path.join(folder, 'cycod') }]),
    cacheFolder: path.join(folder, 'cache'),
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
async function secondStart(folder: string): Promise<void> {
  const library = open(folder)
  const { rows, ms } = await listAll(library)
  const checkedMs = ms + (await timeMs(() => library.close()))
  process.stdout.write(JSON.stringify({ rows, cachedMs: ms, checkedMs }))
}

async function compare(folder: string): Promise<void> {
  await writeCorpus(path.join(folder, 'home'), path.join(folder, 'cycod', 'history'))
  const library = open(folder)
  const { rows, firstMs, ms } = await listAll(library)
  const countMs = await timeMs(() =>
    library.countAll(Number.POSITIVE_INFINITY, new AbortController().signal),
  )
  await library.close()
  const again = execFileSync(process.execPath, [fileURLToPath(import.meta.url), folder])
  const second: unknown = JSON.parse(again.toString())
  const { rows: cachedRows, cachedMs, checkedMs } = second as Record<string, number> // what we wrote
  if (rows !== files || cachedRows !== files)
    throw new Error(`listed ${rows} and ${cachedRows} of ${files} conversations`)
  const cache = await sizeOf(path.join(folder, 'cache'))
  report([
    forInformation('list: the first page, without a cache', firstMs, 'ms'),
    atMost(`list: ${files} rows, without a cache`, ms / 1000, 's', 3),
    atMost('list: exact counts and models', (ms + countMs) / 1000, 's', 10),
    atMost(`list: ${files} rows from the cache`, cachedMs ?? Number.NaN, 'ms', 200),
    forInformation('list: all of them checked against the disk', checkedMs ?? Number.NaN, 'ms'),
    forInformation('list: the cache', cache / 1e6, 'MB'),
  ])
}

async function sizeOf(folder: string): Promise<number> {
  const names = await fs.readdir(folder, { recursive: true })
  const stats = await Promise.all(names.map((name) => fs.stat(path.join(folder, name))))
  return stats.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
}

const [, , given] = process.argv
if (given === undefined) await withFolder(compare)
else await secondStart(given)
