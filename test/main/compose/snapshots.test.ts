import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openSnapshots, type SnapshotsDeps } from '../../../src/main/compose/snapshots'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { inlineSnapshots } from '../../../src/main/library/snapshots'
import type { SnapshotStep } from '../../../src/shared/ipc/app/snapshots'
import { tempFolders } from '../../support/temp-folder'

const temp = tempFolders()

function ground(more: Partial<SnapshotsDeps> = {}) {
  const root = temp()
  const [home, picked] = [path.join(root, 'home'), path.join(root, 'picked')]
  for (const folder of [home, picked]) fs.mkdirSync(folder)
  fs.writeFileSync(path.join(home, 'config.toml'), 'model = "m"\n')
  const file = path.join(picked, 'skein-2026-11-30-081502.zip')
  const snapshots = openSnapshots({
    disk: nodeDisk,
    home: () => home,
    userFolder: path.join(root, 'user'),
    roots: () => [],
    acts: inlineSnapshots(nodeDisk, () => Date.UTC(2026, 10, 30, 8, 15, 2), 1),
    askForFolder: async () => picked,
    askForSnapshot: async () => file,
    ...more,
  })
  return { snapshots, picked, file }
}

const nothing = () => undefined

it('a snapshot is written where a person picks, with its progress, and restored beside what is there', async () => {
  const { snapshots, picked, file } = ground()
  const steps: SnapshotStep[] = []
  const done = await snapshots.take((step) => steps.push(step))
  expect(done).toMatchObject({ act: 'take', files: 1, bytes: 12, leftOut: [] })
  expect(steps.map(({ act, phase }) => `${act} ${phase}`)).toEqual([
    'take copying',
    'take checking',
  ])
  const restored = await snapshots.restore(nothing)
  expect(restored).toMatchObject({ act: 'restore', files: 1, bytes: 12 })
  const name = path.parse(file).name
  expect(fs.readFileSync(path.join(picked, `${name}-restored/home/config.toml`), 'utf8')).toBe(
    'model = "m"\n',
  )
  await expect(snapshots.restore(nothing)).rejects.toMatchObject({ code: 'exists' })
})

it('nothing is written where a dialog was cancelled', async () => {
  const { snapshots, picked } = ground({ askForFolder: async () => undefined })
  expect(await snapshots.take(nothing)).toBeUndefined()
  expect(await snapshots.restore(nothing)).toBeUndefined()
  expect(fs.readdirSync(picked)).toEqual([])
})

it('one is written at a time, and one that is stopped says so and leaves nothing', async () => {
  const { snapshots, picked } = ground()
  const first = snapshots.take(() => void snapshots.stop())
  await expect(snapshots.restore(nothing)).rejects.toMatchObject({ code: 'busy' })
  await expect(first).rejects.toMatchObject({ code: 'cancelled' })
  expect(fs.readdirSync(picked)).toEqual([])
  expect(await snapshots.take(nothing)).toMatchObject({ act: 'take' })
})

it('has cleared away what was half written once a stop resolves, and does not wait for a dialog', async () => {
  const { snapshots, picked } = ground()
  let left: Promise<readonly string[]> | undefined
  const taking = snapshots.take(() => {
    left ??= snapshots.stop().then(() => fs.readdirSync(picked))
  })
  await expect(taking).rejects.toMatchObject({ code: 'cancelled' })
  expect(await left).toEqual([])

  let answer: (folder: string) => void = () => undefined
  const asked = new Promise<string>((resolve) => {
    answer = resolve
  })
  const asking = ground({ askForFolder: () => asked })
  const late = asking.snapshots.take(nothing)
  await asking.snapshots.stop()
  answer(asking.picked)
  await expect(late).rejects.toMatchObject({ code: 'cancelled' })
  expect(fs.readdirSync(asking.picked)).toEqual([])
})

it('one that is encrypted is restored with its passphrase, and nobody picks its places twice', async () => {
  const picks: string[] = []
  const root = temp()
  const { snapshots, picked } = ground({
    askForFolder: async (act) => {
      picks.push(act)
      return root
    },
    askForSnapshot: async () => {
      picks.push('snapshot')
      return path.join(root, fs.readdirSync(root).find((one) => one.endsWith('.age')) ?? '')
    },
  })
  const done = await snapshots.take(nothing, 'tulips')
  expect(done?.shown).toMatch(/081502\.zip\.age$/)
  expect(picks.splice(0)).toEqual(['encrypt'])
  await expect(snapshots.restore(nothing)).rejects.toMatchObject({ code: 'passphrase' })
  expect(picks.splice(0)).toEqual(['snapshot'])
  await expect(snapshots.restore(nothing, 'roses')).rejects.toMatchObject({ code: 'passphrase' })
  expect(picks.splice(0)).toEqual(['restore'])
  expect(fs.readdirSync(root)).toHaveLength(1)
  expect(await snapshots.restore(nothing, 'tulips')).toMatchObject({ act: 'restore', files: 1 })
  expect(picks).toEqual([])
  const restored = path.join(root, 'skein-2026-11-30-081502-restored/home/config.toml')
  expect(fs.readFileSync(restored, 'utf8')).toBe('model = "m"\n')
  expect(fs.readdirSync(picked)).toEqual([])
  // What was picked is let go of: a passphrase alone restores nothing more.
  await expect(snapshots.restore(nothing, 'tulips')).rejects.toMatchObject({ code: 'exists' })
  expect(picks).toEqual(['snapshot', 'restore'])
})
