import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { userFiles } from '../../../src/main/compose/user-files'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()

it('remembers the chosen home and where each window stood', async () => {
  const user = userFiles(nodeDisk, path.join(folder(), 'Skein'))
  const place = { x: 10, y: 20, width: 800, height: 600, maximized: false }
  expect(await user.rememberedHome()).toBeUndefined()
  await user.rememberHome('/somewhere')
  await user.keepWindowPlace('a', place)

  expect(await user.rememberedHome()).toBe('/somewhere')
  expect(await user.windowPlace('a')).toEqual(place)
  expect(await user.windowPlace('b')).toBeUndefined()
})

it('takes a damaged file for none, and fails no call for a disk that takes nothing', async () => {
  const root = path.join(folder(), 'Skein')
  const user = userFiles(nodeDisk, root)
  await user.rememberHome('/somewhere')
  await fs.writeFile(path.join(root, 'home.json'), '{"home":')
  expect(await user.rememberedHome()).toBeUndefined()

  await fs.rm(root, { recursive: true })
  await fs.writeFile(root, 'a file in the way')
  await user.rememberHome('/elsewhere')
  expect(await user.rememberedHome()).toBeUndefined()
})
