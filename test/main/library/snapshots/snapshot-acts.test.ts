import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  inlineSnapshots,
  type SnapshotActs,
  threadSnapshots,
} from '../../../../src/main/library/snapshots'
import { bundled } from '../../../support/bundled'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const worker = bundled('src/main/library/snapshots/snapshot.worker.ts')
const never = new AbortController().signal
const nothing = () => undefined

function ground() {
  const root = temp()
  const [home, folder] = [path.join(root, 'home'), path.join(root, 'kept')]
  for (const one of [home, folder]) fs.mkdirSync(one)
  fs.writeFileSync(path.join(home, 'config.toml'), 'model = "m"\n')
  const wanted = {
    act: 'take',
    home,
    userFolder: path.join(root, 'user'),
    roots: [],
    folder,
  } as const
  return { root, home, folder, wanted }
}

it('a thread takes and restores what the caller would, with its progress and its errors', async () => {
  const { root, home, folder, wanted } = ground()
  const acts = threadSnapshots(worker())
  const phases = new Set<string>()
  const taken = await acts.take(wanted, ({ phase }) => phases.add(phase), never)
  expect(taken).toMatchObject({ files: 1, bytes: 12, leftOut: [] })
  expect([...phases]).toEqual(['copying', 'checking'])

  // With little work for the passphrase's key, which a thread of the window never has.
  const encrypted = await inlineSnapshots(nodeDisk, () => 1, 1).take(
    { ...wanted, passphrase: 'tulips' },
    nothing,
    never,
  )
  const inUse = { folders: [home], roots: [] }
  const restore = (passphrase: string, by: SnapshotActs = acts) => {
    const to = { snapshot: encrypted.file, folder: path.join(root, 'restored'), inUse, passphrase }
    return by.restore({ act: 'restore', ...to }, nothing, never)
  }
  await expect(restore('roses')).rejects.toMatchObject({
    name: 'AppError',
    code: 'passphrase',
    message: expect.stringContaining('not the passphrase'),
  })
  expect(await restore('tulips')).toEqual({ files: 1, bytes: 12 })
  expect(fs.readFileSync(path.join(root, 'restored/home/config.toml'), 'utf8')).toBe(
    'model = "m"\n',
  )
  await expect(
    acts.take({ ...wanted, home: folder, folder }, nothing, never),
  ).rejects.toMatchObject({
    code: 'bad-argument',
  })
})

it('a thread that is stopped has cleared away what was half written when it says so', async () => {
  const { folder, wanted } = ground()
  const stop = new AbortController()
  const taking = threadSnapshots(worker()).take(wanted, () => stop.abort(), stop.signal)
  const why = await taking.then(
    () => 'done',
    (error: unknown) => error,
  )
  // It may have been quicker than the stop: then it is whole.
  if (why === 'done') expect(fs.readdirSync(folder)).toHaveLength(1)
  else {
    expect(why).toBe(stop.signal.reason)
    expect(fs.readdirSync(folder)).toEqual([])
  }
  await expect(threadSnapshots(worker()).take(wanted, nothing, stop.signal)).rejects.toBe(
    stop.signal.reason,
  )
})
