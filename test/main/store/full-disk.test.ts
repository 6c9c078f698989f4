import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, DiskError, type DiskFile } from '../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { isTemporaryName } from '../../../src/main/disk/writing/atomic'
import { acquireContextLock } from '../../../src/main/store/lock/context-lock'
import { inspectLock } from '../../../src/main/store/lock/lock-files'
import { openStore } from '../../../src/main/store/open-store'
import { message } from '../../support/entries'
import { untilNoneIsLeft } from '../../support/every-call'
import { type Fault, type FaultPlan, faultyDisk } from '../../support/faulty-disk'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const nowMs = 1_780_000_000_000

/** A disk that can be full: then nothing is created, named, grown or written, and what is there can be renamed over and removed. */
function fillingDisk(): { readonly disk: Disk; fill(isFull: boolean): void; refused(): number } {
  let isFull = false
  let refused = 0
  const fill = (next: boolean) => {
    isFull = next
  }
  const space = (target: string) => {
    if (!isFull) return
    refused += 1
    throw new DiskError('no-space', target, `${target}: the disk is full`)
  }
  const file = (target: string, opened: DiskFile): DiskFile => ({
    ...opened,
    async write(bytes) {
      space(target)
      return opened.write(bytes)
    },
  })
  const disk: Disk = {
    ...nodeDisk,
    async open(target, mode, permissions) {
      if (mode !== 'read' && !fs.existsSync(target)) space(target)
      return file(target, await nodeDisk.open(target, mode, permissions))
    },
    async makeFolder(folder, permissions) {
      space(folder)
      return nodeDisk.makeFolder(folder, permissions)
    },
    async rename(from, to) {
      if (!fs.existsSync(to)) space(to)
      return nodeDisk.rename(from, to)
    },
    async link(from, to) {
      space(to)
      return nodeDisk.link(from, to)
    },
  }
  return { disk, fill, refused: () => refused }
}

const lockOptions = (folder: string, disk: Disk) => ({
  disk,
  folder,
  now: () => nowMs,
  heartbeatSeconds: 30,
})

describe('a lock on a full disk', () => {
  it('is given back, though there is no room for another file or name', async () => {
    const folder = temp()
    const { disk, fill, refused } = fillingDisk()
    const lock = await acquireContextLock({ ...lockOptions(folder, disk), waitMs: 0 })
    fill(true)
    await lock.release()
    expect(refused()).toBeGreaterThan(0)
    expect(fs.readdirSync(folder)).toEqual([])
  })

  it('leaves no half written file when it cannot be beaten, and is still held', async () => {
    const folder = temp()
    const { disk, fill } = fillingDisk()
    const lock = await acquireContextLock({ ...lockOptions(folder, disk), waitMs: 0 })
    const before = fs.readdirSync(folder).sort()
    for (const full of [true, false]) {
      fill(full)
      await lock.beat()
      expect(fs.readdirSync(folder).sort()).toEqual(before)
      await lock.check()
    }
    await lock.release()
  })

  it('is given back by a writer whose append was refused, and the conversation goes on when there is space', async () => {
    const home = temp()
    const { disk, fill } = fillingDisk()
    const storeAt = (on: Disk) => openStore({ home, disk: on, now: () => nowMs })
    await storeAt(nodeDisk)
      .openWriter('garden', { create: true })
      .then((made) => made.close())
    const writer = await storeAt(disk).openWriter('garden', { create: false })
    fill(true)
    await expect(writer.append(message('no room'))).rejects.toMatchObject({ code: 'disk-full' })
    await writer.close()
    fill(false)
    // As another process, which knows nothing of who holds what: the folder has no lock at all.
    const names = fs.readdirSync(path.join(home, 'contexts/garden'))
    expect(names.filter((name) => name.startsWith('.lock'))).toEqual([])
    const next = await storeAt(nodeDisk).openWriter('garden', { create: false, waitMs: 0 })
    await next.append(message('room again'))
    await next.close()
  })
})

describe('a lock that is given back while the disk fails', () => {
  const faults: readonly Fault[] = ['no-space', 'short-write', 'io', 'done-then-io', 'denied']

  /** Gives a lock back with a fault at its nth change of the disk, for each n until none is left. */
  const atEachCall = (plan: FaultPlan, then: (folder: string) => Promise<void>) =>
    untilNoneIsLeft(async (at) => {
      const folder = temp()
      const disk = faultyDisk(nodeDisk)
      const lock = await acquireContextLock({ ...lockOptions(folder, disk), waitMs: 0 })
      disk.plan({ ...plan, at })
      await lock.release().catch((error: unknown) => expect(error).toBeInstanceOf(DiskError))
      await then(folder)
      return disk.calls() < at
    })

  it.each(faults)('is gone, and so is its gate, whichever call fails once: %s', async (fault) => {
    const tried = await atEachCall({ fault }, async (folder) => {
      const names = fs.readdirSync(folder).filter((name) => !isTemporaryName(name))
      // What says whose the lock was speaks of none that stands.
      expect(names.filter((name) => name !== '.lock.skein')).toEqual([])
      expect(await inspectLock(lockOptions(folder, nodeDisk))).toEqual({ type: 'free' })
    })
    expect(tried).toBeGreaterThan(5)
  })

  it.each(faults)(
    'is free to this process at once, if the disk fails for good: %s',
    async (fault) => {
      const tried = await atEachCall({ fault, forEver: true }, async (folder) => {
        expect(await inspectLock(lockOptions(folder, nodeDisk))).not.toMatchObject({ type: 'held' })
        const next = await acquireContextLock({ ...lockOptions(folder, nodeDisk), waitMs: 0 })
        await next.check()
        await next.release()
        expect(fs.existsSync(path.join(folder, '.lock'))).toBe(false)
      })
      expect(tried).toBeGreaterThan(5)
    },
  )

  it('that this process still holds is not free to it', async () => {
    const options = lockOptions(temp(), nodeDisk)
    const lock = await acquireContextLock({ ...options, waitMs: 0 })
    await expect(acquireContextLock({ ...options, waitMs: 0 })).rejects.toMatchObject({
      code: 'locked',
    })
    await lock.release()
  })
})
