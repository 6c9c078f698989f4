import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { nodeDisk } from '../src/main/disk/node/node-disk'
import { openStore } from '../src/main/store/open-store'
import { type EntryDraft, EntryId } from '../src/shared/model/conversation/entry'
import { withFolder } from './support/folder'
import { createRandom } from './support/random'
import { atLeast, forInformation, median, report, timeMs } from './support/report'
import { createWriter } from './support/text'

/** A context takes 210 appends here: fewer than make a rotation, which is work of its own and has its own row. */
const contexts = 7
const turns = 14
const appendsInTurn = 15
const withRotations = 1500
const textCharacters = 1000

const writer = createWriter(createRandom(1))

function draft(): EntryDraft {
  return {
    id: EntryId.parse(randomUUID()),
    timestamp: Math.floor(Date.now() / 1000),
    from: 'user',
    to: 'bench',
    content: writer.text(textCharacters),
    entry_type: 'message',
    role: 'user',
  }
}

function drafts(count: number): EntryDraft[] {
  return Array.from({ length: count }, draft)
}

/** Something that makes one entry durable. */
interface Appender {
  append(draft: EntryDraft): Promise<unknown>
  close(): Promise<void>
}

/** Speed of the disk: the same line, written whole and made durable, into a file that is open already. */
async function openBare(folder: string): Promise<Appender> {
  const file = await fs.open(path.join(folder, randomUUID()), 'a')
  return {
    append: async (each) => {
      await file.write(Buffer.from(`${JSON.stringify(each)}\n`))
      await file.sync()
    },
    close: () => file.close(),
  }
}

/** The store, in a context whose lock is held. */
function openOurs(folder: string): Promise<Appender> {
  const store = openStore({ home: path.join(folder, randomUUID()), disk: nodeDisk })
  return store.openWriter('bench', { create: true })
}

async function perSecond(appender: Appender, entries: readonly EntryDraft[]): Promise<number> {
  const ms = await timeMs(async () => {
    for (const each of entries) await appender.append(each)
  })
  return (entries.length / ms) * 1000
}

interface Pair {
  readonly bare: number
  readonly ours: number
}

/** Rates of both by short turns, so that whatever else the machine does meets both alike. */
async function compare(folder: string): Promise<readonly Pair[]> {
  const bare = await openBare(folder)
  const ours = await openOurs(folder)
  const pairs: Pair[] = []
  for (let turn = 0; turn < turns; turn++) {
    const entries = drafts(appendsInTurn)
    if (turn % 2 === 0)
      pairs.push({ bare: await perSecond(bare, entries), ours: await perSecond(ours, entries) })
    else pairs.push({ ours: await perSecond(ours, entries), bare: await perSecond(bare, entries) })
  }
  await bare.close()
  await ours.close()
  // The first turn makes the file and its folder durable as well.
  return pairs.slice(1)
}

/** A long run of appends, rotations included, against the same without a store: all of the time of both, by short turns. */
async function compareLong(folder: string): Promise<number> {
  const bare = await openBare(folder)
  const ours = await openOurs(folder)
  let bareSeconds = 0
  let ourSeconds = 0
  for (let done = 0; done < withRotations; done += appendsInTurn) {
    const entries = drafts(appendsInTurn)
    bareSeconds += entries.length / (await perSecond(bare, entries))
    ourSeconds += entries.length / (await perSecond(ours, entries))
  }
  await bare.close()
  await ours.close()
  return bareSeconds / ourSeconds
}

await withFolder(async (folder) => {
  const pairs: Pair[] = []
  for (let context = 0; context < contexts; context++) pairs.push(...(await compare(folder)))
  report([
    forInformation('bare write + fsync of 1 KB', median(pairs.map(({ bare }) => bare)), 'per s'),
    forInformation('append of 1 KB in a held lock', median(pairs.map(({ ours }) => ours)), 'per s'),
    atLeast(
      'append against bare write + fsync',
      median(pairs.map(({ bare, ours }) => ours / bare)),
      'times',
      0.8,
    ),
    forInformation('the same with rotations', await compareLong(folder), 'times'),
  ])
})
