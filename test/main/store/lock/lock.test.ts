import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { acquireContextLock } from '../../../../src/main/store/lock/context-lock'
import { inspectLock } from '../../../../src/main/store/lock/lock-files'
import { openStore } from '../../../../src/main/store/open-store'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const fixtures = path.join(__dirname, '../../../fixtures/chibi')

/** A folder with a lock file that was last written long ago, by somebody else, unless told otherwise. */
function folderWith(lock: string | undefined, writtenMs = Date.now() - 10_000) {
  const folder = temp()
  const file = path.join(folder, '.lock')
  if (lock !== undefined) {
    fs.writeFileSync(file, lock)
    fs.utimesSync(file, writtenMs / 1000, writtenMs / 1000)
  }
  let nowMs = 1_770_000_000_000
  const options = { disk: nodeDisk, folder, now: () => nowMs, heartbeatSeconds: 30 }
  return { folder, file, options, setNow: (ms: number) => (nowMs = ms) }
}

describe('a lock of chibi', () => {
  it('is live for 45 seconds and stale from the 46th on', async () => {
    const expected = JSON.parse(
      fs.readFileSync(path.join(fixtures, 'home-v09/contexts/locked/expected.json'), 'utf8'),
    )
    const { options, setNow } = folderWith(String(expected.lock_timestamp))
    for (const [seconds, isStale] of Object.entries(expected.lock_is_stale_at)) {
      setNow(Number(seconds) * 1000)
      expect((await inspectLock(options)).type).toBe(isStale ? 'stale' : 'held')
    }
  })

  it('is reported at once while it is live, and left alone', async () => {
    const { options, file } = folderWith('1770000000')
    // It would never be given back.
    await expect(
      acquireContextLock({ ...options, waitMs: Number.POSITIVE_INFINITY }),
    ).rejects.toMatchObject({
      code: 'locked',
      detail: 'chibi',
    })
    expect(fs.readFileSync(file, 'utf8')).toBe('1770000000')
  })

  it('is shown with its holder and times', async () => {
    const home = temp()
    fs.cpSync(path.join(fixtures, 'home-v09'), home, { recursive: true })
    const at = (seconds: number) => openStore({ home, disk: nodeDisk, now: () => seconds * 1000 })
    expect(await at(1_770_000_045).lockState('locked')).toEqual({
      state: 'held',
      holder: 'chibi',
      beatAt: 1_770_000_000,
      staleAt: 1_770_000_046,
    })
    expect(await at(1_770_000_046).lockState('locked')).toEqual({ state: 'free' })
    expect((await at(1_770_000_045).findContext('locked'))?.lock.state).toBe('held')
  })

  it('is taken over when it is stale or no number, with its own heartbeat', async () => {
    for (const [content, heartbeatSeconds] of [
      ['1769999954', 30],
      ['1769999998', 1],
      ['soon', 30],
      ['17700000000000000', 30],
      ['-5', 30],
    ] as const) {
      const { options, file, folder } = folderWith(content)
      const lock = await acquireContextLock({ ...options, heartbeatSeconds, waitMs: 0 })
      expect(fs.readFileSync(file, 'utf8')).toBe('1770000000')
      await lock.release()
      expect(fs.readdirSync(folder)).toEqual([])
    }
  })

  it('that chibi renews right before it is taken over stays chibi’s', async () => {
    const { options, file, folder } = folderWith('1769999000')
    const disk = {
      ...nodeDisk,
      async rename(from: string, to: string) {
        // Between the look that finds it stale and the step that takes it away.
        if (from === file) fs.writeFileSync(file, '1770000000')
        await nodeDisk.rename(from, to)
      },
    }
    await expect(acquireContextLock({ ...options, disk, waitMs: 0 })).rejects.toMatchObject({
      code: 'locked',
      detail: 'chibi',
    })
    expect(fs.readFileSync(file, 'utf8')).toBe('1770000000')
    expect(fs.readdirSync(folder)).toEqual(['.lock'])
  })

  it('with a time that lies further ahead than a heartbeat can is judged by the age of its file', async () => {
    const now = Date.now()
    const year = String(Math.floor(now / 1000) + 365 * 24 * 3600)
    const old = folderWith(year, now - 3 * 24 * 3600_000)
    old.setNow(now)
    expect((await inspectLock(old.options)).type).toBe('stale')
    const lock = await acquireContextLock({ ...old.options, waitMs: 0 })
    expect(fs.readFileSync(old.file, 'utf8')).toBe(String(Math.floor(now / 1000)))
    await lock.release()
    // Of a clock that is set back by less nobody is taken for gone.
    const near = folderWith(String(Math.floor(now / 1000) + 40), now - 3 * 24 * 3600_000)
    near.setNow(now)
    expect((await inspectLock(near.options)).type).toBe('held')
  })

  it('with such a time and a young file is left alone, and it is said how to free it', async () => {
    const now = Date.now()
    // The file's own time lies ahead, too, where both were written before the clock was set back.
    for (const written of [now - 20_000, now + 365 * 24 * 3600_000]) {
      const { options, file, setNow } = folderWith(String(Math.floor(now / 1000) + 99_999), written)
      setNow(now)
      await expect(acquireContextLock({ ...options, waitMs: 0 })).rejects.toMatchObject({
        code: 'locked',
        message: expect.stringMatching(
          /is in use by chibi\. .*dated in the future: .* delete .*\.lock\.$/,
        ),
      })
      expect(fs.existsSync(file)).toBe(true)
    }
  })

  it('that is empty is being written, until it is too old for that', async () => {
    const now = Date.now()
    const young = folderWith('', now - 40_000)
    young.setNow(now)
    expect(await inspectLock(young.options)).toMatchObject({ type: 'held', owner: undefined })
    const old = folderWith('', now - 50_000)
    old.setNow(now)
    expect((await inspectLock(old.options)).type).toBe('stale')
  })
})

