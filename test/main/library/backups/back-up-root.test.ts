import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { backUpRoot, checkBackup, deleteBackup } from '../../../../src/main/library/backups'
import { backupFolderOf } from '../../../../src/main/library/backups/backup-places'
import { readBackupSeals } from '../../../../src/main/library/backups/seals'
import type { BackupRule } from '../../../../src/main/readers/known/backup-rule'
import { atDrawnCalls, atEveryCall } from '../../../support/every-call'
import { faultyDisk } from '../../../support/faulty-disk'
import { treeOf } from '../../../support/file-tree'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const noSignal = new AbortController().signal
const rule: BackupRule = {
  folders: ['projects'],
  levels: 3,
  isWanted: (file) => /\.jsonl?$/.test(file),
}
const first = '{"n":1}\n{"n":2}\n'
const name = 'projects/pear/one.jsonl'

/** A root with a file, and its backup. */
function ground(text = first) {
  const folder = temp()
  const root = { source: 'claude-code' as const, path: path.join(folder, 'claude') }
  const archive = path.join(folder, 'backups')
  const place = backupFolderOf(archive, root)
  const file = path.join(root.path, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  return {
    root,
    archive,
    place,
    file,
    copy: path.join(place, 'now', name),
    earlier: (number: number) => path.join(place, `earlier-${number}`, name),
    backUp: (disk: Disk = nodeDisk, signal = noSignal) =>
      backUpRoot({ disk, archive }, root, rule, signal),
    check: () => checkBackup(nodeDisk, archive, root, noSignal),
  }
}

const read = (file: string) => fs.readFileSync(file, 'utf8')
/** Texts of all copies of the file, the newest first; `.part` files are no copies. */
function copiesIn(place: string): string[] {
  if (!fs.existsSync(place)) return []
  const versions = fs.readdirSync(place).filter((one) => one === 'now' || /^earlier-/.test(one))
  const numbered = versions.sort(
    (a, b) => Number(b === 'now') - Number(a === 'now') || (a < b ? -1 : 1),
  )
  return numbered
    .map((version) => path.join(place, version, name))
    .filter((file) => fs.existsSync(file))
    .map(read)
}

describe('a backup', () => {
  it('has the bytes and the time of its original, and seals them', async () => {
    const { backUp, file, copy, place, check } = ground()
    fs.utimesSync(file, 1_789_000_000, 1_789_000_000)
    expect(await backUp()).toEqual({
      files: 1,
      bytes: first.length,
      sharedBytes: expect.any(Number),
      earlier: 0,
      copied: 1,
      changed: 0,
      gone: 0,
      failed: [],
    })
    expect(read(copy)).toBe(first)
    expect(fs.statSync(copy).mtimeMs).toBe(1_789_000_000_000)
    const { seals } = await readBackupSeals(nodeDisk, place)
    const sha256 = createHash('sha256').update(first).digest('hex')
    expect([...seals.values()]).toMatchObject([{ file: `now/${name}`, bytes: 16, sha256 }])
    expect(await check()).toEqual({ files: 1, broken: [] })
  })

  it('can be read by its owner alone, whatever its original permits', async () => {
    const { backUp, file, archive, copy } = ground()
    fs.chmodSync(file, 0o666)
    await backUp()
    const modes = Object.entries(treeOf(archive)).map(([, { mode, text }]) => [
      mode,
      text === undefined,
    ])
    expect(modes.every(([mode, isFolder]) => mode === (isFolder ? 0o700 : 0o600))).toBe(true)
    expect(fs.statSync(copy).mode & 0o777).toBe(0o600)
  })

  it('shares nothing that a program can write to: one that rewrites its file in place changes no copy', async () => {
    const { backUp, file, copy, earlier, root } = ground()
    await backUp()
    expect(fs.statSync(file).nlink).toBe(1)
    const before = treeOf(root.path)
    // In place, of the same length: the same inode has other bytes now.
    const handle = fs.openSync(file, 'r+')
    fs.writeSync(handle, '{"n":9}\n', 0)
    fs.closeSync(handle)
    expect(read(copy)).toBe(first)
    const after = treeOf(root.path)
    expect(after).not.toEqual(before)
    expect(await backUp()).toMatchObject({ changed: 1, earlier: 1 })
    expect(read(copy)).toBe('{"n":9}\n{"n":2}\n')
    expect(read(earlier(1))).toBe(first)
    expect(treeOf(root.path)).toEqual(after)
  })

  it('grows with its original, and reads nothing of one that is the same', async () => {
    const { backUp, file, copy, check } = ground()
    await backUp()
    fs.appendFileSync(file, '{"n":3}\n')
    const inode = fs.statSync(copy).ino
    expect(await backUp()).toMatchObject({ files: 1, changed: 1, copied: 0, earlier: 0 })
    expect(read(copy)).toBe(`${first}{"n":3}\n`)
    expect(fs.statSync(copy).ino).toBe(inode)
    expect(await check()).toEqual({ files: 1, broken: [] })
    const opened: string[] = []
    const watched: Disk = {
      ...nodeDisk,
      open(target, ...more) {
        opened.push(target)
        return nodeDisk.open(target, ...more)
      },
    }
    expect(await backUp(watched)).toMatchObject({ copied: 0, changed: 0 })
    expect(opened.filter((one) => one === file || one === copy)).toEqual([])
  })

  it('keeps what is gone, and goes on where the file comes back', async () => {
    const { backUp, file, copy } = ground()
    await backUp()
    fs.rmSync(file)
    expect(await backUp()).toMatchObject({ files: 1, gone: 1 })
    expect(read(copy)).toBe(first)
    fs.writeFileSync(file, `${first}{"n":3}\n`)
    expect(await backUp()).toMatchObject({ files: 1, changed: 1, gone: 0, earlier: 0 })
    expect(read(copy)).toBe(`${first}{"n":3}\n`)
  })

  it('keeps what is gone with its whole root', async () => {
    const { backUp, root, copy } = ground()
    await backUp()
    fs.rmSync(root.path, { recursive: true })
    expect(await backUp()).toMatchObject({ files: 1, failed: [] })
    expect(read(copy)).toBe(first)
  })

  it.each([
    ['is cut', first.slice(0, 8)],
    ['is emptied', ''],
    ['is replaced by another of the same length', first.replace('1', '7')],
    ['has other lines in its middle', `{"n":1}\n{"n":"x"}\n{"n":2}\n`],
  ])('keeps the earlier version of a file that %s', async (_, text) => {
    const { backUp, file, copy, earlier, check, place } = ground()
    await backUp()
    fs.writeFileSync(file, text)
    await backUp()
    expect(read(copy)).toBe(text)
    expect(read(earlier(1))).toBe(first)
    // Back and forth makes no more copies than there are versions.
    for (const again of [first, text, first]) {
      fs.writeFileSync(file, again)
      await backUp()
    }
    const isBeginning = first.startsWith(text)
    expect(copiesIn(place)).toEqual(isBeginning ? [first] : [first, text])
    expect((await check()).broken).toEqual([])
  })

  it('takes a longer document in place of the one before, and keeps one that was longer', async () => {
    const { backUp, root, place } = ground()
    const file = path.join(root.path, 'projects/pear/two.json')
    const texts = ['{"a":[1]}', '{"a":[1,2],"b":0}', '{"a":[2]}']
    for (const text of texts) {
      fs.writeFileSync(file, text)
      await backUp()
    }
    expect(read(path.join(place, 'now/projects/pear/two.json'))).toBe(texts[2])
    expect(read(path.join(place, 'earlier-1/projects/pear/two.json'))).toBe(texts[1])
    expect(fs.existsSync(path.join(place, 'earlier-2'))).toBe(false)
  })

  it('says what cannot be read, and copies the others', async () => {
    const { backUp, root, file } = ground()
    const locked = path.join(path.dirname(file), 'locked.jsonl')
    fs.writeFileSync(locked, '{}\n')
    const disk = faultyDisk(nodeDisk)
    const refusing: Disk = {
      ...disk,
      open: (target, ...more) =>
        target === locked ? nodeDisk.open(`${locked}/none`, 'read') : disk.open(target, ...more),
      list: (folder) => disk.list(folder),
    }
    // What is gone between the list and the copy is no fault.
    expect(await backUp(refusing)).toMatchObject({ copied: 1, failed: [] })
    const denying: Disk = {
      ...nodeDisk,
      open: (target, ...more) =>
        target === locked ? nodeDisk.open(root.path, 'append') : nodeDisk.open(target, ...more),
    }
    const { failed, gone } = await backUp(denying)
    expect(failed).toHaveLength(1)
    expect(gone).toBe(0)
  })

  it('goes on where it was stopped', async () => {
    const { backUp, copy, file } = ground()
    fs.writeFileSync(path.join(path.dirname(file), 'two.jsonl'), first)
    const controller = new AbortController()
    const stopping: Disk = {
      ...nodeDisk,
      async syncFolder(folder) {
        await nodeDisk.syncFolder(folder)
        if (fs.existsSync(copy)) controller.abort()
      },
    }
    await expect(backUp(stopping, controller.signal)).rejects.toThrow()
    expect(await backUp()).toMatchObject({ copied: 1, files: 2 })
  })

  it('is checked against its seals, byte by byte', async () => {
    const { backUp, copy, check, root } = ground()
    fs.writeFileSync(path.join(root.path, 'projects/pear/two.jsonl'), first)
    await backUp()
    fs.writeFileSync(copy, first.replace('1', '2'))
    fs.rmSync(path.join(path.dirname(copy), 'two.jsonl'))
    const { broken } = await check()
    expect(broken.map(({ file, fault }) => [path.basename(file), fault]).sort()).toEqual([
      ['one.jsonl', 'changed'],
      ['two.jsonl', 'missing'],
    ])
  })

  it('is mended where a copy was damaged or removed, and what was damaged is kept', async () => {
    const { backUp, copy, check, file, place } = ground()
    await backUp()
    fs.rmSync(copy)
    await backUp()
    expect(read(copy)).toBe(first)
    fs.writeFileSync(copy, 'damage')
    fs.appendFileSync(file, '{"n":3}\n')
    await backUp()
    expect(copiesIn(place)).toEqual([`${first}{"n":3}\n`, 'damage'])
    expect((await check()).broken).toEqual([])
  })

  it('reads its seals though a crash tore the last one', async () => {
    const { backUp, place, file, check } = ground()
    await backUp()
    const seals = path.join(place, 'seals.jsonl')
    fs.appendFileSync(seals, '{"file":"now/pro')
    fs.appendFileSync(file, '{"n":3}\n')
    await backUp()
    expect(await check()).toEqual({ files: 1, broken: [] })
  })

  it.each(['projects/pear/one.jsonl', 'projects/pear'])(
    'says where the disk tells nothing of %s, and does not take what is in it for gone',
    async (unknown) => {
      const { root, backUp } = ground()
      await backUp()
      const target = path.join(root.path, unknown)
      const blind: Disk = {
        ...nodeDisk,
        stat: (at) =>
          at === target
            ? Promise.reject(new DiskError('io', at, `${at} cannot be read`))
            : nodeDisk.stat(at),
      }
      const { failed, gone } = await backUp(blind)
      expect(failed).toEqual([`${target} cannot be read.`])
      expect(gone).toBe(0)
    },
  )
  it('counts a damaged line of its seals until its file is sealed again, however many are damaged', async () => {
    const { place } = ground()
    fs.mkdirSync(place, { recursive: true })
    const seal = (file: string) => JSON.stringify({ file, bytes: 1, sha256: 'f' })
    const torn = (file: string) => seal(file).slice(0, -8)
    const [a, b] = ['now/a', 'now/b']
    const lines = [torn(a), torn(a), torn(a), torn(b), 'no seal', seal(a), torn(a), seal(b)]
    fs.writeFileSync(path.join(place, 'seals.jsonl'), `${lines.join('\n')}\n`)
    const { damaged, seals } = await readBackupSeals(nodeDisk, place)
    expect([damaged, [...seals.keys()]]).toEqual([2, [a, b]])
  })

  it('writes its seals anew where a line is none, once a backup went through', async () => {
    const { backUp, place } = ground()
    await backUp()
    const seals = path.join(place, 'seals.jsonl')
    const whole = read(seals)
    fs.writeFileSync(seals, `no seal\n${whole}`)
    await expect(backUp(nodeDisk, AbortSignal.abort(new Error('stopped')))).rejects.toThrow()
    expect(read(seals)).toBe(`no seal\n${whole}`)
    await backUp()
    expect(read(seals)).toBe(whole)
  })

  it('keeps a file of seals that is in proportion to its files', async () => {
    const { backUp, place, file } = ground()
    await backUp()
    const seals = path.join(place, 'seals.jsonl')
    const line = fs.readFileSync(seals, 'utf8')
    fs.appendFileSync(seals, line.repeat(2000))
    fs.appendFileSync(file, '{"n":3}\n')
    await backUp()
    expect(read(seals).trimEnd().split('\n')).toHaveLength(1)
  })

  it('of a root that is one file has that file', async () => {
    const { root, archive, place } = ground()
    const file = { source: root.source, path: path.join(root.path, name) }
    const done = await backUpRoot({ disk: nodeDisk, archive }, file, rule, noSignal)
    expect(done).toMatchObject({ copied: 1, files: 1 })
    const own = backupFolderOf(archive, file)
    expect(own).not.toBe(place)
    expect(read(path.join(own, 'now/one.jsonl'))).toBe(first)
  })

  it('is deleted whole, and alone', async () => {
    const { backUp, root, archive, place } = ground()
    await backUp()
    const before = treeOf(root.path)
    await deleteBackup(nodeDisk, archive, root, noSignal)
    expect(fs.existsSync(place)).toBe(false)
    expect(treeOf(root.path)).toEqual(before)
    await deleteBackup(nodeDisk, archive, root, noSignal)
  })
})

describe('at every call of the disk', () => {
  const second = `${first}{"n":3}\n`
  const rewritten = '{"n":8}\n'

  /** Has a first copy, then a grown and a rewritten original; the last two under the fault. */
  async function run(plan: Parameters<typeof faultyDisk>[1]): Promise<readonly string[]> {
    const disk = faultyDisk(nodeDisk, plan)
    const made = ground()
    const { backUp, file, place, check, root } = made
    await backUp()
    fs.writeFileSync(file, second)
    await backUp(disk).catch(() => undefined)
    fs.writeFileSync(file, rewritten)
    await backUp(disk).catch(() => undefined)
    const originals = treeOf(root.path)
    const kept = copiesIn(place)
    // The longest version that was whole on the disk for a whole backup is there, as it was.
    expect(kept.some((text) => text.startsWith(first))).toBe(true)
    const kinds = disk.kinds()
    disk.plan({ fault: 'io' })
    await backUp()
    expect(copiesIn(place)[0]).toBe(rewritten)
    expect(copiesIn(place).some((text) => text.startsWith(first))).toBe(true)
    expect(copiesIn(place).every((text) => second.startsWith(text) || text === rewritten)).toBe(
      true,
    )
    expect((await check()).broken).toEqual([])
    expect(treeOf(root.path)).toEqual(originals)
    return kinds
  }

  it.each(['no-space', 'io', 'short-write', 'done-then-io'] as const)(
    'a failure (%s) loses nothing, and the next backup makes it whole',
    async (fault) => {
      expect(await atDrawnCalls((at) => run({ at, fault }))).toBeGreaterThan(10)
    },
  )

  it('an end of the process loses nothing, and the next one makes it whole', async () => {
    const calls = await atDrawnCalls((at) => run({ at, fault: 'io', forEver: true }))
    expect(calls).toBeGreaterThan(10)
  })

  it('a failure of a first copy leaves no half of a file under its name', async () => {
    await atEveryCall({ fault: 'no-space' }, async (disk) => {
      const { backUp, place } = ground()
      await backUp(disk).catch(() => undefined)
      expect([[], [first]]).toContainEqual(copiesIn(place))
    })
  })

  it('a full disk is said in words', async () => {
    const { backUp } = ground()
    const full: Disk = {
      ...faultyDisk(nodeDisk, { at: 6, fault: 'no-space', forEver: true }),
    }
    await expect(backUp(full)).rejects.toMatchObject({ code: 'disk-full' })
  })
})
