import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, DiskError, type DiskErrorCode } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  liesInFolder,
  realPathIfPresent,
  realPathOrNone,
} from '../../../../src/main/disk/reading/real-path'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()

it('a real path follows every link, and is none where nothing is', async () => {
  const at = fs.realpathSync(folder())
  fs.mkdirSync(path.join(at, 'real'))
  fs.symlinkSync('real', path.join(at, 'link'))
  fs.symlinkSync('nowhere', path.join(at, 'dangling'))

  for (const find of [realPathIfPresent, realPathOrNone]) {
    expect(await find(nodeDisk, path.join(at, 'link'))).toBe(path.join(at, 'real'))
    expect(await find(nodeDisk, path.join(at, 'dangling'))).toBeUndefined()
    expect(await find(nodeDisk, path.join(at, 'missing', 'file'))).toBeUndefined()
  }
})

it('a loop of links is an error, or nowhere for whoever does not mind', async () => {
  const loop = path.join(folder(), 'loop')
  fs.symlinkSync('loop', loop)

  await expect(realPathIfPresent(nodeDisk, loop)).rejects.toThrow('loop')
  expect(await realPathOrNone(nodeDisk, loop)).toBeUndefined()
})

it('where a path leads is never guessed: a disk that fails is an error, a folder for others leads nowhere', async () => {
  const failing = (code: DiskErrorCode): Disk => ({
    ...nodeDisk,
    realPath: (target) => Promise.reject(new DiskError(code, target, 'it failed')),
  })
  for (const find of [realPathIfPresent, realPathOrNone])
    await expect(find(failing('io'), '/home')).rejects.toThrow('it failed')
  expect(await realPathOrNone(failing('denied'), '/home')).toBeUndefined()
})

it('a path onto a disk that is gone leads nowhere for whoever does not mind', async () => {
  const cause = Object.assign(new Error('ENOTCONN'), { code: 'ENOTCONN' })
  const gone: Disk = {
    ...nodeDisk,
    realPath: (target) => Promise.reject(new DiskError('io', target, 'it failed', cause)),
  }
  await expect(realPathIfPresent(gone, '/mnt')).rejects.toThrow('it failed')
  expect(await realPathOrNone(gone, '/mnt')).toBeUndefined()
})

describe('a path lies in a folder', () => {
  it.each([
    ['/home/me', true],
    ['/home/me/a/b', true],
    ['/home/me/..a', true],
    ['/home/me-too', false],
    ['/home', false],
    ['/', false],
    ['/home/me/../you', false],
  ])('%s: %s', (real, lies) => {
    expect(liesInFolder(path.resolve('/home/me'), path.resolve(real))).toBe(lies)
  })
})
