import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openAgeWriter } from '../../../../src/main/disk/encryption/age-writer'
import { DiskError, type DiskFile } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)

it('a disk that is full fails the write with that, and nothing is written afterwards', async () => {
  let taken = 0
  const full: Pick<DiskFile, 'write'> = {
    async write(bytes) {
      if (taken > 100_000) throw new DiskError('no-space', '/a', '/a takes no more')
      taken += bytes.length
      return bytes.length
    },
  }
  const writer = await openAgeWriter(full, '/a', 'tulips', 1)
  const writeAll = async () => {
    for (let n = 0; n < 20; n++) await writer.write(Buffer.alloc(chunk))
    await writer.finish()
  }
  await expect(writeAll()).rejects.toMatchObject({ code: 'no-space', path: '/a' })
  await writer.abandon()
  const before = taken
  await expect(writer.write(Buffer.alloc(1))).rejects.toMatchObject({ code: 'no-space' })
  expect(taken).toBe(before)
})

const chunk = 64 * 1024

it('takes no more in than it has written, but for a few pieces', async () => {
  let [taken, most] = [0, 0]
  let given = 0
  const counting: Pick<DiskFile, 'write'> = {
    async write(bytes) {
      taken += bytes.length
      most = Math.max(most, given - taken)
      return bytes.length
    },
  }
  const writer = await openAgeWriter(counting, '/a', 'tulips', 1)
  for (let n = 0; n < 40; n++) {
    given += chunk
    await writer.write(Buffer.alloc(chunk))
  }
  await writer.finish()
  expect(most).toBeLessThan(8 * chunk)
  expect(taken).toBeGreaterThan(given)
})

it('what is abandoned half way is not taken for a whole file', async () => {
  const file = path.join(temp(), 'a.age')
  const opened = await nodeDisk.open(file, 'create-new')
  const writer = await openAgeWriter(opened, file, 'tulips', 1)
  await writer.write(Buffer.alloc(3 * chunk))
  await writer.abandon()
  const size = fs.statSync(file).size
  await expect(writer.finish()).rejects.toThrow()
  await opened.close()
  expect(fs.statSync(file).size).toBe(size)
})
