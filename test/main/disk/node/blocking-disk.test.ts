import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { blockingDisk } from '../../../../src/main/disk/node/blocking-disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()

async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  return work().catch((error: { code: unknown; message: unknown }) => [error.code, error.message])
}

/** All that a reader asks of a disk. */
async function seen(disk: Disk, target: string): Promise<unknown> {
  return [
    await outcome(() => disk.stat(target)),
    await outcome(async () => [...(await disk.list(target))].sort()),
    await outcome(async () => {
      const file = await disk.open(target, 'read')
      try {
        const bytes = Buffer.alloc(64)
        const got = await outcome(() => file.read(bytes, 2))
        return [got, bytes.toString(), await file.stat()]
      } finally {
        await file.close()
      }
    }),
  ]
}

it.skipIf(process.platform === 'win32')('shows what the real disk shows, faults too', async () => {
  const root = folder()
  fs.writeFileSync(path.join(root, 'file'), 'some bytes')
  fs.mkdirSync(path.join(root, 'folder/below'), { recursive: true })
  fs.symlinkSync('nothing', path.join(root, 'link'))
  execFileSync('mkfifo', [path.join(root, 'pipe')])
  const targets = ['.', 'file', 'folder', 'link', 'pipe', 'missing', 'file/below', 'x'.repeat(300)]
  for (const target of targets) {
    const whole = path.join(root, target)
    expect(await seen(blockingDisk(), whole), target).toEqual(await seen(nodeDisk, whole))
  }
})

it('lets its thread hear of other things each time it was busy for a while', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = path.join(folder(), 'file')
  fs.writeFileSync(file, 'x')
  const disk = blockingDisk()
  for (let times = 0; times < 2; times++) {
    let isHeard = false
    setImmediate(() => {
      isHeard = true
    })
    for (let looks = 0; looks < 100; looks++) await disk.stat(file)
    vi.advanceTimersByTime(19)
    await disk.stat(file)
    expect(isHeard).toBe(false)
    vi.advanceTimersByTime(1)
    await disk.stat(file)
    expect(isHeard).toBe(true)
  }
})

it('writes nothing through a file that was opened for reading', async () => {
  const name = path.join(folder(), 'file')
  fs.writeFileSync(name, 'x')
  const file = await blockingDisk().open(name, 'read')
  await expect(file.write(Buffer.from('y'))).rejects.toMatchObject({ code: 'denied' })
  await file.close()
  expect(fs.readFileSync(name, 'utf8')).toBe('x')
})
