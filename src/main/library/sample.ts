import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { EntryDraft, EntryId } from '../../shared/model/conversation/entry'
import type { Disk } from '../disk/interface/disk'
import { readSmallText } from '../disk/reading/read'
import { appendDurably } from '../disk/writing/append'
import { renameFile, replaceFile } from '../disk/writing/atomic'
import { makeDurableFolder } from '../disk/writing/durable-folder'
import { openStore } from '../store/open-store'

/** One conversation of `resources/sample/`: what our own writers turn into a context. */
const SampleConversation = z.object({
  name: z.string(),
  /** Seconds before the moment at which the library is made. */
  createdAt: z.number(),
  entries: z.array(
    EntryDraft.omit({ id: true, timestamp: true }).extend({
      /** Seconds after the entry before. */
      after: z.number(),
    }),
  ),
  todos: z.string().optional(),
  goals: z.string().optional(),
  summary: z.string().optional(),
  /** Bytes that stand in the file as they are, after the nth entry: the damaged line. */
  rawLines: z.array(z.object({ afterEntry: z.int(), bytes: z.string() })).optional(),
})
type SampleConversation = z.infer<typeof SampleConversation>

/**
 * Makes a sample library at `home` from the conversations in `folder`, with the store's own writers. It is made beside
 * its place and renamed at the end, so a home there is always complete; an existing one is left as it is, with
 * everything that a person has written into it. Takes about a second.
 *
 * @throws DiskError
 */
export async function makeSampleLibrary(
  disk: Disk,
  folder: string,
  home: string,
  now: () => number = Date.now,
): Promise<void> {
  if ((await disk.stat(home)) !== undefined) return
  const draft = `${home}.${randomUUID()}`
  await makeDurableFolder(disk, draft)
  const names = (await disk.list(folder)).filter((name) => name.endsWith('.json')).sort()
  for (const name of names) {
    const text = await readSmallText(disk, path.join(folder, name))
    const source = SampleConversation.parse(JSON.parse(text ?? ''))
    await writeConversation(disk, draft, source, Math.floor(now() / 1000))
  }
  await renameFile(disk, draft, home)
  await disk.syncFolder(path.dirname(home))
}

async function writeConversation(
  disk: Disk,
  home: string,
  source: SampleConversation,
  nowSeconds: number,
): Promise<void> {
  let clock = nowSeconds - source.createdAt
  const store = openStore({ home, disk, now: () => clock * 1000 })
  const context = path.join(home, 'contexts', source.name)
  const active = path.join(context, 'transcript', 'active.jsonl')
  const writer = await store.openWriter(source.name, { create: true })
  try {
    for (const [index, { after, ...entry }] of source.entries.entries()) {
      clock += after
      await writer.append({ ...entry, id: EntryId.parse(randomUUID()), timestamp: clock })
      for (const raw of source.rawLines ?? [])
        if (raw.afterEntry === index + 1)
          await appendDurably(disk, active, encode(raw.bytes.trimEnd()))
    }
  } finally {
    await writer.close()
  }
  for (const note of ['todos', 'goals', 'summary'] as const) {
    const text = source[note]
    if (text !== undefined) await replaceFile(disk, path.join(context, `${note}.md`), encode(text))
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
