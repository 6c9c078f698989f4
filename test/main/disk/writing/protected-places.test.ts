import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { protectedPlaceAround } from '../../../../src/main/disk/writing/protected-places'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()

/** A home whose one context lies elsewhere by a link, and a history of another system. */
function ground() {
  const at = fs.realpathSync(temp())
  const [home, history, elsewhere] = ['home', 'history', 'elsewhere'].map((name) =>
    path.join(at, name),
  )
  for (const folder of [`${home}/contexts`, `${history}`, `${elsewhere}`])
    fs.mkdirSync(folder, { recursive: true })
  fs.symlinkSync(`${elsewhere}`, `${home}/contexts/garden`)
  const roots = [
    { source: 'chibi', path: `${home}` },
    { source: 'codex', path: `${history}` },
  ]
  return {
    at,
    history: `${history}`,
    elsewhere: `${elsewhere}`,
    placeOf: (target: string, disk: Disk = nodeDisk) =>
      protectedPlaceAround(disk, target, { roots, files: [] }),
  }
}

const failure = (target: string) => new DiskError('io', target, `${target} cannot be read`)

it('is a history, and a context that lies elsewhere by a link', async () => {
  const { at, history, elsewhere, placeOf } = ground()
  expect(await placeOf(path.join(history, 'new.md'))).toBe(history)
  expect(await placeOf(path.join(elsewhere, 'new.md'))).toMatch(/contexts.garden$/)
  expect(await placeOf(path.join(at, 'new.md'))).toBeUndefined()
})

it('is not taken for none where the disk does not tell where a history lies', async () => {
  const { history, elsewhere, placeOf } = ground()
  const blind: Disk = {
    ...nodeDisk,
    realPath: (target) =>
      target === history ? Promise.reject(failure(target)) : nodeDisk.realPath(target),
  }
  await expect(placeOf(path.join(history, 'new.md'), blind)).rejects.toThrow('cannot be read')
  const unlisted: Disk = { ...nodeDisk, list: (folder) => Promise.reject(failure(folder)) }
  await expect(placeOf(path.join(elsewhere, 'new.md'), unlisted)).rejects.toThrow('cannot be read')
})
