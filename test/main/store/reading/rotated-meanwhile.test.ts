import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import type { Store } from '../../../../src/main/store/store'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { numbersBetween, tryEach } from '../../../support/drawn'
import { message } from '../../../support/entries'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { watchedDisk } from '../../../support/watched-disk'

const temp = tempFolders(memoryFolder)
const texts = ['one', 'two', 'three']

const storeOf = (home: string, disk: Disk = nodeDisk) =>
  openStore({
    disk,
    home,
    now: () => 1_750_000_000_000,
    storagePolicy: async () => ({ ...defaultRotationPolicy, maxEntries: 5 }),
  })

/** A home whose context is about to rotate, and how another process leaves it that appends these: the first rotates it. */
async function ground(more: readonly string[]) {
  const before = path.join(temp(), 'home')
  const writer = await storeOf(before).openWriter('garden', { create: true })
  for (const text of texts) await writer.append(message(text))
  await writer.close()
  const after = path.join(temp(), 'home')
  fs.cpSync(before, after, { recursive: true })
  const other = await storeOf(after).openWriter('garden', { create: false })
  for (const text of more) await other.append(message(text))
  await other.close()
  expect(
    fs.readdirSync(partitionsOf(after)).filter((name) => name.endsWith('.jsonl')),
  ).toHaveLength(1)
  return { before, after }
}

const transcriptOf = (home: string) => path.join(home, 'contexts/garden/transcript')
const partitionsOf = (home: string) => path.join(transcriptOf(home), 'partitions')

/** Does to one home what a rotation did to its copy: the same file goes on under its new name. */
function rotateLike(home: string, after: string): void {
  const active = path.join(transcriptOf(home), 'active.jsonl')
  fs.mkdirSync(partitionsOf(home), { recursive: true })
  for (const name of fs.readdirSync(partitionsOf(after))) {
    const from = path.join(partitionsOf(after), name)
    const to = path.join(partitionsOf(home), name)
    if (!name.endsWith('.jsonl')) fs.cpSync(from, to, { recursive: true })
    else {
      fs.renameSync(active, to)
      fs.writeFileSync(to, fs.readFileSync(from))
    }
  }
  for (const name of fs.readdirSync(transcriptOf(after)))
    if (name !== 'partitions')
      fs.cpSync(path.join(transcriptOf(after), name), path.join(transcriptOf(home), name))
  const window = 'contexts/garden/context.jsonl'
  fs.cpSync(path.join(after, window), path.join(home, window))
}

async function wholeText(store: Store): Promise<readonly string[]> {
  const { rows } = await store.readWhole('garden')
  const found: string[] = []
  for await (const row of requireWhole(rows))
    if (row.type === 'entry') found.push(String(row.entry.content))
  return found
}

const contentOf = (one: unknown) => (one as { entry?: { content?: unknown } }).entry?.content

const readings: Readonly<Record<string, (store: Store) => Promise<readonly unknown[]>>> = {
  'read whole': wholeText,
  'read by pages': async (store) =>
    (await store.readPage('garden', 'end', 100)).rows.map(contentOf),
  'listed with its files': async (store) => {
    const { files, missing } = await store.listFiles('garden')
    expect(missing).toEqual([])
    return files.length > 0 ? texts : []
  },
}

const cases = Object.entries(readings).flatMap(([name, read]) => [
  { name, read, more: ['four'], left: 'and leaves no active partition' },
  { name, read, more: ['four', 'five'], left: 'and goes on' },
])

it.each(cases)(
  'a context is $name, whichever call of the disk another rotates it at $left',
  async ({ read, more }) => {
    const { before, after } = await ground(more)
    const counting = watchedDisk({}, nodeDisk)
    await read(storeOf(before, counting))
    await tryEach(numbersBetween(1, counting.calls()), async (at) => {
      const home = path.join(temp(), 'home')
      fs.cpSync(before, home, { recursive: true })
      const rotating = watchedDisk({ before: (call) => call.at === at && rotateLike(home, after) })
      const found = await read(storeOf(home, rotating))
      expect(found).toEqual(expect.arrayContaining(texts))
      expect(new Set(found).size).toBe(found.length)
    })
  },
)
