import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  createExclusive,
  tryExclusive,
  whenExclusive,
} from '../../../../src/main/disk/process/exclusive'
import {
  isAlive,
  isDead,
  isSameProcess,
  ownStamp,
  type ProcessStamp,
} from '../../../../src/main/disk/process/process-stamp'
import { faultyDisk } from '../../../support/faulty-disk'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
/** Longer than any of this takes on the slowest machine. */
const longMs = 600_000

/** The stamp of a process that was just killed. */
async function deadStamp(): Promise<ProcessStamp> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await once(child, 'spawn')
  const stamp = { ...ownStamp(), pid: child.pid ?? 0, startTime: startTimeOf(child.pid ?? 0) }
  expect(isDead(stamp)).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'close')
  return stamp
}

function startTimeOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

describe('a process', () => {
  it('reads of itself once what stays the same', () => {
    const first = ownStamp()
    const read = vi.spyOn(fs, 'readFileSync')
    onTestFinished(() => read.mockRestore())
    expect(ownStamp()).toEqual(first)
    expect(isAlive({ ...first, boot: 'another' })).toBe(false)
    expect(read).not.toHaveBeenCalled()
  })

  it('is known to be dead once it was killed, and to live before', async () => {
    expect(isDead(ownStamp())).toBe(false)
    expect(isSameProcess(ownStamp(), ownStamp())).toBe(true)
    expect(isDead(await deadStamp())).toBe(true)
  })

  it.runIf(process.platform === 'linux')(
    'is dead when its pid belongs to another by now, or the machine was started anew',
    () => {
      expect(isDead({ ...ownStamp(), startTime: '1' })).toBe(true)
      expect(isDead({ ...ownStamp(), boot: 'another' })).toBe(true)
    },
  )

  it('is not known to be dead on another host or in another container', () => {
    const gone = { ...ownStamp(), pid: 2 ** 22 + 1, startTime: '1' }
    expect(isDead(gone)).toBe(true)
    expect(isDead({ ...gone, host: `not-${os.hostname()}` })).toBe(false)
    expect(isDead({ ...gone, namespace: 'pid:[1]' })).toBe(process.platform !== 'linux')
  })
})

