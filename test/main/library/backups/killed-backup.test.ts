import { expect, it } from 'vitest'
import { createRandom } from '../../../../bench/support/random'
import { replaceFile } from '../../../../src/main/disk/writing/atomic'
import { makeDurableFolder } from '../../../../src/main/disk/writing/durable-folder'
import { backUpRoot, checkBackup } from '../../../../src/main/library/backups'
import { type ForgetfulDisk, forgetfulDisk } from '../../../support/forgetful-disk'

const root = { source: 'claude-code' as const, path: '/user/.claude' }
const archive = '/user/backups'
const wanted = { folders: ['projects'], levels: 3, isWanted: () => true }
const never = new AbortController().signal
const first = Buffer.from('1'.repeat(900))
const second = Buffer.from('2'.repeat(1500))

const backUp = (disk: ForgetfulDisk) => backUpRoot({ disk, archive }, root, wanted, never)

/** A disk with a backup of one file, which has another text since. */
async function replacedSince(file: string): Promise<ForgetfulDisk> {
  const disk = forgetfulDisk(() => 1000)
  const original = `${root.path}/projects/pear/${file}`
  await makeDurableFolder(disk, `${root.path}/projects/pear`)
  await replaceFile(disk, original, first)
  await backUp(disk)
  await replaceFile(disk, original, second)
  disk.settle()
  return disk
}

/** The disk once the power has gone; of what no sync made durable nothing is left. */
const withoutPower = (disk: ForgetfulDisk) =>
  disk.powerLoss(createRandom(1), { names: 'none', bytes: 'none' }, 3000)

/** Looks at a backup: the texts of its copies, and what is wrong with it. */
async function backupOn(disk: ForgetfulDisk) {
  const copies = [...disk.files()]
    .filter(([name]) => name.startsWith(archive) && !name.endsWith('.part'))
    .map(([, bytes]) => bytes.toString())
  return { copies, broken: (await checkBackup(disk, archive, root, never)).broken }
}

/** Calls something with a copy of the disk that was stopped at its first call, its second, and so on, until there is none left to stop at. */
async function atEachCall(
  begin: ForgetfulDisk,
  act: (disk: ForgetfulDisk) => Promise<void>,
): Promise<number> {
  for (let call = 1; ; call++) {
    const disk = begin.copied()
    disk.stopAt(call)
    await backUp(disk).catch((error: unknown) => {
      if (!disk.hasStopped()) throw error
    })
    if (!disk.hasStopped()) return call - 1
    await act(disk)
  }
}

// A document that grew takes the place of its copy; what was anything else becomes an earlier version.
it.each([
  ['one.jsonl', true],
  ['one.json', false],
])(
  'the next backup behind one that was killed at any call keeps %s when the power goes then',
  async (file, hasEarlier) => {
    const calls = await atEachCall(await replacedSince(file), async (killed) => {
      const next = killed.copied()
      await backUp(next)
      const { copies, broken } = await backupOn(withoutPower(next))
      expect(copies).toContain(second.toString())
      if (hasEarlier) expect(copies).toContain(first.toString())
      expect(broken).toEqual([])
    })
    expect(calls).toBeGreaterThan(20)
  },
)

it.each(['one.jsonl', 'one.json'])(
  'a check finds nothing wrong where a backup of %s was stopped at any call, or the power went',
  async (file) => {
    await atEachCall(await replacedSince(file), async (stopped) => {
      expect((await backupOn(stopped.copied())).broken).toEqual([])
      const { copies, broken } = await backupOn(withoutPower(stopped))
      expect(copies.some((text) => text === first.toString() || text === second.toString())).toBe(
        true,
      )
      expect(broken).toEqual([])
    })
  },
)
