import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { checkHome } from '../../../../src/main/home/checkup/checkup'
import { openStore } from '../../../../src/main/store/open-store'
import { breakages, homeToDamage } from '../../../support/damaged-home'
import { testSettings } from '../../../support/home'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const never = new AbortController().signal

async function ground() {
  const folder = temp()
  const home = await homeToDamage(folder)
  const [cacheFolder, userFolder] = [path.join(folder, 'cache'), path.join(folder, 'user')]
  const settings = await testSettings({ home, userFolder })
  const startMs = Date.now()
  const found = async (disk: Disk = nodeDisk) => {
    const store = openStore({ home, disk })
    const deps = { disk, store, settings, cacheFolder, userFolder, now: () => startMs }
    const { findings } = await checkHome(deps, () => undefined, never)
    return findings.map(({ kind }) => kind)
  }
  const garden = path.join(home, 'contexts/garden')
  /** As chibi takes it. */
  const takeLock = () =>
    fs.writeFileSync(path.join(garden, '.lock'), String(Math.floor(startMs / 1000)))
  return { home, cacheFolder, found, garden, takeLock }
}

it('an answer on its way is no damage where its writer took the lock while the conversation was looked at', async () => {
  const { home, cacheFolder, found, garden, takeLock } = await ground()
  await breakages['answer-interrupted'].breaks(home, cacheFolder, '')
  expect(await found()).toEqual(['answer-interrupted'])
  const disk: Disk = {
    ...nodeDisk,
    stat: async (target) => {
      if (target === path.join(garden, 'partial.skein.jsonl')) takeLock()
      return nodeDisk.stat(target)
    },
  }
  expect(await found(disk)).toEqual([])
})

it('a last line that has no end yet is no damage while its writer has the lock; one that has an end is', async () => {
  const { found, garden, takeLock } = await ground()
  const active = path.join(garden, 'transcript/active.jsonl')
  fs.appendFileSync(active, '{"id":"x","content":"half a')
  expect(await found()).toEqual(['lines-damaged'])
  takeLock()
  expect(await found()).toEqual([])
  fs.appendFileSync(active, '\n')
  expect(await found()).toEqual(['lines-damaged'])
})
