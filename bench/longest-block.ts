import { randomUUID } from 'node:crypto'
import { serialize } from 'node:v8'
import { nodeDisk } from '../src/main/disk/node/node-disk'
import { rowsForWindow } from '../src/main/ipc/limits/rows-for-window'
import { openStore } from '../src/main/store/open-store'
import { type EntryDraft, EntryId } from '../src/shared/model/conversation/entry'
import { requireWhole } from '../src/shared/model/conversation/reading'
import { withFolder } from './support/folder'
import { hostileContexts, writeHostileHome } from './support/hostile-home'
import { atMost, forInformation, report } from './support/report'

/**
 * The longest turn of the event loop since, in milliseconds: of the processor's time, so that what else the machine does
 * does not count, and of no more than passed.
 */
function watchTurns(): { end(): number } {
  let longest = 0
  let last = { at: performance.now(), cpu: process.cpuUsage() }
  const turn = () => {
    const now = { at: performance.now(), cpu: process.cpuUsage() }
    const busyMs = (now.cpu.user - last.cpu.user + now.cpu.system - last.cpu.system) / 1000
    longest = Math.max(longest, Math.min(busyMs, now.at - last.at))
    last = now
  }
  const clock = setInterval(turn, 1)
  return {
    end() {
      clearInterval(clock)
      turn()
      return longest
    },
  }
}

function draft(content: string): EntryDraft {
  const id = EntryId.parse(randomUUID())
  return { id, timestamp: null, from: 'user', to: 'said', content, entry_type: 'message' }
}

await withFolder(async (home) => {
  await writeHostileHome(home)
  const store = openStore({ home, disk: nodeDisk })
  const blockMs: [string, number][] = []
  let memory = 0
  const measured = async (name: string, work: () => Promise<unknown>) => {
    const watch = watchTurns()
    await work()
    await new Promise((resolve) => setTimeout(resolve, 5))
    memory = Math.max(memory, process.memoryUsage().rss)
    const ms = watch.end()
    blockMs.push([name, ms])
    if (process.env.SKEIN_EACH) console.error(`${name}: ${ms.toFixed(0)} ms`)
  }
  await measured('list', async () => {
    for (const one of await store.listContexts()) await store.readEnds(one)
  })
  for (const name of hostileContexts) {
    await measured(`${name}, page`, async () => {
      const page = await store.readPage(name, 'end', 100)
      // As Electron hands it to the window.
      serialize(rowsForWindow(page.rows))
    })
    await measured(`${name}, whole`, async () => {
      for await (const _ of requireWhole((await store.readWhole(name)).rows));
    })
  }
  const long = draft('wörd "x" '.repeat(4.2 * 2 ** 20))
  Buffer.byteLength(long.content)
  await measured('a message of 40 MB, append', async () => {
    const writer = await store.openWriter('said', { create: true })
    await writer.append(long)
    await writer.close()
  })
  await measured('a message of 40 MB, opened and read for the model', async () => {
    const writer = await store.openWriter('said', { create: false })
    await writer.append(draft('more'))
    await writer.window('refuse')
    await writer.close()
  })
  const [worst, ms] = blockMs.reduce((a, b) => (b[1] > a[1] ? b : a))
  report([
    atMost(`Main, the longest wait for a hostile file (${worst})`, ms, 'ms', 100),
    forInformation('Main, memory while hostile files are read', memory / 2 ** 20, 'MB'),
  ])
})
