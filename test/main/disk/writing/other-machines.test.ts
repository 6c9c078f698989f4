import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isOfOtherMachine } from '../../../../src/main/disk/writing/other-machines'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
afterEach(() => vi.restoreAllMocks())

/** Has the system say that folders are on a file system of this kind. */
function hasKind(type: number): void {
  const real = fs.statfsSync(temp())
  vi.spyOn(fs.promises, 'statfs').mockResolvedValue({ ...real, type } as fs.StatsFs)
}

describe.runIf(process.platform === 'linux')('a folder that another machine may change', () => {
  it('is none on a local disk, in memory, or where nothing is', async () => {
    expect(await isOfOtherMachine(temp())).toBe(false)
    expect(await isOfOtherMachine('/dev/shm')).toBe(false)
    expect(await isOfOtherMachine(path.join(temp(), 'missing'))).toBe(false)
  })

  it.each([
    ['NFS', 0x6969],
    ['SMB', 0xfe534d42],
    ['SMB, with the sign of 32 bits', 0xfe534d42 | 0],
    ['sshfs', 0x65735546],
    ['WSL’s Windows disks', 0x01021997],
  ])('is one on %s', async (_name, type) => {
    hasKind(type)
    expect(await isOfOtherMachine(temp())).toBe(true)
  })
})