describe('what is no lock and has its name', () => {
  it.skipIf(process.platform === 'win32').each<[string, (file: string) => void]>([
    ['a folder', (file) => fs.mkdirSync(file)],
    ['a link that leads nowhere', (file) => fs.symlinkSync(`${file}-elsewhere`, file)],
    ['a link that leads nowhere', (file) => fs.symlinkSync(file, file)],
    ['not a file', (file) => void execFileSync('mkfifo', [file])],
  ])('is named, with how it goes, and left alone: %s', async (what, make) => {
    const home = temp()
    const store = openStore({ home, disk: nodeDisk, now: () => 1_770_000_000_000 })
    await store.openWriter('garden', { create: true }).then((made) => made.close())
    const file = path.join(home, 'contexts/garden/.lock')
    make(file)
    const names = fs.readdirSync(path.dirname(file))
    await expect(store.openWriter('garden', { create: false })).rejects.toMatchObject({
      code: 'read-only',
      message: `garden cannot be written to: ${file} is ${what}, and no program can lock the conversation. Move it away or delete it.`,
    })
    await expect(store.contexts.clear('garden')).rejects.toMatchObject({ code: 'read-only' })
    expect(fs.readdirSync(path.dirname(file))).toEqual(names)
    // It is listed and read as ever.
    const [listed] = await store.listContexts()
    expect(listed).toMatchObject({ lock: { state: 'free' }, files: [{ kind: 'active' }] })
    expect((await store.readPage('garden', 'end', 9)).rows).toHaveLength(1)
    fs.rmSync(file, { recursive: true })
    await store.openWriter('garden', { create: false }).then((writer) => writer.close())
  })

  it('a link to a file of somebody else is judged by that, and goes without it', async () => {
    const { options, file, folder } = folderWith(undefined)
    const other = path.join(folder, 'other')
    fs.writeFileSync(other, '7')
    fs.symlinkSync(other, file)
    const lock = await acquireContextLock({ ...options, waitMs: 0 })
    expect(fs.lstatSync(file).isFile()).toBe(true)
    await lock.release()
    expect(fs.readFileSync(other, 'utf8')).toBe('7')
    expect(fs.readdirSync(folder)).toEqual(['other'])
  })
})

