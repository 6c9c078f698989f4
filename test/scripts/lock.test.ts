import fs from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { withLock } from '../../scripts/setup/lock.mjs'
import { type Script, scripts, startScript } from './support/script'
import { tempFolder } from './support/temp-folder'

/** Adds one to a number in a file, slowly enough that two at once would lose one. */
function startCounting(folder: string, file: string): Script {
  return startScript(`
    import fs from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { withLock } from '${scripts}/setup/lock.mjs'
    await withLock('count', async () => {
      const before = Number(fs.readFileSync('${file}', 'utf8'))
      await sleep(20)
      fs.writeFileSync('${file}', String(before + 1))
    }, '${folder}')
  `)
}

/** Takes the lock, says so, and never gives it back. */
function startHolding(folder: string): Script {
  return startScript(`
    import { withLock } from '${scripts}/setup/lock.mjs'
    await withLock('count', async () => {
      console.log('held')
      await new Promise(() => setInterval(() => {}, 60_000))
    }, '${folder}')
  `)
}

function counterIn(folder: string): string {
  const file = path.join(folder, 'count')
  fs.writeFileSync(file, '0')
  return file
}

it('lets processes work one after the other', async () => {
  const folder = tempFolder()
  const file = counterIn(folder)

  const all = Array.from({ length: 5 }, () => startCounting(folder, file))
  const codes = (await Promise.all(all.map(({ ended }) => ended))).map(({ code }) => code)

  expect(codes).toEqual([0, 0, 0, 0, 0])
  expect(fs.readFileSync(file, 'utf8')).toBe('5')
  expect(fs.readdirSync(folder)).toEqual(['count'])
})

it('is taken over from a killed process, by one at a time', async () => {
  const folder = tempFolder()
  const file = counterIn(folder)
  const holder = startHolding(folder)
  await holder.firstLine
  const waiting = Array.from({ length: 4 }, () => startCounting(folder, file))

  holder.child.kill('SIGKILL')
  await Promise.all(waiting.map(({ ended }) => ended))

  expect(fs.readFileSync(file, 'utf8')).toBe('4')
})

it('waits for a live process', async () => {
  const folder = tempFolder()
  const holder = startHolding(folder)
  await holder.firstLine
  vi.stubEnv('SKEIN_QUIET', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  let done = false
  const tries = vi.spyOn(fs, 'linkSync')
  onTestFinished(() => void tries.mockRestore())

  const mine = withLock('count', async () => {}, folder).then(() => {
    done = true
  })
  await expect.poll(() => tries.mock.calls.length).toBeGreaterThan(3)
  const doneWhileHeld = done
  holder.child.kill('SIGKILL')
  await mine

  expect(doneWhileHeld).toBe(false)
})

it('is given back when the work fails', async () => {
  const folder = tempFolder()
  const failing = withLock(
    'count',
    async () => {
      throw new Error('no')
    },
    folder,
  )

  await expect(failing).rejects.toThrow('no')
  expect(fs.readdirSync(folder)).toEqual([])
})

it('says which folder cannot be written', async () => {
  const folder = path.join(tempFolder(), 'file')
  fs.writeFileSync(folder, '')

  await expect(withLock('count', async () => {}, folder)).rejects.toThrow(
    `Cannot write to ${folder}`,
  )
})