describe('an exclusive file', () => {
  it('is created whole, once, with or without hard links', async () => {
    for (const disk of [
      nodeDisk,
      { ...nodeDisk, link: faultyDisk(nodeDisk, { at: 1, fault: 'denied', forEver: true }).link },
    ]) {
      const file = path.join(temp(), 'x')
      const identity = await createExclusive(disk, file, Buffer.from('mine'), { sync: true })
      expect((await nodeDisk.stat(file))?.identity).toBe(identity)
      expect(
        await createExclusive(disk, file, Buffer.from('other'), { sync: true }),
      ).toBeUndefined()
      expect([fs.readFileSync(file, 'utf8'), fs.readdirSync(path.dirname(file))]).toEqual([
        'mine',
        ['x'],
      ])
    }
  })

  it('lets one piece of work in at a time, and goes when the work fails', async () => {
    const gate = path.join(temp(), 'gate')
    let [inside, most, ended, refused] = [0, 0, 0, 0]
    const disk: Disk = {
      ...nodeDisk,
      link: (from, to) =>
        nodeDisk.link(from, to).catch((error: unknown) => {
          refused += 1
          throw error
        }),
    }
    const work = async () => {
      most = Math.max(most, ++inside)
      // Somebody comes while it works, but for the last.
      const before = refused
      await expect.poll(() => refused > before || ended === 11).toBe(true)
      ended += 1
      return --inside
    }
    const done = await Promise.all(
      Array.from({ length: 12 }, () => whenExclusive(disk, gate, longMs, work)),
    )
    expect([most, done.every((one) => one?.value === 0)]).toEqual([1, true])
    await expect(
      tryExclusive(nodeDisk, gate, () => Promise.reject(new Error('no'))),
    ).rejects.toThrow('no')
    expect(fs.readdirSync(path.dirname(gate))).toEqual([])
  })

  it('is not waited for longer than told', async () => {
    const gate = path.join(temp(), 'gate')
    const outer = await tryExclusive(nodeDisk, gate, () =>
      whenExclusive(nodeDisk, gate, 20, async () => 1),
    )
    expect(outer).toEqual({ value: undefined })
  })

  it('is cleared when its owner was killed, also when the one who cleared it was killed too', async () => {
    const gate = path.join(temp(), 'gate')
    const owner = await deadStamp()
    fs.writeFileSync(gate, JSON.stringify({ token: '0000000a', owner }))
    fs.writeFileSync(`${gate}.0000000a`, JSON.stringify({ token: '0000000b', owner }))
    const done = await Promise.all(
      Array.from({ length: 6 }, (_, i) => whenExclusive(nodeDisk, gate, longMs, async () => i)),
    )
    expect(done.map((one) => one?.value)).toEqual([0, 1, 2, 3, 4, 5])
    expect(fs.readdirSync(path.dirname(gate))).toEqual([])
  })

  it('is cleared when it is a minute old, whoever left it', async () => {
    const gate = path.join(temp(), 'gate')
    fs.writeFileSync(gate, '')
    expect(await whenExclusive(nodeDisk, gate, 30, async () => 1)).toBeUndefined()
    const old = new Date(Date.now() - 61_000)
    fs.utimesSync(gate, old, old)
    expect(await whenExclusive(nodeDisk, gate, longMs, async () => 1)).toEqual({ value: 1 })
  })

  it.runIf(process.platform === 'linux')(
    'stays with a process that is stopped, however old it grows, until that is gone',
    async () => {
      const gate = path.join(temp(), 'gate')
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      await once(child, 'spawn')
      child.kill('SIGSTOP')
      const owner = { ...ownStamp(), pid: child.pid ?? 0, startTime: startTimeOf(child.pid ?? 0) }
      expect([isAlive(owner), isDead(owner)]).toEqual([true, false])
      fs.writeFileSync(gate, JSON.stringify({ token: '0000000a', owner }))
      const old = new Date(Date.now() - 3600_000)
      fs.utimesSync(gate, old, old)
      expect(await whenExclusive(nodeDisk, gate, 30, async () => 1)).toBeUndefined()
      child.kill('SIGKILL')
      await once(child, 'close')
      expect([isAlive(owner), isDead(owner)]).toEqual([false, true])
      expect(await whenExclusive(nodeDisk, gate, 20_000, async () => 1)).toEqual({ value: 1 })
    },
  )

  it('that this process could not remove holds up nobody', async () => {
    const gate = path.join(temp(), 'gate')
    const disk: Disk = { ...nodeDisk, rename: () => Promise.reject(new Error('no')) }
    // The work is done, whatever becomes of the gate.
    expect(await tryExclusive(disk, gate, async () => 1)).toEqual({ value: 1 })
    expect(fs.existsSync(gate)).toBe(true)
    expect(await whenExclusive(nodeDisk, gate, 20_000, async () => 1)).toEqual({ value: 1 })
    expect(fs.existsSync(gate)).toBe(false)
  })

  it('that a full disk takes half of is not left behind, with or without hard links', async () => {
    const file = path.join(temp(), 'x')
    // The first of the calls that count creates a file, the next writes to it; without links it is tried once more.
    for (const link of [nodeDisk.link, () => Promise.reject(new DiskError('denied', file, 'no'))])
      for (const at of [2, 4, 5, 6]) {
        const faulty = faultyDisk(nodeDisk, { at, fault: 'short-write' })
        await createExclusive({ ...faulty, link }, file, Buffer.from('mine'), { sync: true })
          .then(() => nodeDisk.unlink(file))
          .catch((error: unknown) => expect(error).toMatchObject({ code: 'no-space' }))
        expect(fs.existsSync(file)).toBe(false)
      }
  })
})

it('a claim that another has by now is not given back', async () => {
  const file = path.join(temp(), 'gate')
  const theirs = JSON.stringify({ token: '0badcafe', owner: ownStamp(), thread: 0 })
  await tryExclusive(nodeDisk, file, async () => {
    fs.rmSync(file)
    fs.writeFileSync(file, theirs)
  })
  expect(fs.readFileSync(file, 'utf8')).toBe(theirs)
})
