import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { readContextWindow } from '../../../../src/main/store/context-window/read-window'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import type { Entry, EntryDraft } from '../../../../src/shared/model/conversation/entry'
import { jsonLine, message } from '../../../support/entries'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const policy = (maxEntries: number) => ({
  storagePolicy: async () => ({ ...defaultRotationPolicy, maxEntries, maxAgeSeconds: 1e9 }),
})
const anchor = (kept: readonly string[]): EntryDraft => ({
  ...message('Context compacted', { from: 'system', entry_type: 'compaction' }),
  metadata: { summary: 'Before.', kept },
})
/** The number of a line is told where it is known; a reading that begins in the middle does not know it. */
const plain = (entries: readonly Entry[]) => entries.map(({ line: _, ...entry }) => entry)

/** Numbers that are the same at each try. */
function drawn(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return Math.floor((state / 4294967296) * below)
  }
}

it.each([1, 2, 3, 4, 5, 6])(
  'is at every moment what is read from the disk, whoever wrote there (%i)',
  async (seed) => {
    const home = temp()
    const draw = drawn(seed)
    const store = openStore({ home, disk: nodeDisk, ...policy(5 + draw(6)) })
    const writer = await store.openWriter('garden', { create: true })
    const active = path.join(home, 'contexts/garden/transcript/active.jsonl')
    const seen = new Set<string>()
    for (let n = 1; n <= 150; n++) {
      const kind = draw(20)
      if (kind < 13) await writer.append(message(`word ${n}`))
      else if (kind < 15)
        await writer.append(message(`prompt ${n}`, { entry_type: 'system_prompt_changed' }))
      else if (kind < 17) {
        const kept = (await writer.window('refuse')).filter(() => draw(3) === 0).map(({ id }) => id)
        await writer.append(anchor(kept))
      } else if (kind < 18 && fs.existsSync(active)) {
        // Another program, which takes no lock of ours.
        fs.appendFileSync(active, `${jsonLine({ id: randomUUID(), content: `theirs ${n}` })}\n`)
        seen.add('theirs')
      } else if (fs.existsSync(active)) fs.appendFileSync(active, '{"id":"torn')
      if (draw(2) === 0) continue
      const window = await writer.window('refuse')
      expect(plain(window)).toEqual(
        plain(await readContextWindow(nodeDisk, home, 'garden', 'refuse')),
      )
      for (const one of window) if (one.entry_type !== 'message') seen.add(one.entry_type)
    }
    await writer.close()
    expect(seen).toContain('compaction')
    expect(seen).toContain('theirs')
  },
)

it('is read back to the oldest entry that is kept once, not at each look', async () => {
  const home = temp()
  const opened: string[] = []
  const disk: Disk = {
    ...nodeDisk,
    async open(file, mode) {
      if (mode === 'read') opened.push(path.basename(path.dirname(file)))
      return nodeDisk.open(file, mode)
    },
  }
  const store = openStore({ home, disk, ...policy(20) })
  const writer = await store.openWriter('garden', { create: true })
  const { entry: first } = await writer.append(message('for ever'))
  for (let n = 1; n <= 100; n++) await writer.append(message(`word ${n}`))
  await writer.append(anchor([first.id]))
  const partitions = () => opened.splice(0).filter((folder) => folder === 'partitions').length
  partitions()
  expect((await writer.window('refuse')).map(({ content }) => content)).toEqual([
    'Context compacted',
    'for ever',
  ])
  expect(partitions()).toBeGreaterThanOrEqual(5)
  for (let n = 1; n <= 10; n++) {
    await writer.append(message(`after ${n}`))
    expect(await writer.window('refuse')).toHaveLength(2 + n)
  }
  expect(partitions()).toBe(0)
  await writer.close()
})

it('cannot be changed by who was given it', async () => {
  const writer = await openStore({ home: temp(), disk: nodeDisk }).openWriter('garden', {
    create: true,
  })
  await writer.append(message('mine'))
  const given = (await writer.window('refuse')) as Entry[]
  given.length = 0
  expect((await writer.window('refuse')).map(({ content }) => content)).toContain('mine')
  await writer.close()
})

it('and the notes are read without a look at the archived partitions', async () => {
  const home = temp()
  const looked: string[] = []
  const disk: Disk = {
    ...nodeDisk,
    stat(file) {
      looked.push(path.basename(path.dirname(file)))
      return nodeDisk.stat(file)
    },
  }
  const store = openStore({ home, disk, ...policy(5) })
  const first = await store.openWriter('garden', { create: true })
  for (let n = 1; n <= 50; n++) await first.append(message(`word ${n}`))
  await first.append(anchor([]))
  await first.append(message('after it'))
  await first.close()
  const writer = await store.openWriter('garden', { create: false })
  await writer.append(message('a question'))
  looked.length = 0
  expect((await writer.window('refuse')).map(({ content }) => content)).toEqual([
    'Context compacted',
    'after it',
    'a question',
  ])
  await store.readNotes('garden')
  expect(looked).toContain('contexts')
  expect(looked).not.toContain('partitions')
  await writer.close()
  await expect(store.readNotes('shed')).rejects.toMatchObject({ code: 'not-found' })
  await expect(store.readNotes('../garden')).rejects.toMatchObject({ code: 'not-found' })
})
