import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  beginPendingCompaction,
  endPendingCompaction,
  readPendingCompaction,
} from '../../../../src/main/store/context-window/pending-compaction'
import { contextPaths } from '../../../../src/main/store/core/home-paths'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { FileMovedError } from '../../../../src/main/store/lines/file-facts'
import { acquireContextLock } from '../../../../src/main/store/lock/context-lock'
import { openStore } from '../../../../src/main/store/open-store'
import {
  releaseActiveName,
  removeSpareName,
} from '../../../../src/main/store/partitions/partition-names'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { message } from '../../../support/entries'
import { faultyDisk } from '../../../support/faulty-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { type DiskCall, watchedDisk } from '../../../support/watched-disk'

const temp = tempFolders(memoryFolder)
const startMs = 1_780_000_000_000

async function contentsOf(store: ReturnType<typeof openStore>): Promise<string[]> {
  const contents: string[] = []
  for await (const row of requireWhole((await store.readWhole('garden')).rows))
    contents.push(row.type === 'entry' ? row.entry.content : `damaged: ${row.damaged.reason}`)
  return contents
}

it('an answer of another that comes while one is recovered stays where it is', async () => {
  const home = path.join(temp(), 'home')
  await (await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: true })).close()
  const partial = path.join(home, 'contexts/garden/partial.skein.jsonl')
  const other = `${JSON.stringify(message('of another'))}\n`
  fs.writeFileSync(partial, `${JSON.stringify(message('half'))}\n`)
  const disk: typeof nodeDisk = {
    ...nodeDisk,
    async rename(from, to) {
      if (from === partial) {
        fs.writeFileSync(`${partial}.new`, other)
        fs.renameSync(`${partial}.new`, partial)
      }
      await nodeDisk.rename(from, to)
    },
  }
  const store = openStore({ home, disk })
  await (await store.openWriter('garden', { create: false })).close()
  expect(fs.readFileSync(partial, 'utf8')).toBe(other)
  expect(await contentsOf(store)).toContain('half')
})