describe('a lock of ours', () => {
  it('is given back without hurting one that chibi took over right before', async () => {
    const { options, file, folder } = folderWith(undefined)
    const disk = {
      ...nodeDisk,
      async rename(from: string, to: string) {
        if (from === file) {
          fs.writeFileSync(`${file}.chibi`, '1770000000')
          fs.renameSync(`${file}.chibi`, file)
        }
        await nodeDisk.rename(from, to)
      },
    }
    const lock = await acquireContextLock({ ...options, disk, waitMs: 0 })
    await lock.release()
    expect(fs.readFileSync(file, 'utf8')).toBe('1770000000')
    expect(fs.readdirSync(folder)).toEqual(['.lock'])
    expect(await inspectLock(options)).toMatchObject({ type: 'held', owner: undefined })
  })

  it('is lost when a beat took so long that another may have taken it', async () => {
    const { options, setNow, folder } = folderWith(undefined)
    const disk = {
      ...nodeDisk,
      async rename(from: string, to: string) {
        // As if stopped right before: what stands there by then may be another's.
        if (to.endsWith('.lock')) setNow(1_770_000_100_000)
        await nodeDisk.rename(from, to)
      },
    }
    const lock = await acquireContextLock({ ...options, disk, waitMs: 0 })
    await lock.beat()
    expect(lock.lost.aborted).toBe(true)
    await expect(lock.check()).rejects.toMatchObject({ code: 'lock-lost' })
    fs.rmSync(folder, { recursive: true })
  })

  it('is beaten at each heartbeat, and named all the while', async () => {
    const { options, file, setNow } = folderWith(undefined)
    const lock = await acquireContextLock({ ...options, waitMs: 0 })
    for (let seconds = 30; seconds <= 90; seconds += 30) {
      setNow(1_770_000_000_000 + seconds * 1000)
      await lock.beat()
      expect(fs.readFileSync(file, 'utf8')).toBe(String(1_770_000_000 + seconds))
      expect(await inspectLock(options)).toMatchObject({
        type: 'held',
        owner: { pid: process.pid },
      })
      await lock.check()
    }
    await lock.release()
  })

  it('beats by itself', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const { options, file, setNow } = folderWith(undefined)
      const lock = await acquireContextLock({ ...options, waitMs: 0 })
      setNow(1_770_000_030_000)
      vi.advanceTimersByTime(30_000)
      await expect.poll(() => fs.readFileSync(file, 'utf8')).toBe('1770000030')
      await lock.release()
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is made sure of before a write when more time has passed than others wait', async () => {
    const { options, file, setNow } = folderWith(undefined)
    const lock = await acquireContextLock({ ...options, waitMs: 0 })
    // A suspend: the timer has not run.
    setNow(1_770_000_100_000)
    await lock.check()
    expect(fs.readFileSync(file, 'utf8')).toBe('1770000100')
    // The clock set back: how old our beat seems to others is unknown.
    setNow(1_770_000_050_000)
    await lock.check()
    expect(fs.readFileSync(file, 'utf8')).toBe('1770000050')
    await lock.release()
  })

  it('is lost when its file is gone, is another, or was written by another', async () => {
    for (const change of [
      (file: string) => fs.rmSync(file),
      (file: string) => fs.writeFileSync(file, '1770000001'),
      (file: string) => {
        fs.writeFileSync(`${file}.other`, '1770000000')
        fs.renameSync(`${file}.other`, file)
      },
    ]) {
      const { options, file, folder } = folderWith(undefined)
      const lock = await acquireContextLock({ ...options, waitMs: 0 })
      change(file)
      const left = fs.existsSync(file) && fs.readFileSync(file, 'utf8')
      await expect(lock.check()).rejects.toMatchObject({ code: 'lock-lost' })
      expect(lock.lost.aborted).toBe(true)
      await lock.release()
      expect(fs.existsSync(file) && fs.readFileSync(file, 'utf8')).toBe(left)
      expect(fs.readdirSync(folder)).toContain('.lock.skein')
    }
  })

  it('is lost when it cannot be beaten for so long that others may take it', async () => {
    const { options, setNow, folder } = folderWith(undefined)
    const lock = await acquireContextLock({ ...options, waitMs: 0 })
    const denied = vi.spyOn(nodeDisk, 'rename').mockRejectedValue(new Error('no'))
    try {
      setNow(1_770_000_040_000)
      await lock.beat()
      await lock.check()
      setNow(1_770_000_046_000)
      await lock.beat()
      expect(lock.lost.aborted).toBe(true)
    } finally {
      denied.mockRestore()
    }
    fs.rmSync(folder, { recursive: true })
  })

  it('is no longer waited for once the wait is cancelled', async () => {
    const { options } = folderWith(undefined)
    const lock = await acquireContextLock({ ...options, waitMs: 0 })
    const waiting = new AbortController()
    const second = acquireContextLock({ ...options, waitMs: 60_000, signal: waiting.signal })
    waiting.abort()
    await expect(second).rejects.toMatchObject({ code: 'cancelled' })
    await lock.release()
  })
})
