import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { firstHome, homeProblem } from '../../../src/main/compose/choose-home'
import { DiskError } from '../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()

it('opens the home that was named, also where nothing is yet', async () => {
  const own = folder()
  expect(await firstHome(nodeDisk, own, '/named', own)).toEqual({ home: '/named', chosen: true })
})

it('opens the one that was chosen before, unless it is gone', async () => {
  const own = folder()
  const chosen = path.join(own, 'elsewhere')
  const usual = path.join(own, '.chibi')
  await fs.mkdir(chosen)
  expect(await firstHome(nodeDisk, own, undefined, chosen)).toEqual({ home: chosen, chosen: true })
  await fs.rmdir(chosen)
  expect(await firstHome(nodeDisk, own, undefined, chosen)).toEqual({ home: usual, chosen: false })
  await fs.mkdir(usual)
  expect(await firstHome(nodeDisk, own, undefined, chosen)).toEqual({ home: usual, chosen: true })
})

it('says what stands in the way of a home, and nothing where it can be made', async () => {
  const own = folder()
  const file = path.join(own, 'file')
  await fs.writeFile(file, 'x')
  expect(await homeProblem(nodeDisk, path.join(own, 'new'))).toBeUndefined()
  expect(await homeProblem(nodeDisk, own)).toBeUndefined()
  expect(await homeProblem(nodeDisk, file)).toBe(`${file} is a file, not a folder.`)
})

it('names a home that may not be read once', async () => {
  const denied = new DiskError('denied', '/home', '/home cannot be used: permission denied')
  const disk = { ...nodeDisk, list: async () => Promise.reject(denied) }
  expect(await homeProblem(disk, folder())).toBe('/home cannot be used: permission denied.')
})