describe('a lock that is taken by another', () => {
  /** A home whose lock is taken, without a word, right before one call of the disk. */
  function takenAt(isThere: (call: DiskCall) => boolean) {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const home = path.join(temp(), 'home')
    const garden = path.join(home, 'contexts/garden')
    let isArmed = false
    const disk = watchedDisk({
      before(call) {
        if (!isArmed || !isThere(call)) return
        isArmed = false
        fs.rmSync(path.join(garden, '.lock'))
        fs.writeFileSync(path.join(garden, '.lock'), String(startMs / 1000 + 1))
        // In a burst of appends the lock's file is looked at every 20 ms.
        vi.advanceTimersByTime(21)
      },
    })
    const storeWith = (maxEntries: number) =>
      openStore({
        home,
        disk,
        now: () => startMs,
        storagePolicy: async () => ({ ...defaultRotationPolicy, maxEntries }),
      })
    const arm = () => {
      isArmed = true
    }
    return { garden, active: path.join(garden, 'transcript/active.jsonl'), storeWith, arm }
  }

  it('while a context is read again keeps an entry from being written', async () => {
    const ground = takenAt(({ name, path: file }) => name === 'open' && file === ground.active)
    const writer = await ground.storeWith(1000).openWriter('garden', { create: true })
    // No part of the window: nothing but the entry is to be written.
    const foreign = message('another prompt', { entry_type: 'system_prompt_changed' })
    fs.appendFileSync(ground.active, `${JSON.stringify(foreign)}\n`)
    const before = fs.readFileSync(ground.active, 'utf8')
    ground.arm()
    await expect(writer.append(message('late'))).rejects.toMatchObject({ code: 'lock-lost' })
    await writer.close()
    expect(fs.readFileSync(ground.active, 'utf8')).toBe(before)
  })

  it('in the last step of a rotation has the window built again', async () => {
    const ground = takenAt(
      ({ name, path: file }) => name === 'rename' && file.endsWith('manifest.json'),
    )
    const writer = await ground.storeWith(2).openWriter('garden', { create: true })
    ground.arm()
    await writer.append(message('another prompt', { entry_type: 'system_prompt_changed' }))
    await writer.close()
    expect(fs.existsSync(path.join(ground.garden, '.dirty'))).toBe(true)
  })

  it('while the window is built again leaves the mark that asks for it', async () => {
    let isReplaced = false
    const ground = takenAt(({ name, path: file }) => {
      isReplaced ||= name === 'rename' && file.endsWith('/context.jsonl')
      return isReplaced && name === 'syncFolder' && file === ground.garden
    })
    const store = ground.storeWith(1000)
    await (await store.openWriter('garden', { create: true })).close()
    fs.writeFileSync(path.join(ground.garden, '.dirty'), '')
    isReplaced = false
    ground.arm()
    await expect(store.openWriter('garden', { create: false })).rejects.toMatchObject({
      code: 'lock-lost',
    })
    expect(fs.existsSync(path.join(ground.garden, '.dirty'))).toBe(true)
  })

  const isSyncOfPartitions = ({ name, path: file }: DiskCall) =>
    name === 'syncFolder' && file.endsWith('/partitions')

  it.each<[when: string, isThere: (call: DiskCall) => boolean, left: string[], isSealed: boolean]>([
    [
      'its last entry is synced',
      ({ name, path: file }) => name === 'sync' && file.endsWith('active.jsonl'),
      ['active.jsonl'],
      false,
    ],
    ['its new name is synced', isSyncOfPartitions, ['active.jsonl', 'partitions'], false],
    [
      'its old name goes',
      ({ name, path: file }) => name === 'rename' && /moved-/.test(file),
      ['partitions'],
      false,
    ],
    [
      'it is sealed',
      ({ name, path: file }) => name === 'write' && file.endsWith('seals.skein.jsonl'),
      ['partitions'],
      true,
    ],
  ])('while a partition is archived, when %s, ends that', async (_, isThere, left, isSealed) => {
    const ground = takenAt(isThere)
    const writer = await ground.storeWith(2).openWriter('garden', { create: true })
    ground.arm()
    await writer.append(message('kept'))
    await writer.close()
    const transcript = path.join(ground.garden, 'transcript')
    expect(fs.readdirSync(transcript).sort()).toEqual(left)
    expect(fs.existsSync(path.join(ground.garden, 'seals.skein.jsonl'))).toBe(isSealed)
    expect(await contentsOf(ground.storeWith(1000))).toEqual(['Context created', 'kept'])
  })

  it('while context.jsonl is written has it built again', async () => {
    const ground = takenAt(
      ({ name, path: file }) => name === 'write' && file.endsWith('context.jsonl'),
    )
    const writer = await ground.storeWith(1000).openWriter('garden', { create: true })
    await writer.append(message('kept'))
    ground.arm()
    await writer.close()
    expect(fs.existsSync(path.join(ground.garden, '.dirty'))).toBe(true)
  })

  it('while context.jsonl is built again leaves the old one', async () => {
    const ground = takenAt(
      ({ name, path: file }) => name === 'sync' && /context\.tmp\./.test(path.basename(file)),
    )
    await (await ground.storeWith(1000).openWriter('garden', { create: true })).close()
    fs.writeFileSync(path.join(ground.garden, 'context.jsonl'), 'old\n')
    ground.arm()
    await expect(
      ground.storeWith(1000).openWriter('garden', { create: false }),
    ).rejects.toMatchObject({ code: 'lock-lost' })
    expect(fs.readFileSync(path.join(ground.garden, 'context.jsonl'), 'utf8')).toBe('old\n')
  })

  it('before an answer on its way is written keeps that from being written', async () => {
    const ground = takenAt(
      ({ name, path: file }) => name === 'sync' && file.endsWith('active.jsonl'),
    )
    const writer = await ground.storeWith(1000).openWriter('garden', { create: true })
    const partial = await writer.startPartial(message(''))
    ground.arm()
    await writer.append(message('kept', { entry_type: 'system_prompt_changed' }))
    partial.update('Half an answer')
    await writer.close()
    expect(fs.existsSync(path.join(ground.garden, 'partial.skein.jsonl'))).toBe(false)
  })

  it('while a rotation that was cut off is repaired leaves the name to the other', async () => {
    const ground = takenAt(
      ({ name, path: file }) => name === 'list' && file.endsWith('/partitions'),
    )
    await (await ground.storeWith(1000).openWriter('garden', { create: true })).close()
    fs.mkdirSync(path.join(ground.garden, 'transcript/partitions'))
    const name = `${startMs / 1000}-${startMs / 1000}.jsonl`
    fs.linkSync(ground.active, path.join(ground.garden, 'transcript/partitions', name))
    ground.arm()
    await expect(
      ground.storeWith(1000).openWriter('garden', { create: false }),
    ).rejects.toMatchObject({ code: 'lock-lost' })
    expect(fs.existsSync(ground.active)).toBe(true)
  })
})

