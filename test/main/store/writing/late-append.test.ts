import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { message } from '../../../support/entries'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const startMs = 1_780_000_000_000

/** A home whose writer is stopped once, right before or right behind its next write to the active partition. */
function stoppedAtWrite(when: 'before' | 'behind') {
  const home = path.join(temp(), 'home')
  const garden = path.join(home, 'contexts/garden')
  const active = path.join(garden, 'transcript/active.jsonl')
  const meanwhile: (() => Promise<void>)[] = []
  const stop = async (at: typeof when) => {
    if (at === when) await meanwhile.shift()?.()
  }
  const disk: Disk = {
    ...nodeDisk,
    async open(target, mode, permissions) {
      const file = await nodeDisk.open(target, mode, permissions)
      if (target !== active) return file
      return {
        ...file,
        async write(bytes) {
          await stop('before')
          const written = await file.write(bytes)
          await stop('behind')
          return written
        },
      }
    },
  }
  const storeWith = (maxEntries: number, on = nodeDisk) =>
    openStore({
      home,
      disk: on,
      now: () => startMs,
      storagePolicy: async () => ({ ...defaultRotationPolicy, maxEntries }),
    })
  return { home, garden, active, store: storeWith(1000, disk), storeWith, meanwhile }
}

async function contentsOf(store: ReturnType<typeof openStore>): Promise<string[]> {
  const contents: string[] = []
  for await (const row of requireWhole((await store.readWhole('garden')).rows))
    contents.push(row.type === 'entry' ? row.entry.content : `damaged: ${row.damaged.reason}`)
  return contents
}

describe('an append whose file is not the active one any more', () => {
  it('is written again, once, where an older copy of the file took its place with the write under way', async () => {
    const { active, store, meanwhile } = stoppedAtWrite('behind')
    const writer = await store.openWriter('garden', { create: true })
    await writer.append(message('one'))
    const older = fs.readFileSync(active)
    meanwhile.push(async () => {
      fs.writeFileSync(`${active}.copy`, older)
      fs.renameSync(`${active}.copy`, active)
    })
    const { entry } = await writer.append(message('two'))
    await writer.append(message('three'))
    await writer.close()
    expect(await contentsOf(store)).toEqual(['Context created', 'one', 'two', 'three'])
    const { bytes } = await store.readLine('garden', entry.file, entry.offset, entry.length)
    expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ content: 'two' })
  })

  it('is refused, and is nowhere, where the lock went with the file', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { garden, active, store, meanwhile } = stoppedAtWrite('behind')
    const writer = await store.openWriter('garden', { create: true })
    const older = fs.readFileSync(active)
    meanwhile.push(async () => {
      fs.writeFileSync(`${active}.copy`, older)
      fs.renameSync(`${active}.copy`, active)
      fs.rmSync(path.join(garden, '.lock'))
      fs.writeFileSync(path.join(garden, '.lock'), String(startMs / 1000 + 1))
      // In a burst of appends the lock's file is looked at every 20 ms.
      vi.advanceTimersByTime(21)
    })
    await expect(writer.append(message('two'))).rejects.toMatchObject({ code: 'lock-lost' })
    await writer.close()
    expect(await contentsOf(store)).toEqual(['Context created'])
  })

  it('is told where it stands, and its seal stays whole, where another has archived and sealed the file', async () => {
    const { garden, store, storeWith, meanwhile } = stoppedAtWrite('before')
    const writer = await store.openWriter('garden', { create: true })
    await writer.append(message('one'))
    meanwhile.push(async () => {
      // As if it had been stopped until its lock was taken by somebody who knows it to be dead.
      fs.rmSync(path.join(garden, '.lock'))
      const other = await storeWith(3).openWriter('garden', { create: false })
      await other.append(message('of another'))
      await other.close()
    })
    const { entry } = await writer.append(message('late'))
    await writer.close()
    expect(entry.file).toBe(
      `contexts/garden/transcript/partitions/${startMs / 1000}-${startMs / 1000}.jsonl`,
    )
    expect(entry.line).toBe(4)
    const reader = storeWith(1000)
    expect(await contentsOf(reader)).toEqual(['Context created', 'one', 'of another', 'late'])
    const { bytes } = await reader.readLine('garden', entry.file, entry.offset, entry.length)
    expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ content: 'late' })
    expect(await reader.verify('garden')).toEqual([
      expect.objectContaining({ sealed: true, ok: true, lines: 4, damaged: 0 }),
    ])
    // The window is built again by whoever opens it next.
    const next = await reader.openWriter('garden', { create: false })
    expect((await next.window('refuse')).at(-1)?.content).toBe('late')
    await next.close()
    expect(fs.readFileSync(path.join(garden, 'context.jsonl'), 'utf8')).toContain('"late"')
  })

  it('has the window built again where it begins another one, which that other did not see', async () => {
    const { garden, store, storeWith, meanwhile } = stoppedAtWrite('before')
    const writer = await store.openWriter('garden', { create: true })
    meanwhile.push(async () => {
      fs.rmSync(path.join(garden, '.lock'))
      const other = await storeWith(2).openWriter('garden', { create: false })
      await other.append(message('of another'))
      await other.close()
    })
    await writer.append(message('Context archived/cleared', { entry_type: 'archival' }))
    expect(fs.existsSync(path.join(garden, '.dirty'))).toBe(true)
    await writer.close()
  })
})
