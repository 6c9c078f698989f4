import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { OpenFiles } from '../../../../src/main/search/bytes/open-files'
import { searchFile } from '../../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { watchedDisk } from '../../../support/watched-disk'

const folder = tempFolders(memoryFolder)

it('opens a file once, some at a time, none that is another by now, and closes all of them', async () => {
  const where = folder()
  let opens = 0
  const disk = watchedDisk({
    before: ({ name }) => {
      if (name === 'open') opens++
    },
  })
  const files = new OpenFiles(disk)
  const all = Array.from({ length: 20 }, (_, n) => {
    const file = path.join(where, `${n}`)
    fs.writeFileSync(file, 'x')
    return searchFile(file)
  })
  for (const { path: at, identity } of all) await files.open(at, identity)
  expect([opens, disk.openFiles().length]).toEqual([20, 16])
  const last = all[19]
  const first = all[0]
  if (last === undefined || first === undefined) throw new Error('no files')
  expect(await files.open(last.path, last.identity)).toBe(
    await files.open(last.path, last.identity),
  )
  expect(opens).toBe(20)
  expect(await files.open(first.path, last.identity)).toBeUndefined()
  await expect(files.open(path.join(where, 'gone'), '1:1')).rejects.toMatchObject({
    code: 'not-found',
  })
  expect(disk.openFiles().length).toBe(16)
  await files.close()
  expect(disk.openFiles()).toEqual([])
})