it('a spare name is not removed where its other name leads to another file by now', async () => {
  const folder = temp()
  const [spare, other] = [path.join(folder, 'spare'), path.join(folder, 'other')]
  fs.writeFileSync(spare, 'words')
  fs.writeFileSync(other, 'of another')
  await removeSpareName(nodeDisk, { path: spare, other })
  expect(fs.readFileSync(spare, 'utf8')).toBe('words')
})

it('the name of the active partition is given back to a file of another that has it by now', async () => {
  const home = temp()
  const paths = contextPaths(home, 'garden')
  fs.mkdirSync(paths.partitions, { recursive: true })
  fs.writeFileSync(paths.active, 'of another')
  await expect(
    releaseActiveName({ disk: nodeDisk, paths }, paths.active, 'ours'),
  ).rejects.toBeInstanceOf(FileMovedError)
  expect(fs.readFileSync(paths.active, 'utf8')).toBe('of another')
  expect(fs.readdirSync(paths.partitions)).toEqual([])
})

it("an answer that is discarded leaves another's, which has its file by now", async () => {
  const home = temp()
  const writer = await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: true })
  const partial = await writer.startPartial(message(''))
  const { partial: file } = contextPaths(home, 'garden')
  const theirs = JSON.stringify(message('Half of theirs'))
  fs.writeFileSync(file, theirs)
  await partial.discard()
  expect(fs.readFileSync(file, 'utf8')).toBe(theirs)
  await writer.close()
})

it("the record of another's compaction is not removed with ours", async () => {
  const scope = { disk: nodeDisk, paths: { folder: temp() } }
  const [ours, theirs] = ['a', 'b'].map((id) => ({ anchor: EntryId.parse(id), summary: true }))
  if (ours === undefined || theirs === undefined) throw new Error('two')
  await beginPendingCompaction(scope, theirs)
  await endPendingCompaction(scope, ours)
  expect(await readPendingCompaction(scope)).toEqual(theirs)
})

it('lines that another program wrote to context.jsonl have it built again', async () => {
  const home = temp()
  const writer = await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: true })
  await writer.append(message('kept'))
  const { dirty, window } = contextPaths(home, 'garden')
  fs.appendFileSync(window, `${JSON.stringify(message('of another'))}\n`)
  await writer.close()
  expect(fs.existsSync(dirty)).toBe(true)
})

it("another's lock is not even moved when ours is given back", async () => {
  const folder = temp()
  const disk = faultyDisk(nodeDisk)
  const options = { disk, folder, now: () => startMs, heartbeatSeconds: 30 }
  const lock = await acquireContextLock({ ...options, waitMs: 0 })
  fs.rmSync(path.join(folder, '.lock'))
  fs.writeFileSync(path.join(folder, '.lock'), String(startMs / 1000 + 1))
  disk.plan({ fault: 'io' })
  await lock.release()
  expect(disk.kinds()).not.toContain('rename .skein')
  expect(fs.readFileSync(path.join(folder, '.lock'), 'utf8')).toBe(String(startMs / 1000 + 1))
})
