import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { readKeptPatterns } from '../../../../src/main/settings/stored/kept-patterns'
import { openSettingsFile } from '../../../../src/main/settings/stored/settings-file'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()

async function keptIn(text: string | undefined, disk: Disk = nodeDisk) {
  const folder = temp()
  if (text !== undefined) fs.writeFileSync(path.join(folder, 'settings.json'), text)
  return readKeptPatterns(openSettingsFile(disk, folder))
}

it('are those of the settings, also beside a value that is not understood', async () => {
  const redactPatterns = ['Plum & Sons', '/PLUM-\\d+/i']
  expect(await keptIn(undefined)).toEqual([])
  expect(await keptIn('{}')).toEqual([])
  expect(await keptIn(JSON.stringify({ preferences: { redactPatterns } }))).toEqual(redactPatterns)
  const beside = { preferences: { redactPatterns, theme: 'plum' }, provider: 7 }
  expect(await keptIn(JSON.stringify(beside))).toEqual(redactPatterns)
})

it('are refused in words where they are not known, so that no export is without them in silence', async () => {
  const busy: Disk = {
    ...nodeDisk,
    open: (file) => Promise.reject(new DiskError('io', file, `${file} cannot be opened`)),
  }
  const unreadable = { code: 'unreadable', message: expect.stringContaining('own patterns') }
  for (const text of [
    'no JSON',
    '{"preferences": 7}',
    '{"preferences": {"redactPatterns": "Plum"}}',
    '{"preferences": {"redactPatterns": ["Plum", ""]}}',
  ])
    await expect(keptIn(text)).rejects.toMatchObject(unreadable)
  await expect(keptIn('{}', busy)).rejects.toMatchObject(unreadable)
})
