import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { type CheckupsDeps, openCheckups } from '../../../src/main/compose/checkups'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import type { CheckupStep } from '../../../src/shared/ipc/app/checkup'
import { breakages, homeToDamage } from '../../support/damaged-home'
import { testSettings } from '../../support/home'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const nothing = () => undefined

async function ground(more: Partial<CheckupsDeps> = {}) {
  const folder = temp()
  const home = await homeToDamage(folder)
  const [userFolder, picked] = [path.join(folder, 'user'), path.join(folder, 'picked')]
  fs.mkdirSync(picked)
  const settings = await testSettings({ home, userFolder })
  const checkups = openCheckups({
    disk: nodeDisk,
    plainDisk: nodeDisk,
    home: () => home,
    settings: () => settings,
    userFolder,
    cacheFolder: path.join(folder, 'cache'),
    roots: () => [],
    now: Date.now,
    askForFolder: async () => picked,
    ...more,
  })
  return { checkups, home, picked }
}

it('a home is checked with its progress, and repaired behind a snapshot where a person picks', async () => {
  const { checkups, home, picked } = await ground()
  await breakages['titles-damaged'].breaks(home, '', '')
  const steps: CheckupStep[] = []
  const found = await checkups.check((step) => steps.push(step))
  expect(found.findings.map(({ kind }) => kind)).toEqual(['titles-damaged'])
  expect(steps).toEqual([
    { done: 0, all: 2 },
    { done: 1, all: 2 },
  ])
  const repair = await checkups.repair(nothing)
  expect(repair?.repaired).toEqual(found.findings)
  expect(repair).toMatchObject({ failed: [], after: { contexts: 2, findings: [] } })
  expect(fs.readdirSync(picked)).toEqual([path.basename(repair?.copy ?? '')])
  expect(await checkups.repair(nothing)).toBeUndefined()
})

it('nothing is repaired where the dialog was cancelled', async () => {
  const { checkups, home } = await ground({ askForFolder: async () => undefined })
  await breakages['state-damaged'].breaks(home, '', '')
  const before = fs.readdirSync(home)
  expect(await checkups.repair(nothing)).toBeUndefined()
  expect(fs.readdirSync(home)).toEqual(before)
})

it('one goes on at a time, and one that is stopped says so', async () => {
  const { checkups } = await ground()
  const first = checkups.check(() => void checkups.stop())
  await expect(checkups.check(nothing)).rejects.toMatchObject({ code: 'busy' })
  await expect(first).rejects.toMatchObject({ code: 'cancelled' })
  await checkups.stop()
  expect((await checkups.check(nothing)).findings).toEqual([])
})
