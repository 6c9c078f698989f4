import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openFamilies } from '../../../../src/main/library/families/families'
import { threadFamilies } from '../../../../src/main/library/families/families-thread'
import type { Families } from '../../../../src/main/library/families/library-families'
import { cycodReader } from '../../../../src/main/readers/cycod/cycod'
import { readRoot } from '../../../../src/main/readers/read-root'
import { openStore } from '../../../../src/main/store/open-store'
import { ConversationKey, LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { familiesOf } from '../../../../src/shared/model/family/branches'
import { outlineOf } from '../../../../src/shared/model/family/outline'
import { bundled } from '../../../support/bundled'
import { message } from '../../../support/entries'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
it('what grows is told to each of two windows that show a map, also of conversations without relatives', async () => {
  const root = temp()
  const history = path.join(root, 'history')
  fs.mkdirSync(history)
  const line = (content: string) => `${JSON.stringify({ role: 'user', content })}\n`
  const files = ['one', 'another'].map((name) => path.join(history, `chat-history-${name}.jsonl`))
  for (const file of files) fs.writeFileSync(file, line(`What ${file} says`))
  let changes = 0
  const families = openFamilies({
    ...places(root),
    disk: nodeDisk,
    changed: () => {
      changes += 1
    },
  })
  await families.settled()
  const keys = ['one', 'another'].map((name) => LibraryKey.parse(`cycod:chat-history-${name}`))
  const entriesOf = async (key: LibraryKey) => (await families.map(key)).map?.facts.ids.length
  for (const key of keys) expect(await entriesOf(key)).toBe(1)
  for (const [at, file] of files.entries()) {
    fs.appendFileSync(file, line('and more'))
    const before = changes
    await families.settled()
    expect(changes, file).toBeGreaterThan(before)
    for (const [one, key] of keys.entries()) expect(await entriesOf(key)).toBe(one <= at ? 2 : 1)
  }
  await families.close()
})

const worker = bundled('src/main/library/families/families.worker.ts')
const family = path.join(__dirname, '../../../fixtures/branches/cycod-family')

function places(root: string, cacheFolder?: string) {
  const roots = [{ source: 'cycod' as const, path: root }]
  return { home: path.join(temp(), 'home'), roots, cacheFolder }
}

/** A disk that tells how many transcripts were opened for reading. */
function countingDisk(): { readonly disk: Disk; readonly opened: () => number } {
  let opened = 0
  const disk: Disk = {
    ...nodeDisk,
    open(target, mode) {
      if (mode === 'read' && target.endsWith('.jsonl')) opened += 1
      return nodeDisk.open(target, mode)
    },
  }
  return { disk, opened: () => opened }
}

function copyOfFamily(): { readonly root: string; readonly keys: readonly LibraryKey[] } {
  const root = temp()
  fs.cpSync(family, root, { recursive: true, preserveTimestamps: true })
  const names = fs.readdirSync(path.join(root, 'history')).sort()
  return { root, keys: names.map((name) => LibraryKey.parse(`cycod:${path.parse(name).name}`)) }
}

function threadless(where: ReturnType<typeof places>, disk: Disk): Families {
  return openFamilies({ ...where, disk, changed: () => undefined })
}

async function viewsOf(families: Families, keys: readonly LibraryKey[]) {
  const views = []
  for (const key of keys) views.push(await families.family(key))
  return views
}

it('knows which conversations are of one family, and tells each by its own words; another start knows it at once', async () => {
  const { root, keys } = copyOfFamily()
  const where = places(root, temp())
  const first = threadless(where, nodeDisk)
  await first.settled()
  const { families, counting } = await first.groups()
  expect(counting).toBe(false)
  // Two of the nine share nothing with the others.
  expect(families.map((members) => members.length)).toEqual([7])
  const told = await first.distinctions(families[0]?.[0] ?? LibraryKey.parse('none'))
  expect(told.map(({ key }) => key).sort()).toEqual([...(families[0] ?? [])].sort())
  expect(keys).toEqual(expect.arrayContaining(told.map(({ key }) => key)))
  const words = told.map((one) => one.words)
  expect(new Set(words.filter(Boolean)).size).toBeGreaterThan(4)
  expect(await first.distinctions(LibraryKey.parse('cycod:nobody'))).toEqual([])
  await first.close()
  // Nothing was read yet: what is known is what the first one kept.
  const { disk, opened } = countingDisk()
  const second = threadless(where, disk)
  expect((await second.groups()).families).toEqual(families)
  expect(opened()).toBe(0)
  await second.close()
})

it('shows the tree that all conversations together make, in the ids of the one that is asked for', async () => {
  const { root, keys } = copyOfFamily()
  const families = openFamilies({ ...places(root), disk: nodeDisk, changed: () => undefined })
  await families.settled()
  const { conversations } = await readRoot(
    cycodReader,
    root,
    nodeDisk,
    new AbortController().signal,
  )
  let forks = 0
  for (const key of keys) {
    const ownKey = ConversationKey.parse(key.slice('cycod:'.length))
    const { view, counting } = await families.family(key)
    expect(counting).toBe(false)
    const own = conversations.find((one) => one.key === ownKey)
    if (own === undefined) throw new Error(`${key} is not read`)
    const outlines = conversations.map((one) =>
      outlineOf({ ...one, key: ConversationKey.parse(one.key) }),
    )
    const expected = familiesOf(outlines, { source: 'cycod', key: ownKey }).find(({ nodes }) =>
      nodes.some((node) => node.keys.includes(ownKey)),
    )
    const isAlone = expected?.nodes.every(({ keys: holders }) => holders.length === 1)
    if (isAlone) {
      expect(view).toBeNull()
      continue
    }
    expect(view?.family.nodes.map(({ key: oldest, keys: all }) => [oldest, all])).toEqual(
      expected?.nodes.map(({ key: oldest, keys: all }) => [oldest, all]),
    )
    // Its own lines, from the first to the last, without a gap.
    expect(view?.path[0]?.firstEntry).toBe(own.entries[0]?.id)
    expect(view?.path.at(-1)?.lastEntry).toBe(own.entries.at(-1)?.id)
    const lineOf = (id: string) => Number(/^L(\d+)/.exec(id)?.[1])
    for (const [i, step] of (view?.path ?? []).entries()) {
      const before = view?.path[i - 1]
      if (before !== undefined)
        expect(lineOf(step.firstEntry)).toBeGreaterThan(lineOf(before.lastEntry))
    }
    for (const fork of view?.forks ?? []) {
      forks += 1
      expect(fork.ways[fork.index]).toMatchObject({ key, entry: fork.entry })
      expect(view?.path.some(({ firstEntry }) => firstEntry === fork.entry)).toBe(true)
    }
  }
  expect(forks).toBeGreaterThan(4)
  await families.close()
})

it('a thread of its own gives the same answers, and tells when there are better ones', async () => {
  const { root, keys } = copyOfFamily()
  const inline = openFamilies({ ...places(root), disk: nodeDisk, changed: () => undefined })
  await inline.settled()
  let told: () => void = () => undefined
  const changed = new Promise<void>((resolve) => {
    told = resolve
  })
  const thread = threadFamilies(worker(), places(root), () => told())
  const [first] = keys
  if (first === undefined) throw new Error('no conversation')
  expect(await thread.family(first)).toEqual({ view: null, counting: true })
  await changed
  await thread.settled()
  expect(await viewsOf(thread, keys)).toEqual(await viewsOf(inline, keys))
  await Promise.all([thread.close(), inline.close()])
  await expect(thread.family(first)).rejects.toThrow('closed')
})

it('gives the map of a family to each of its conversations, with the same entries, and of one alone too', async () => {
  const { root, keys } = copyOfFamily()
  const where = places(root)
  const other = message('nobody else says this')
  const store = openStore({ home: where.home, disk: nodeDisk })
  const writer = await store.openWriter('alone', { create: true })
  await writer.append(other)
  await writer.close()
  const thread = threadFamilies(worker(), where, () => undefined)
  await thread.settled()
  const facts = new Map<LibraryKey, string>()
  for (const key of keys) {
    const { map, counting } = await thread.map(key)
    expect(counting).toBe(false)
    const leaf = map?.conversations.find((one) => one.key === key)?.leaf ?? -1
    expect(map?.path.at(-1)?.node).toBe(map?.nodes[leaf]?.id)
    const said = JSON.stringify([map?.facts, map?.nodes.map(({ id }) => id)])
    const members = map?.conversations.map((one) => one.key) ?? []
    expect(members).toContain(key)
    for (const member of members) expect(facts.get(member) ?? said).toBe(said)
    facts.set(key, said)
  }
  // Most of the fixture's files are one family.
  expect(new Set(facts.values()).size).toBeLessThan(keys.length)
  const { map: alone } = await thread.map(LibraryKey.parse('alone'))
  expect(alone?.nodes).toHaveLength(1)
  expect(alone?.facts.ids).toContain(other.id)
  expect(await thread.map(LibraryKey.parse('nobody'))).toEqual({ map: null, counting: false })
  await thread.close()
})

it('reads no conversation twice: not in one start, and not in the next', async () => {
  const { root, keys } = copyOfFamily()
  const cacheFolder = path.join(temp(), 'cache')
  const where = places(root, cacheFolder)
  const first = countingDisk()
  const families = openFamilies({ ...where, disk: first.disk, changed: () => undefined })
  await families.settled()
  const views = await viewsOf(families, keys)
  await families.settled()
  expect(first.opened()).toBe(keys.length)
  await families.close()

  const second = countingDisk()
  const again = openFamilies({ ...where, disk: second.disk, changed: () => undefined })
  await again.settled()
  expect(await viewsOf(again, keys)).toEqual(views)
  expect(second.opened()).toBe(0)
  await again.close()
})

/** A cycod file: a beginning of `shared` messages, then `own` ones that no other file has. */
function longFile(root: string, name: string, shared: number, own: number): number {
  const line = (text: string, at: number) =>
    JSON.stringify({ role: at % 2 === 0 ? 'user' : 'assistant', content: text })
  const lines = [
    ...Array.from({ length: shared }, (_, at) => line(`Both say this at ${at}, at length.`, at)),
    // Long enough that the file takes many reads.
    ...Array.from({ length: own }, (_, at) => line(`${name} says ${at}. `.repeat(150), at)),
  ]
  fs.mkdirSync(path.join(root, 'history'), { recursive: true })
  const text = `${lines.join('\n')}\n`
  fs.writeFileSync(path.join(root, 'history', `chat-history-${name}.jsonl`), text)
  return Buffer.byteLength(text)
}

/** A disk that adds up what is read of each history file. */
function measuringDisk(): { readonly disk: Disk; readonly read: (name: string) => number } {
  const bytes = new Map<string, number>()
  const disk: Disk = {
    ...nodeDisk,
    async open(target, mode, permissions) {
      const file = await nodeDisk.open(target, mode, permissions)
      return {
        read: async (into, position) => {
          const count = await file.read(into, position)
          bytes.set(path.basename(target), (bytes.get(path.basename(target)) ?? 0) + count)
          return count
        },
        write: (from) => file.write(from),
        sync: () => file.sync(),
        stat: () => file.stat(),
        close: () => file.close(),
      }
    },
  }
  return { disk, read: (name) => bytes.get(`chat-history-${name}.jsonl`) ?? 0 }
}

it('reads only the beginning of a long conversation without relatives, and those with relatives whole, once', async () => {
  const root = temp()
  const bytes = longFile(root, '1', 700, 4_000)
  longFile(root, '2', 700, 4_000)
  longFile(root, '3', 0, 4_000)
  const where = places(root, path.join(temp(), 'cache'))
  const cold = measuringDisk()
  const families = openFamilies({ ...where, disk: cold.disk, changed: () => undefined })
  await families.settled()
  expect(cold.read('3')).toBeLessThan(bytes / 3)
  expect(cold.read('1')).toBeGreaterThanOrEqual(bytes)
  const key = (name: string) => LibraryKey.parse(`cycod:chat-history-${name}`)
  const [group, ...others] = (await families.groups()).families
  expect([[...(group ?? [])].sort(), others]).toEqual([[key('1'), key('2')], []])
  const { view } = await families.family(key('1'))
  // They part behind what was read of their beginnings.
  expect(view?.family.nodes.map(({ entries }) => entries)).toEqual([700, 4_000, 4_000])
  expect((await families.family(key('3'))).view).toBe(null)
  // Its map asks for all of it.
  const { map } = await families.map(key('3'))
  expect(map?.facts.ids).toHaveLength(4_000)
  expect(cold.read('1') + cold.read('2')).toBeLessThan(3 * bytes)
  await families.close()

  const warm = measuringDisk()
  const again = openFamilies({ ...where, disk: warm.disk, changed: () => undefined })
  await again.settled()
  expect((await again.family(key('1'))).view).toEqual(view)
  expect([warm.read('1'), warm.read('2'), warm.read('3')]).toEqual([0, 0, 0])
  await again.close()
})

it('a conversation that grows while a question reads it is known as it is then', async () => {
  const root = temp()
  const file = path.join(root, 'history', 'chat-history-1.jsonl')
  longFile(root, '1', 60, 0)
  const where = places(root, path.join(temp(), 'cache'))
  const first = threadless(where, nodeDisk)
  await first.settled()
  await first.close()
  let isHeld = true
  let begun: () => void = () => undefined
  let go: () => void = () => undefined
  const begins = new Promise<void>((resolve) => {
    begun = resolve
  })
  const goes = new Promise<void>((resolve) => {
    go = resolve
  })
  const disk: Disk = {
    ...nodeDisk,
    async open(target, mode) {
      const opened = await nodeDisk.open(target, mode)
      if (target === file && isHeld) {
        isHeld = false
        begun()
        await goes
      }
      return opened
    },
  }
  let changes = 0
  const changed = () => {
    changes += 1
  }
  const families = openFamilies({ ...where, disk, changed })
  await families.settled()
  const key = LibraryKey.parse('cycod:chat-history-1')
  const asked = families.map(key)
  await begins
  fs.appendFileSync(file, `${JSON.stringify({ role: 'user', content: 'and one more' })}\n`)
  const before = changes
  await families.settled()
  expect(changes).toBeGreaterThan(before)
  go()
  await asked
  expect((await families.map(key)).map?.facts.ids).toHaveLength(61)
  await families.close()
})

it('a relative that cannot be read to its end is left out, and is no news again', async () => {
  const root = temp()
  const bytes = longFile(root, '1', 700, 1_000)
  longFile(root, '2', 700, 1_000)
  let isBroken = true
  const disk: Disk = {
    ...nodeDisk,
    async open(target, mode) {
      const file = await nodeDisk.open(target, mode)
      if (!target.endsWith('-1.jsonl')) return file
      return {
        read(into, position) {
          if (isBroken && position > bytes / 2)
            throw new DiskError('io', target, `${target}: input/output error`)
          return file.read(into, position)
        },
        write: (from) => file.write(from),
        sync: () => file.sync(),
        stat: () => file.stat(),
        close: () => file.close(),
      }
    },
  }
  let changes = 0
  const changed = () => {
    changes += 1
  }
  const families = openFamilies({ ...places(root), disk, changed })
  await families.settled()
  expect((await families.groups()).families).toEqual([])
  const before = changes
  await families.settled()
  await families.settled()
  expect(changes).toBe(before)
  isBroken = false
  await families.settled()
  expect((await families.groups()).families).toHaveLength(1)
  await families.close()
})

it.each(['', '{', '{"version":1,"kin":[{}]}', '{"version":99,"kin":[]}'])(
  'a cache of %j is ignored and made again',
  async (damaged) => {
    const { root, keys } = copyOfFamily()
    const cacheFolder = path.join(temp(), 'cache')
    const where = places(root, cacheFolder)
    const families = openFamilies({ ...where, disk: nodeDisk, changed: () => undefined })
    await families.settled()
    const views = await viewsOf(families, keys)
    await families.close()
    const files = fs
      .readdirSync(cacheFolder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
    expect(files.length).toBeGreaterThan(1)
    for (const name of files) fs.writeFileSync(path.join(cacheFolder, name), damaged)
    const again = openFamilies({ ...where, disk: nodeDisk, changed: () => undefined })
    await again.settled()
    expect(await viewsOf(again, keys)).toEqual(views)
    await again.close()
  },
)

it('a cache that cannot be written costs nothing but time', async () => {
  const { root, keys } = copyOfFamily()
  const file = path.join(temp(), 'a file')
  fs.writeFileSync(file, '')
  const where = places(root, path.join(file, 'cache'))
  const families = openFamilies({ ...where, disk: nodeDisk, changed: () => undefined })
  await families.settled()
  expect((await viewsOf(families, keys)).some(({ view }) => view !== null)).toBe(true)
  await families.close()
})

it('what grows, comes or goes is told, and the next answer has it', async () => {
  const root = temp()
  const history = path.join(root, 'history')
  fs.mkdirSync(history)
  const line = (role: string, content: string) => `${JSON.stringify({ role, content })}\n`
  const shared = line('user', 'one') + line('assistant', 'two') + line('user', 'three')
  fs.writeFileSync(path.join(history, 'chat-history-1.jsonl'), shared + line('assistant', 'four'))
  let changes = 0
  const families = openFamilies({
    ...places(root),
    disk: nodeDisk,
    changed: () => {
      changes += 1
    },
  })
  const key = LibraryKey.parse('cycod:chat-history-1')
  await families.settled()
  expect(await families.family(key)).toEqual({ view: null, counting: false })

  const other = path.join(history, 'chat-history-2.jsonl')
  fs.writeFileSync(other, shared)
  let before = changes
  await families.settled()
  expect(changes).toBeGreaterThan(before)
  expect((await families.family(key)).view?.forks).toEqual([])

  fs.appendFileSync(other, line('assistant', 'another four'))
  before = changes
  await families.settled()
  expect(changes).toBeGreaterThan(before)
  expect((await families.family(key)).view?.forks).toMatchObject([{ entry: 'L4', index: 0 }])

  fs.rmSync(other)
  before = changes
  await families.settled()
  expect(changes).toBeGreaterThan(before)
  expect((await families.family(key)).view).toBeNull()
  await families.close()
})

it('a conversation of ours that shares nothing has no family, and one that cannot be read hides no other', async () => {
  const { root, keys } = copyOfFamily()
  const where = places(root)
  const writer = await openStore({ home: where.home, disk: nodeDisk }).openWriter('garden', {
    create: true,
  })
  await writer.append(message('alone'))
  await writer.close()
  const [broken] = keys
  const name = `${broken?.slice('cycod:'.length)}.jsonl`
  const disk: Disk = {
    ...nodeDisk,
    open: (target, mode) =>
      path.basename(target) === name
        ? nodeDisk.open(path.join(target, 'nothing'), mode)
        : nodeDisk.open(target, mode),
  }
  const families = openFamilies({ ...where, disk, changed: () => undefined })
  await families.settled()
  expect(await families.family(LibraryKey.parse('garden'))).toEqual({ view: null, counting: false })
  const answers = await viewsOf(families, keys.slice(1))
  expect(answers.some(({ view }) => view !== null)).toBe(true)
  await families.close()
})

it('a family stays known while its root cannot be listed, and nothing is read again afterwards', async () => {
  const { root } = copyOfFamily()
  const { disk: counting, opened } = countingDisk()
  let fails = false
  const disk: Disk = {
    ...counting,
    async list(folder) {
      if (fails && folder.startsWith(path.join(root, 'history')))
        throw new DiskError('io', folder, `${folder}: input/output error`)
      return counting.list(folder)
    },
  }
  const families = threadless(places(root, temp()), disk)
  await families.settled()
  const { families: known } = await families.groups()
  expect(known).toHaveLength(1)
  const readings = opened()
  fails = true
  await families.settled()
  expect((await families.groups()).families).toEqual(known)
  expect(await families.distinctions(known[0]?.[0] ?? LibraryKey.parse('none'))).toHaveLength(7)
  fails = false
  await families.settled()
  expect((await families.groups()).families).toEqual(known)
  expect(opened()).toBe(readings)
  await families.close()
})
