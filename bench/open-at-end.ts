import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { nodeDisk } from '../src/main/disk/node/node-disk'
import { openStore } from '../src/main/store/open-store'
import { withFolder } from './support/folder'
import { createRandom, type Random } from './support/random'
import { atMost, forInformation, median, report, timeMs } from './support/report'
import { createWriter, type Writer } from './support/text'

const transcriptBytes = 200 * 1024 * 1024
const rounds = 7
const rows = 100
const mebibyte = 1024 * 1024

/** One partition of 200 MB, as a tool that never rotates leaves it: sizes from a word to a long tool result. */
async function writeTranscript(file: string): Promise<number> {
  const random = createRandom(2)
  const writer = createWriter(random)
  await fs.mkdir(path.dirname(file), { recursive: true })
  const stream = createWriteStream(file)
  let bytes = 0
  let entries = 0
  while (bytes < transcriptBytes) {
    const line = `${JSON.stringify(entry(random, writer, entries++))}\n`
    bytes += Buffer.byteLength(line)
    if (!stream.write(line)) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'close')
  return entries
}

function entry(random: Random, writer: Writer, index: number): object {
  const isAnswer = index % 2 === 1
  return {
    id: randomUUID(),
    timestamp: 1_760_000_000 + index,
    from: isAnswer ? 'bench' : 'user',
    to: isAnswer ? 'user' : 'bench',
    content: writer.text(20 + Math.floor(4000 * random.next() ** 3)),
    entry_type: 'message',
    role: isAnswer ? 'agent' : 'user',
  }
}

/** Heap and buffers: what the process keeps for what it has read. */
function usedBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('run with node --expose-gc')
  globalThis.gc()
}

await withFolder(async (home) => {
  const entries = await writeTranscript(
    path.join(home, 'contexts', 'long', 'transcript', 'active.jsonl'),
  )
  const times: number[] = []
  const growths: number[] = []
  for (let round = 0; round < rounds; round++) {
    collectGarbage()
    const before = usedBytes()
    const store = openStore({ home, disk: nodeDisk })
    times.push(await timeMs(() => store.readPage('long', 'end', rows)))
    // Nothing is collected first: what the page cost on its way counts as well.
    growths.push((usedBytes() - before) / mebibyte)
  }
  report([
    forInformation('transcript opened at its end', entries, 'entries'),
    atMost('first page of 200 MB', median(times), 'ms', 300),
    atMost('first page of 200 MB, slowest of 7', Math.max(...times), 'ms', 300),
    atMost('heap grown by the first page', Math.max(...growths), 'MB', 40),
  ])
})
