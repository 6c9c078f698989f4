import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { listedDisk } from '../../../../src/main/disk/interface/listed-disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()

it('takes what is not among the names for missing, and looks at everything else', async () => {
  const root = folder()
  for (const name of ['named', 'unnamed']) fs.writeFileSync(path.join(root, name), name)
  fs.mkdirSync(path.join(root, 'below'))
  fs.writeFileSync(path.join(root, 'below', 'file'), 'file')
  const disk = listedDisk(nodeDisk, new Map([[root, new Set(['named', 'below', 'gone'])]]))

  expect((await disk.stat(path.join(root, 'named')))?.sizeBytes).toBe(5)
  expect(await disk.stat(path.join(root, 'unnamed'))).toBeUndefined()
  expect(await disk.stat(path.join(root, 'gone'))).toBeUndefined()
  expect(await disk.list(path.join(root, 'below'))).toEqual(['file'])
  expect((await disk.stat(path.join(root, 'below', 'file')))?.sizeBytes).toBe(4)
  await expect(disk.open(path.join(root, 'unnamed'), 'read')).rejects.toMatchObject({
    code: 'not-found',
  })
  await expect(disk.list(path.join(root, 'unnamed'))).rejects.toMatchObject({ code: 'not-found' })
})
