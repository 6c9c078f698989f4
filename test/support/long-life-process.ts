import fs from 'node:fs'
import path from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { defaultRotationPolicy } from '../../src/main/store/core/manifest'
import { openStore } from '../../src/main/store/open-store'
import { skeinHere } from '../cli/skein-here'
import { message } from './entries'
import { heapBytes } from './held-bytes'

/** What a process holds at a time: what it may hold more and more of, by kind, and its heap in bytes. */
export interface HeldMark {
  readonly files: number
  readonly timers: number
  readonly watchers: number
  readonly heap: number
}

// Lives long: `node BUNDLE FOLDER ROUNDS` plays rounds in a home in the folder, and prints what it held behind the second round, which loads
// nothing any more that is loaded once, in the middle, and behind the last. All that this process holds is its own.
const [folder = '', rounds = '0'] = process.argv.slice(2)
const home = path.join(folder, 'chibi')
const environment = { HOME: folder, XDG_CACHE_HOME: path.join(folder, 'cache'), TZ: 'UTC' }
const store = openStore({
  home,
  disk: nodeDisk,
  now: () => 1_780_000_000_000,
  storagePolicy: async () => ({ ...defaultRotationPolicy, maxEntries: 20 }),
})

function heldNow(): HeldMark {
  const kinds = process.getActiveResourcesInfo()
  const count = (kind: string) => kinds.filter((one) => one === kind).length
  const files = fs.existsSync('/proc/self/fd') ? fs.readdirSync('/proc/self/fd').length : 0
  return { files, timers: count('Timeout'), watchers: count('FSEventWrap'), heap: heapBytes() }
}

async function append(...texts: readonly string[]): Promise<void> {
  const writer = await store.openWriter('garden', { create: !(await store.findContext('garden')) })
  try {
    for (const text of texts) await writer.append(message(text))
  } finally {
    await writer.close()
  }
}

async function skein(...argv: readonly string[]): Promise<string> {
  const { code, out, words } = await skeinHere([...argv, '--home', home], environment, { folder })
  if (code !== 0) throw new Error(`skein ${argv.join(' ')} ended with ${code}: ${words}`)
  return out
}

async function playRound(written: number): Promise<number> {
  await append(`begins ${written}`)
  const leaves = Array.from({ length: 8 }, (_, n) => `leaf${written + n + 1} of the garden`)
  let stop = () => {}
  const changed = new Promise<void>((resolve) => {
    stop = store.watch('garden', resolve)
  })
  await append(...leaves)
  // A watch keeps no process alive.
  const { port1: alive } = new MessageChannel()
  alive.ref()
  await changed
  alive.close()
  stop()
  const now = written + leaves.length
  const found = await skein('search', `leaf${now}`, '--json')
  if (!found.includes(`leaf${now} `)) throw new Error(`leaf${now} was not found`)
  await skein('list', '--json')
  await skein('verify', 'garden')
  const file = path.join(folder, `${now}.md`)
  await skein('export', 'garden', '--format', 'md', '-o', file)
  await skein('compact', 'garden', '--mode', 'drop')
  if (now % 16 === 0) await skein('contexts', 'clear', 'garden')
  fs.rmSync(file)
  return now
}

async function live(count: number): Promise<void> {
  const marks: HeldMark[] = []
  let written = 0
  for (let round = 0; round < count; round++) {
    written = await playRound(written)
    if ([1, Math.floor(count / 2), count - 1].includes(round)) marks.push(heldNow())
  }
  // What is held still would keep it from ending.
  process.stdout.write(JSON.stringify({ written, marks }), () => process.exit(0))
}

void live(Number(rounds))
