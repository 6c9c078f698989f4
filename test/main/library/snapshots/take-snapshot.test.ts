import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  checkSnapshot,
  type PlacesInUse,
  restoreSnapshot,
  takeSnapshot,
} from '../../../../src/main/library/snapshots'
import { openStore } from '../../../../src/main/store/open-store'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { drawnOf, numbersBetween, tryEach } from '../../../support/drawn'
import { message } from '../../../support/entries'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { watchedDisk } from '../../../support/watched-disk'
import { zipped } from '../../../support/zipped'

const temp = tempFolders(memoryFolder)
const noSignal = new AbortController().signal
const nothing = () => undefined
const inUse: PlacesInUse = { folders: [], roots: [] }
const name = 'skein-2026-11-30-081502.zip'
const now = () => Date.UTC(2026, 10, 30, 8, 15, 2)

/** A home with a context, odd names and links, a folder of Skein's own, and a folder for snapshots. */
async function ground() {
  const root = fs.realpathSync(temp())
  const [home, userFolder, folder] = ['home', 'user', 'kept'].map((one) =>
    path.join(root, one),
  ) as [string, string, string]
  fs.mkdirSync(folder)
  const put = (target: string, content: string | Uint8Array) => {
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, content)
  }
  put(path.join(home, 'config.toml'), 'model = "m"\n')
  put(path.join(home, 'titles.skein.json'), '{}')
  put(path.join(home, 'notes/übung %41 a\\b\n.txt'), Buffer.from([0, 255, 10, 13]))
  put(path.join(home, 'notes/packed.gz'), 'no archive at all')
  put(path.join(home, 'empty'), '')
  put(path.join(userFolder, 'settings.json'), '{"model":"m"}')
  put(path.join(userFolder, 'imports/a.zip'), zipped([{ name: 'a', content: Buffer.from('x') }]))
  for (const one of ['titles.json', 'labels.json', 'labels.json.damaged-2', 'home.json'])
    put(path.join(userFolder, one), `{"of":"${one}"}`)
  for (const one of ['keys', 'keys.damaged-1']) put(path.join(userFolder, one), 'secret')
  put(path.join(userFolder, 'homes/0a/profile/Preferences'), '{}')
  put(path.join(userFolder, 'trusted-plugins/0a.json'), '{}')
  put(path.join(userFolder, 'shell/Cookies'), 'none')
  const store = openStore({ home, disk: nodeDisk })
  const writer = await store.openWriter('garden', { create: true })
  await writer.append(message('tulips'))
  await writer.close()
  const deps = { disk: nodeDisk, home, userFolder, roots: [] as PlacesInUse['roots'], now }
  return {
    ...{ root, home, userFolder, folder, deps, store, put },
    file: path.join(folder, name),
    take: (more: Partial<typeof deps> = {}, signal = noSignal) =>
      takeSnapshot({ ...deps, ...more }, folder, nothing, signal),
  }
}

