import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openStore } from '../../../src/main/store/open-store'
import { requireWhole } from '../../../src/shared/model/conversation/reading'
import { jsonLine, message } from '../../support/entries'
import { memoryFolder, tempFolders } from '../../support/temp-folder'
import { storeWorkers } from '../../support/workers'

const temp = tempFolders(memoryFolder)
const startWorker = storeWorkers('after all tests')
/** One for all: it is told its umask each time. */
let worker: ReturnType<typeof startWorker> | undefined

/** The permissions of all that lies below a folder, and of itself, by what it is called there. */
function modesBelow(folder: string): Map<string, number> {
  const modes = new Map([['.', modeOf(folder)]])
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    modes.set(name, modeOf(path.join(folder, name)))
  return modes
}

const modeOf = (file: string) => fs.statSync(file).mode & 0o7777
const isFolder = (file: string) => fs.statSync(file).isDirectory()

/** Writes everything twice: what is there the second time is replaced, rotated and renamed. */
async function everythingIn(home: string, user: string, umask: number): Promise<void> {
  worker ??= startWorker()
  expect(await (await worker).ask({ do: 'write-everything', umask, home, user })).toBe(null)
}

const inContext = (home: string, name: string) => path.join(home, 'contexts/garden', name)

describe.skipIf(process.platform === 'win32')('the permissions of what Skein writes', () => {
  it.each([0, 0o022, 0o002, 0o077, 0o777])(
    'a home, and all that is made in it, is for its owner alone: umask %o',
    async (umask) => {
      const [home, user] = [path.join(temp(), 'home'), path.join(temp(), 'user')]
      await everythingIn(home, user, umask)
      for (const root of [home, user])
        for (const [name, mode] of modesBelow(root)) {
          const wanted = isFolder(path.join(root, name)) ? 0o700 : 0o600
          expect([name, mode.toString(8)]).toEqual([name, wanted.toString(8)])
        }
      const names = [...modesBelow(home).keys()].map((name) => path.basename(name))
      for (const name of [
        'active.jsonl',
        'manifest.json',
        'context.jsonl',
        'partitions',
        'seals.skein.jsonl',
        'requests.jsonl',
        'tool_cache',
        'attachments',
        'titles.skein.json',
        'state.json',
        'local.toml',
        'inbox.jsonl',
        'system_prompt.md',
      ])
        expect(names).toContain(name)
      expect(names.some((name) => name.endsWith('.bloom'))).toBe(true)
      expect([...modesBelow(user).keys()].sort()).toEqual(['.', 'keys', 'settings.json'])
    },
  )

  it.each([
    [0o600, 0o022],
    [0o640, 0o077],
    [0o664, 0o077],
    [0o600, 0],
  ])(
    'what is there keeps its mode, %o, and what follows it has the same: umask %o',
    async (mode, umask) => {
      const [home, user] = [temp(), temp()]
      await everythingIn(home, user, umask)
      const before = [...modesBelow(home).keys()]
      for (const name of before) {
        const file = path.join(home, name)
        fs.chmodSync(file, isFolder(file) ? 0o755 : mode)
      }
      await everythingIn(home, user, umask)
      const after = modesBelow(home)
      const kept = [
        'state.json',
        'titles.skein.json',
        'local.toml',
        'contexts/garden/context.jsonl',
        'contexts/garden/todos.md',
        'contexts/garden/requests.jsonl',
        'contexts/garden/seals.skein.jsonl',
        'contexts/garden/transcript/manifest.json',
        'contexts/garden/transcript/active.jsonl',
      ]
      for (const name of kept) expect([name, after.get(name)]).toEqual([name, mode])
      // Every partition too: those that were there, and those that the active one became.
      const partitions = [...after.keys()].filter((name) => /partitions\/.*\.jsonl$/.test(name))
      expect(partitions.some((name) => !before.includes(name))).toBe(true)
      for (const name of partitions) {
        if (name.includes('branch')) continue
        expect([name, after.get(name)]).toEqual([name, mode])
      }
      for (const name of before)
        if (isFolder(path.join(home, name))) expect([name, after.get(name)]).toEqual([name, 0o755])
    },
  )

  it('the window is rebuilt for those who may read the transcript, where it is missing', async () => {
    const [home, user] = [temp(), temp()]
    await everythingIn(home, user, 0o022)
    fs.chmodSync(inContext(home, 'transcript/active.jsonl'), 0o640)
    fs.rmSync(inContext(home, 'context.jsonl'))
    await everythingIn(home, user, 0o022)
    expect(modeOf(inContext(home, 'context.jsonl'))).toBe(0o640)
  })

  it('a new active partition has the mode of the last of several that were archived in one second', async () => {
    const home = temp()
    fs.mkdirSync(inContext(home, 'transcript/partitions'), { recursive: true })
    const modes = { '100-100': 0o600, '100-100-2': 0o600, '100-100-10': 0o640, '20-90': 0o600 }
    for (const [name, mode] of Object.entries(modes)) {
      const file = inContext(home, `transcript/partitions/${name}.jsonl`)
      fs.writeFileSync(file, `${jsonLine({ id: name, timestamp: 100 })}\n`)
      fs.chmodSync(file, mode)
    }
    const writer = await openStore({
      home,
      disk: nodeDisk,
      now: () => 1_780_000_001_000,
    }).openWriter('garden', { create: false })
    await writer.append(message('here'))
    await writer.close()
    expect(modeOf(inContext(home, 'transcript/active.jsonl'))).toBe(0o640)
  })

  it('a home that a group shares stays shared: what is made in it is for the group too', async () => {
    const [home, user] = [temp(), temp()]
    fs.chmodSync(home, 0o2770)
    await everythingIn(home, user, 0o077)
    for (const [name, mode] of modesBelow(home)) {
      const wanted = isFolder(path.join(home, name)) ? 0o770 : 0o660
      expect([name, (mode & 0o777).toString(8)]).toEqual([name, wanted.toString(8)])
    }
  })

  it('a home that everybody may write to is no reason to let everybody read', async () => {
    const [home, user] = [temp(), temp()]
    fs.chmodSync(home, 0o777)
    await everythingIn(home, user, 0)
    for (const [name, mode] of modesBelow(home)) if (name !== '.') expect(mode & 0o077).toBe(0)
  })

  it('keys that an older version left open to others are closed with the next key', async () => {
    const [home, user] = [temp(), temp()]
    fs.writeFileSync(path.join(user, 'keys'), JSON.stringify({ version: 1, keys: {} }))
    fs.chmodSync(path.join(user, 'keys'), 0o644)
    await everythingIn(home, user, 0o022)
    expect(modeOf(path.join(user, 'keys'))).toBe(0o600)
  })

  it.each([
    [0o022, 0o644],
    [0o077, 0o600],
    [0o002, 0o664],
  ])('an export goes by the umask, %o', async (umask, mode) => {
    const file = path.join(temp(), 'export.md')
    const worker = await startWorker()
    expect(await worker.ask({ do: 'export', umask, file })).toBe(null)
    expect(modeOf(file)).toBe(mode)
  })

  it('reading changes no mode', async () => {
    const [home, user] = [temp(), temp()]
    await everythingIn(home, user, 0o022)
    for (const name of modesBelow(home).keys()) {
      const file = path.join(home, name)
      fs.chmodSync(file, isFolder(file) ? 0o755 : 0o644)
    }
    const before = modesBelow(home)
    const store = openStore({ home, disk: nodeDisk })
    await store.listContexts()
    for await (const _ of requireWhole((await store.readWhole('garden')).rows));
    await store.readPage('garden', 'end', 50)
    await store.verify('garden')
    await store.readNotes('garden')
    expect(modesBelow(home)).toEqual(before)
  })
})