/** Every file below a folder with what it holds. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((one) => fs.statSync(path.join(folder, one)).isFile())
      .sort()
      .map((one) => [one, fs.readFileSync(path.join(folder, one), 'latin1')]),
  )
}

describe('a snapshot', () => {
  it('holds every byte of the home and of what Skein keeps, and comes back in a new folder as it was', async () => {
    const { root, home, userFolder, file, take, put } = await ground()
    const before = contentOf(root)
    const taken = await take()
    expect(taken).toMatchObject({ file, leftOut: [] })
    expect(taken.packedBytes).toBe(fs.statSync(file).size)
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    expect(await checkSnapshot(nodeDisk, file, nothing, noSignal)).toEqual({
      files: taken.files,
      bytes: taken.bytes,
    })
    put(path.join(home, 'config.toml'), 'changed since')
    const restored = path.join(root, 'restored')
    await restoreSnapshot(nodeDisk, file, restored, inUse, nothing, noSignal)
    const below = (folder: string) =>
      Object.entries(before).flatMap(([one, text]) =>
        one.startsWith(`${folder}/`) ? [[one.slice(folder.length + 1), text] as const] : [],
      )
    expect(contentOf(path.join(restored, 'home'))).toEqual(Object.fromEntries(below('home')))
    const own = below('user').filter(([one]) => !/^(keys|shell|homes|trusted)/.test(one))
    expect(contentOf(path.join(restored, 'skein'))).toEqual(Object.fromEntries(own))
    expect(own.map(([one]) => one)).toContain('labels.json.damaged-2')
    expect(fs.readFileSync(path.join(home, 'config.toml'), 'utf8')).toBe('changed since')
    expect(fs.existsSync(path.join(userFolder, 'keys'))).toBe(true)
    const modes = fs
      .readdirSync(restored, { recursive: true, encoding: 'utf8' })
      .map((one) => fs.statSync(path.join(restored, one)))
      .map((stat) => stat.mode & (stat.isDirectory() ? 0o077 : 0o177))
    expect(new Set(modes)).toEqual(new Set([0]))
  })

  it('takes files by links, each folder once, and says what it left out; locks stay with their holders', async () => {
    const { root, home, file, take, put } = await ground()
    put(path.join(root, 'elsewhere/prompt.md'), 'be brief')
    fs.symlinkSync(path.join(root, 'elsewhere'), path.join(home, 'prompts'))
    fs.symlinkSync('.', path.join(home, 'round'))
    fs.symlinkSync('nowhere', path.join(home, 'dangling'))
    put(path.join(home, 'contexts/garden/.lock'), '{}')
    expect((await take()).leftOut).toEqual(['home/dangling'])
    await restoreSnapshot(nodeDisk, file, path.join(root, 'restored'), inUse, nothing, noSignal)
    const names = Object.keys(contentOf(path.join(root, 'restored')))
    expect(names).toContain('home/prompts/prompt.md')
    expect(names.filter((one) => /round|dangling|\.lock/.test(one))).toEqual([])
  })

  it('follows no link to a folder around the home, and none that leads round to itself; it names them', async () => {
    const { root, home, take } = await ground()
    fs.symlinkSync(root, path.join(home, 'disk'))
    fs.symlinkSync('../..', path.join(home, 'contexts/garden/home'))
    fs.symlinkSync('circle', path.join(home, 'circle'))
    const before = (await ground()).take
    const taken = await take()
    expect([...taken.leftOut].sort()).toEqual([
      'home/circle',
      'home/contexts/garden/home',
      'home/disk',
    ])
    expect(taken.files).toBe((await before()).files)
  })

  it('takes a file among the contexts, says which link there leads nowhere, and passes over what is half made', async () => {
    const { root, home, file, take, put } = await ground()
    put(path.join(home, 'contexts/notes.md'), 'a file')
    put(path.join(home, 'contexts/.skein-new.tmp.7/transcript/active.jsonl'), 'half')
    fs.symlinkSync('nowhere', path.join(home, 'contexts/dangling'))
    expect((await take()).leftOut).toEqual(['home/contexts/dangling'])
    await restoreSnapshot(nodeDisk, file, path.join(root, 'restored'), inUse, nothing, noSignal)
    const names = fs.readdirSync(path.join(root, 'restored/home/contexts'))
    expect(names.sort()).toEqual(['garden', 'notes.md'])
  })

  it.each(['\u2028', 'a\u2029b', '\r', '\n', '\\n', ' '])(
    'can be checked and restored whatever a name is: %j',
    async (odd) => {
      const { root, home, file, take, put } = await ground()
      put(path.join(home, odd), 'odd')
      await take()
      await checkSnapshot(nodeDisk, file, nothing, noSignal)
      const restored = path.join(root, 'restored')
      await restoreSnapshot(nodeDisk, file, restored, inUse, nothing, noSignal)
      expect(fs.readFileSync(path.join(restored, 'home', odd), 'utf8')).toBe('odd')
    },
  )

  it('has nothing under its name where it reads otherwise than it was written', async () => {
    const { folder, deps } = await ground()
    const spoiling: Disk = {
      ...nodeDisk,
      async open(target, mode, permissions) {
        const opened = await nodeDisk.open(target, mode, permissions)
        if (mode !== 'read' || !target.startsWith(folder)) return opened
        // The list of digests is shorter on the disk than it was in memory.
        const bytes = fs.readFileSync(target)
        const at = bytes.indexOf('SHA256SUMS')
        if (at >= 0) {
          bytes[at] = 0x73
          fs.writeFileSync(target, bytes)
        }
        return opened
      },
    }
    await expect(
      takeSnapshot({ ...deps, disk: spoiling }, folder, nothing, noSignal),
    ).rejects.toMatchObject({ code: 'unreadable' })
    expect(fs.readdirSync(folder)).toEqual([])
  })

  it('brings files back with the times that they had', async () => {
    const { root, home, userFolder, file, take } = await ground()
    const times = new Map([
      [path.join(home, 'config.toml'), 1_234_567_890_123],
      [path.join(home, 'contexts/garden/transcript/active.jsonl'), 1_700_000_000_001],
      [path.join(userFolder, 'settings.json'), 86_400_000],
    ])
    for (const [one, ms] of times) fs.utimesSync(one, ms / 1000, ms / 1000)
    await take()
    const restored = path.join(root, 'restored')
    await restoreSnapshot(nodeDisk, file, restored, inUse, nothing, noSignal)
    for (const [one, ms] of times) {
      const name = path.relative(root, one).replace(/^user/, 'skein')
      expect(Math.round(fs.statSync(path.join(restored, name)).mtimeMs)).toBe(ms)
    }
  })

  it('copies only what is new where a backup runs meanwhile', async () => {
    const { root, deps, userFolder, file, put } = await ground()
    put(path.join(userFolder, 'backups/0'), 'first')
    const opened: string[] = []
    const backingUp = watchedDisk({
      before({ name: call, path: target }) {
        if (call !== 'open' || !target.startsWith(path.join(userFolder, 'backups'))) return
        opened.push(path.basename(target))
        // With each file that is copied comes another one, up to three.
        if (opened.length <= 3) put(path.join(userFolder, `backups/${opened.length}`), 'more')
      },
    })
    await takeSnapshot({ ...deps, disk: backingUp }, path.dirname(file), nothing, noSignal)
    expect(opened).toEqual(['0', '1', '2', '3'])
    const restored = path.join(root, 'restored')
    await restoreSnapshot(nodeDisk, file, restored, inUse, nothing, noSignal)
    expect(fs.readdirSync(path.join(restored, 'skein/backups')).sort()).toEqual(opened)
  })

  it('is not made inside of what it holds, where no folder is, or over another', async () => {
    const { deps, home, root, take } = await ground()
    for (const folder of [home, path.join(home, 'contexts')])
      await expect(takeSnapshot(deps, folder, nothing, noSignal)).rejects.toMatchObject({
        code: 'bad-argument',
      })
    await expect(
      takeSnapshot(deps, path.join(root, 'none'), nothing, noSignal),
    ).rejects.toMatchObject({ code: 'not-found' })
    await expect(take({ home: path.join(root, 'none') })).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(fs.readdirSync(path.join(root, 'kept'))).toEqual([])
  })

  it('gets a name of its own beside others of the same second, and replaces none', async () => {
    const { file, folder, take, put, home } = await ground()
    const second = file.replace('.zip', '-2.zip')
    put(second, 'of somebody')
    await take()
    const bytes = fs.readFileSync(file)
    put(path.join(home, 'later'), 'than the first')
    expect(await take()).toMatchObject({ file: file.replace('.zip', '-3.zip') })
    expect(await Promise.all([take(), take()])).toHaveLength(2)
    expect(fs.readdirSync(folder).sort()).toEqual(
      ['-2', '-3', '-4', '-5', ''].map((one) => name.replace('.zip', `${one}.zip`)),
    )
    expect(fs.readFileSync(file).equals(bytes)).toBe(true)
    expect(fs.readFileSync(second, 'utf8')).toBe('of somebody')
    const third = file.replace('.zip', '-3.zip')
    await checkSnapshot(nodeDisk, third, nothing, noSignal)
    expect(fs.readFileSync(third).includes('home/later')).toBe(true)
  })

  it('has every line of a context that is rotated, renamed or appended to at any moment of it', async () => {
    const { root, deps, home, file } = await ground()
    const counting = watchedDisk()
    await takeSnapshot({ ...deps, disk: counting }, path.dirname(file), nothing, noSignal)
    fs.unlinkSync(file)
    const acts = ['rotate', 'rename', 'append'] as const
    const places = drawnOf(numbersBetween(1, counting.calls()), 8)
    await tryEach(places, async (place) => {
      for (const act of acts) {
        const folder = path.join(home, 'contexts/garden/transcript')
        const partition = path.join(folder, `partitions/${place}-${act}.jsonl`)
        let at = 0
        const meddling = watchedDisk({
          before() {
            at += 1
            if (at !== place) return
            if (act === 'append') fs.appendFileSync(path.join(folder, 'active.jsonl'), 'more\n')
            else if (act === 'rename')
              fs.renameSync(path.join(home, 'contexts/garden'), path.join(home, 'contexts/orchard'))
            else {
              fs.mkdirSync(path.dirname(partition), { recursive: true })
              fs.renameSync(path.join(folder, 'active.jsonl'), partition)
              fs.writeFileSync(path.join(folder, 'active.jsonl'), `after ${act}\n`)
            }
          },
        })
        await takeSnapshot({ ...deps, disk: meddling }, path.dirname(file), nothing, noSignal)
        const restored = path.join(root, `restored-${place}-${act}`)
        await restoreSnapshot(nodeDisk, file, restored, inUse, nothing, noSignal)
        const text = Object.entries(contentOf(path.join(restored, 'home/contexts')))
          .filter(([one]) => /transcript\/.*\.jsonl$/.test(one))
          .map(([, lines]) => lines)
          .join('')
        expect(text.split('tulips')).toHaveLength(2)
        fs.rmSync(restored, { recursive: true })
        fs.unlinkSync(file)
        if (act === 'rename' && fs.existsSync(path.join(home, 'contexts/orchard')))
          fs.renameSync(path.join(home, 'contexts/orchard'), path.join(home, 'contexts/garden'))
      }
    })
  })

  it.each(['open', 'close'])(
    'has what is rotated right before or after it is read: %s',
    async (moment) => {
      const { root, deps, home, file } = await ground()
      const folder = path.join(home, 'contexts/garden/transcript')
      const active = path.join(folder, 'active.jsonl')
      let isDone = false
      const rotating = watchedDisk({
        before({ name, path: target }) {
          if (isDone || name !== moment || target !== active) return
          isDone = true
          fs.mkdirSync(path.join(folder, 'partitions'), { recursive: true })
          fs.renameSync(active, path.join(folder, 'partitions/1-2.jsonl'))
          fs.writeFileSync(active, 'after\n')
        },
      })
      await takeSnapshot({ ...deps, disk: rotating }, path.dirname(file), nothing, noSignal)
      expect(isDone).toBe(true)
      const restored = path.join(root, 'restored')
      await restoreSnapshot(nodeDisk, file, restored, inUse, nothing, noSignal)
      expect(contentOf(path.join(restored, 'home/contexts'))).toEqual(
        contentOf(path.join(home, 'contexts')),
      )
    },
  )

  it('leaves out no folder in silence whose path the disk does not tell', async () => {
    const { deps, home, file, folder } = await ground()
    const blind = path.join(home, 'contexts/garden')
    const disk: Disk = {
      ...nodeDisk,
      realPath: (target) =>
        target === blind
          ? Promise.reject(new DiskError('io', target, `${target} cannot be read`))
          : nodeDisk.realPath(target),
    }
    const taken = takeSnapshot({ ...deps, disk }, folder, nothing, noSignal)
    await expect(taken).rejects.toThrow('cannot be read')
    expect(fs.existsSync(file)).toBe(false)
  })

  it('that fails, is stopped or killed at any call leaves nothing under its name, and changes nothing of the home', async () => {
    const { deps, home, file, folder } = await ground()
    const counting = watchedDisk()
    await takeSnapshot({ ...deps, disk: counting }, folder, nothing, noSignal)
    fs.unlinkSync(file)
    const before = contentOf(home)
    await tryEach(drawnOf(numbersBetween(1, counting.calls()), 8), async (at) => {
      const stop = new AbortController()
      const stopping = watchedDisk({ before: (call) => call.at === at && stop.abort() })
      const work = takeSnapshot({ ...deps, disk: stopping }, folder, nothing, stop.signal)
      const done = await work.catch(() => undefined)
      expect(fs.readdirSync(folder)).toEqual(done === undefined ? [] : [name])
      if (done !== undefined) fs.unlinkSync(file)
      expect(contentOf(home)).toEqual(before)
    })
    // A disk that takes nothing more from some call on: as after a kill, nothing is cleared away.
    await tryEach(drawnOf(numbersBetween(1, counting.calls()), 8), async (at) => {
      const dead = watchedDisk({
        before(call) {
          if (call.at >= at) throw new DiskError('no-space', call.path, `${call.path} is dead`)
        },
      })
      const failed = takeSnapshot({ ...deps, disk: dead }, folder, nothing, noSignal)
      await expect(failed).rejects.toMatchObject({ code: 'disk-full' })
      // It may have got its name right before: then it is whole.
      if (fs.existsSync(file)) await checkSnapshot(nodeDisk, file, nothing, noSignal)
      for (const one of fs.readdirSync(folder)) fs.unlinkSync(path.join(folder, one))
      expect(contentOf(home)).toEqual(before)
    })
  })
})

describe('a snapshot that is restored', () => {
  it('is written over nothing, and is there only when all of it is', async () => {
    const { root, take, file, store } = await ground()
    await take()
    const there = path.join(root, 'there')
    fs.mkdirSync(there)
    await expect(
      restoreSnapshot(nodeDisk, file, there, inUse, nothing, noSignal),
    ).rejects.toMatchObject({
      code: 'exists',
    })
    const stop = new AbortController()
    const halfWay = restoreSnapshot(
      nodeDisk,
      file,
      `${there}-2`,
      inUse,
      () => stop.abort(),
      stop.signal,
    )
    await expect(halfWay).rejects.toThrow()
    expect(fs.readdirSync(root).sort()).toEqual(['home', 'kept', 'there', 'user'])
    await restoreSnapshot(nodeDisk, file, `${there}-2`, inUse, nothing, noSignal)
    const other = openStore({ home: path.join(`${there}-2`, 'home'), disk: nodeDisk })
    const linesOf = async (one: typeof store) => {
      const lines: unknown[] = []
      for await (const row of requireWhole((await one.readWhole('garden')).rows)) lines.push(row)
      return lines
    }
    expect(await linesOf(other)).toEqual(await linesOf(store))
  })

  it('is not made among what Skein keeps or reads, nor is one taken there', async () => {
    const { root, home, userFolder, deps, take, file } = await ground()
    const claude = path.join(root, 'claude')
    fs.mkdirSync(path.join(claude, 'projects'), { recursive: true })
    const roots = [{ source: 'claude-code', path: claude }]
    fs.symlinkSync(path.join(claude, 'projects'), path.join(root, 'link'))
    await take()
    const places: PlacesInUse = { folders: [home, userFolder], roots }
    for (const around of [home, userFolder, claude, path.join(root, 'link')]) {
      const before = fs.readdirSync(around)
      const restoring = restoreSnapshot(
        ...([nodeDisk, file, path.join(around, 'new'), places, nothing, noSignal] as const),
      )
      await expect(restoring).rejects.toMatchObject({ code: 'bad-argument' })
      const taking = takeSnapshot({ ...deps, roots }, around, nothing, noSignal)
      await expect(taking).rejects.toMatchObject({ code: 'bad-argument' })
      expect(fs.readdirSync(around)).toEqual(before)
    }
  })

  it('has each of its folders synced, the deepest first, before it has its name', async () => {
    const { root, take, file } = await ground()
    await take()
    const restored = path.join(root, 'restored')
    const calls: string[] = []
    const watching = watchedDisk({
      before: ({ name: call, path: target }) =>
        /^(syncFolder|rename)$/.test(call) && calls.push(`${call} ${path.relative(root, target)}`),
    })
    await restoreSnapshot(watching, file, restored, inUse, nothing, noSignal)
    const folders = fs
      .readdirSync(restored, { recursive: true, encoding: 'utf8' })
      .filter((one) => fs.statSync(path.join(restored, one)).isDirectory())
    const synced = calls
      .slice(0, calls.indexOf('rename restored'))
      .map((call) => call.replace(/^syncFolder restored\.tmp\.\d+\/?/, ''))
    expect([...synced].sort()).toEqual(['', ...folders].sort())
    for (const [at, one] of synced.entries())
      expect(synced.slice(at + 1).filter((later) => later.startsWith(`${one}/`))).toEqual([])
    expect(synced.at(-1)).toBe('')
  })

  it('is refused where a byte of it is another, wherever that is', async () => {
    const { root, take, file } = await ground()
    await take()
    const bytes = fs.readFileSync(file)
    const restored = path.join(root, 'restored')
    await tryEach(drawnOf(numbersBetween(0, bytes.length - 1), 60), async (at) => {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x10
      fs.writeFileSync(file, damaged)
      const checked = await checkSnapshot(nodeDisk, file, nothing, noSignal).catch(() => 'refused')
      const done = await restoreSnapshot(nodeDisk, file, restored, inUse, nothing, noSignal).catch(
        () => 'refused',
      )
      expect(done === 'refused').toBe(checked === 'refused')
      if (done === 'refused') return expect(fs.existsSync(restored)).toBe(false)
      // A byte that nobody reads: a date, a version, the sizes that stand twice.
      const hash = createHash('sha256')
        .update(JSON.stringify(contentOf(restored)))
        .digest('hex')
      fs.writeFileSync(file, bytes)
      fs.rmSync(restored, { recursive: true })
      await restoreSnapshot(nodeDisk, file, restored, inUse, nothing, noSignal)
      expect(
        createHash('sha256')
          .update(JSON.stringify(contentOf(restored)))
          .digest('hex'),
      ).toBe(hash)
      fs.rmSync(restored, { recursive: true })
    })
  })

  it.each(['../out', '/out', 'home/../../out', 'home//out', 'home/./out', 'home/a\0b'])(
    'writes nothing outside for a file that is called %j',
    async (evil) => {
      const root = temp()
      const content = Buffer.from('evil')
      const digest = createHash('sha256').update(content).digest('hex')
      const sums = Buffer.from(`${digest}  ${evil}\n`)
      const file = path.join(root, 'snapshot.zip')
      fs.writeFileSync(
        file,
        zipped([
          { name: evil, content },
          { name: 'SHA256SUMS', content: sums },
        ]),
      )
      const restored = path.join(root, 'a/restored')
      fs.mkdirSync(path.dirname(restored))
      await expect(
        restoreSnapshot(nodeDisk, file, restored, inUse, nothing, noSignal),
      ).rejects.toMatchObject({ code: 'unreadable' })
      expect(fs.readdirSync(root).sort()).toEqual(['a', 'snapshot.zip'])
      expect(fs.readdirSync(path.join(root, 'a'))).toEqual([])
    },
  )

  it('says what is no snapshot', async () => {
    const root = temp()
    const put = (content: Uint8Array) => {
      const file = path.join(root, 'x.zip')
      fs.writeFileSync(file, content)
      return file
    }
    const check = (file: string) => checkSnapshot(nodeDisk, file, nothing, noSignal)
    await expect(check(path.join(root, 'none'))).rejects.toMatchObject({ code: 'not-found' })
    const others = [Buffer.from('text'), zipped([{ name: 'a', content: Buffer.from('x') }])]
    for (const other of others)
      await expect(check(put(other))).rejects.toMatchObject({
        code: 'unreadable',
        message: expect.stringContaining('no snapshot of Skein'),
      })
    const more = zipped([
      { name: 'a', content: Buffer.from('x') },
      { name: 'SHA256SUMS', content: Buffer.alloc(0) },
    ])
    await expect(check(put(more))).rejects.toThrow('other files than its list')
  })
})

it('reads and writes in pieces of bounded size, however large a file is', async () => {
  const { home, folder, deps, put } = await ground()
  put(path.join(home, 'large.bin'), Buffer.alloc(5_000_000, 7))
  let largest = 0
  const measuring: Disk = {
    ...nodeDisk,
    async open(...given) {
      const opened = await nodeDisk.open(...given)
      return Object.assign(Object.create(opened), {
        read(into: Uint8Array, position: number) {
          largest = Math.max(largest, into.length)
          return opened.read(into, position)
        },
        write(bytes: Uint8Array) {
          largest = Math.max(largest, bytes.length)
          return opened.write(bytes)
        },
      })
    },
  }
  await takeSnapshot({ ...deps, disk: measuring }, folder, nothing, noSignal)
  expect(largest).toBeLessThanOrEqual(1024 * 1024)
})
