import path from 'node:path'
import { expect } from 'vitest'
import { replaceFile } from '../../src/main/disk/writing/atomic'
import { makeDurableFolder } from '../../src/main/disk/writing/durable-folder'
import { saveExport, saveInNewFolders } from '../../src/main/home/export/save-export'
import { backUpRoot, checkBackup } from '../../src/main/library/backups'
import { openLabels } from '../../src/main/library/families/labels'
import { openTitles } from '../../src/main/library/families/titles'
import { copyOn } from '../../src/main/library/imports/copy-on'
import { libraryCache } from '../../src/main/library/list/library-cache'
import type { KnownConversation } from '../../src/main/library/list/rows'
import { checkSnapshot, restoreSnapshot, takeSnapshot } from '../../src/main/library/snapshots'
import { trustKeeper } from '../../src/main/plugins/trust'
import { createFileVault } from '../../src/main/settings/stored/key-vault'
import { openSettingsFile } from '../../src/main/settings/stored/settings-file'
import { rewriteText } from '../../src/main/settings/toml/rewrite-text'
import { logRequest, readLoggedRequests } from '../../src/main/store/texts/request-log'
import { keepOutput } from '../../src/main/tools/files/kept-output'
import { writeTool } from '../../src/main/tools/files/write-file'
import { libraryKeyOf } from '../../src/shared/model/conversation/conversation'
import { EntryId } from '../../src/shared/model/conversation/entry'
import {
  garden,
  home,
  type Operation,
  type Place,
  type Told,
  tell,
  user,
  withGarden,
} from './power-lost-work'

const own = `${user}/.config/skein`
const key = libraryKeyOf('chibi', 'garden')
const foreign = libraryKeyOf('cycod', 'chat')

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts
}

type Written = 'first' | 'second' | 'third'

/** Of values that were written one after the other, what may be there. */
function mayBe<T>({ done }: Told, values: readonly T[]): readonly T[] {
  return values.slice(done.has('third') ? 3 : done.has('second') ? 2 : done.has('first') ? 1 : 0)
}

/** Writes a value, and another one over it, and in the next process a third; what is read is the last that was told, or a later one. */
function twice(
  name: string,
  write: (place: Place, value: Written) => Promise<void>,
  read: (place: Place) => Promise<unknown>,
  more: Partial<Operation> = {},
): Operation {
  const run: Operation['run'] = async (place, told) => {
    for (const value of ['first', 'second'] as const) {
      await write(place, value)
      tell(place, told, value)
    }
  }
  return {
    name,
    contexts: [],
    run,
    async next(place, told) {
      await write(place, 'third')
      tell(place, told, 'third')
    },
    async check(place, told) {
      expect(mayBe(told, [undefined, 'first', 'second', 'third'])).toContain(await read(place))
    },
    ...more,
  }
}

const cipher = {
  strength: () => 'strong' as const,
  encrypt: (text: string) => Buffer.from(text),
  decrypt: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
}

const url = 'https://example.org/v1'
const downloaded = JSON.stringify('x'.repeat(2000))
const exported = `${user}/Documents/notes/2026/garden.md`
const titlesOf = ({ disk, now }: Place) => openTitles({ disk, home, userFolder: own, now })
const labelsOf = ({ disk, now }: Place) => openLabels({ disk, home, userFolder: own, now })

async function titleOf(place: Place, of: typeof key): Promise<unknown> {
  const titles = titlesOf(place)
  await titles.look()
  return titles.of(of)?.title ?? undefined
}

const giveTitle = (of: typeof key) => async (place: Place, title: string) => {
  const titles = titlesOf(place)
  await titles.look()
  await titles.give(of, { title, by: 'person', at: 1 })
}

const cacheOf = ({ disk }: Place) => libraryCache(disk, `${own}/cache`, [], () => undefined)

/** Backs up a root whose file is written anew between two backups; what was copied before becomes an earlier version. */
async function backUpTwice(place: Place, told: Told): Promise<void> {
  const { disk } = place
  for (const version of ['first', 'second'] as const) {
    if (!disk.files().get(original)?.equals(versions[version])) {
      await makeDurableFolder(disk, path.posix.dirname(original))
      await replaceFile(disk, original, versions[version])
    }
    const { failed } = await backUpRoot({ disk, archive }, backedUp, wantsAll, never)
    expect(failed).toEqual([])
    tell(place, told, version)
  }
}

/** Writes a new file by the tool, and another text over it. */
async function writeByTool(place: Place, told: Told): Promise<void> {
  const { disk } = place
  const tool = writeTool({ disk, home, allowedPaths: [notes] })
  for (const content of ['first', 'second', 'third']) {
    await tool.run({ path: 'new/one.md', content }, never)
    tell(place, told, content)
  }
}

/** Everything beside a conversation that is written. */
export const fileOperations: readonly Operation[] = [
  twice('titles of contexts', giveTitle(key), (place) => titleOf(place, key), {
    begin: withGarden,
  }),
  twice("titles of other systems' conversations", giveTitle(foreign), (place) =>
    titleOf(place, foreign),
  ),
  twice(
    'labels',
    async (place, text) => {
      const labels = labelsOf(place)
      await labels.look()
      await labels.set(foreign, EntryId.parse('e'), { word: text, color: 'red' })
    },
    async (place) => {
      const labels = labelsOf(place)
      await labels.look()
      return labels.all[0]?.word
    },
  ),
  twice(
    'settings',
    ({ disk }, model) => openSettingsFile(disk, own).change({ model }),
    async ({ disk }) => (await openSettingsFile(disk, own).read()).stored.model,
  ),
  twice(
    'settings that were damaged',
    ({ disk }, model) => openSettingsFile(disk, own).change({ model }),
    async ({ disk }) => (await openSettingsFile(disk, own).read()).stored.model,
    {
      begin: async ({ disk }) => disk.put(`${own}/settings.json`, '{"damaged'),
    },
  ),
  twice(
    'keys',
    ({ disk }, secret) => createFileVault({ disk, file: `${own}/keys`, cipher }).set(url, secret),
    ({ disk }) => createFileVault({ disk, file: `${own}/keys`, cipher }).get(url),
  ),
  twice(
    "a home's settings",
    ({ disk }, value) => rewriteText(disk, `${home}/local.toml`, () => value),
    async ({ disk }) => disk.files().get(`${home}/local.toml`)?.toString(),
  ),
  twice(
    'trusted plugins',
    ({ disk }, hash) => trustKeeper(disk, own, home).trust('plugin', hash.repeat(64).slice(0, 64)),
    async ({ disk }) => {
      const text = [...disk.files()].find(([file]) => /trusted-plugins.*json$/.test(file))?.[1]
      const found = text === undefined ? undefined : JSON.parse(String(text)).plugins[0]?.hash
      return found === undefined ? undefined : /^(?:first|second|third)/.exec(found)?.[0]
    },
  ),
  twice(
    'an export over another',
    async ({ disk }, text) => void (await saveExport(disk, exported, pieces(text))),
    async ({ disk }) => {
      const text = String(disk.files().get(exported))
      return text === 'before' ? undefined : text
    },
    { begin: async ({ disk }) => disk.put(exported, 'before') },
  ),
  {
    name: 'an export in new folders',
    contexts: [],
    async run(place, told) {
      await saveInNewFolders(place.disk, exported, pieces('of ', 'all'), { roots: [], files: [] })
      tell(place, told, 'saved')
    },
    async next(place, told) {
      if (place.disk.files().has(exported)) return
      await fileOperations.find(({ name }) => name === 'an export in new folders')?.run(place, told)
    },
    async check({ disk }, { done }) {
      const there = disk.files().get(exported)?.toString()
      expect(done.has('saved') ? ['of all'] : [undefined, 'of all']).toContain(there)
    },
  },
  {
    name: 'an import',
    contexts: [],
    begin: async ({ disk }) => disk.put(`${user}/Downloads/conversations.json`, downloaded),
    async run(place, told) {
      const options = { copied: () => undefined, signal: new AbortController().signal }
      await makeDurableFolder(place.disk, `${own}/imports`)
      await copyOn(
        place.disk,
        `${user}/Downloads/conversations.json`,
        `${own}/imports/conversations.json`,
        options,
      )
      tell(place, told, 'imported')
    },
    async next() {},
    async check({ disk }, { done }) {
      const there = disk.files().get(`${own}/imports/conversations.json`)?.toString()
      expect(done.has('imported') ? [downloaded] : [undefined, downloaded]).toContain(there)
    },
  },
  {
    name: 'outputs of tools',
    begin: withGarden,
    async run(place, told) {
      const kept = await keepOutput(
        { disk: place.disk, home, context: 'garden' },
        'read',
        {},
        'An output',
        1,
      )
      tell(place, told, kept.id)
    },
    async check({ disk }, { done }) {
      for (const id of done)
        expect(String(disk.files().get(`${garden}/tool_cache/${id}.cache`))).toBe('An output')
    },
  },
  {
    name: 'the log of requests',
    begin: withGarden,
    async run(place, told) {
      for (const at of [1, 2]) {
        await logRequest(
          place.disk,
          home,
          'garden',
          at,
          { at, words: 'w'.repeat(900) },
          (text) => text,
        )
        tell(place, told, `${at}`)
      }
    },
    async check({ disk }, { done }) {
      const found: string[] = []
      for await (const { timestamp } of readLoggedRequests(disk, home, 'garden', {
        from: 0,
        to: 9,
      }))
        found.push(`${timestamp}`)
      for (const at of done) expect(found).toContain(at)
    },
  },
  {
    name: 'the cache of the library',
    contexts: [],
    async run(place) {
      for (const title of ['first', 'second'])
        await cacheOf(place).save(
          new Map([[foreign, { ...known, facts: { ...known.facts, title } }]]),
        )
    },
    next: async () => undefined,
    async check(place) {
      const { known: found } = await cacheOf(place).load()
      const title = found.get(foreign)?.facts.title
      expect([undefined, 'first', 'second']).toContain(title)
      await cacheOf(place).save(new Map([[foreign, known]]))
      expect((await cacheOf(place).load()).known.get(foreign)).toEqual(known)
    },
  },
  {
    name: 'a backup of another system, and one behind it',
    contexts: [],
    run: backUpTwice,
    next: backUpTwice,
    async check({ disk }, { done }) {
      const copies = [...disk.files()]
        .filter(([file]) => file.startsWith(archive) && !file.endsWith('.part'))
        .map(([, bytes]) => bytes)
      for (const version of ['first', 'second'] as const)
        if (done.has(version))
          expect(copies.some((bytes) => bytes.equals(versions[version]))).toBe(true)
      if (!done.has('second')) return
      const { broken } = await checkBackup(disk, archive, backedUp, never)
      expect(broken).toEqual([])
    },
  },
  {
    name: 'a file that a tool writes',
    contexts: [],
    begin: ({ disk }) => makeDurableFolder(disk, notes),
    run: writeByTool,
    next: async () => undefined,
    async check({ disk }, told) {
      const there = disk.files().get(`${notes}/new/one.md`)?.toString()
      expect(mayBe(told, [undefined, 'first', 'second', 'third'])).toContain(there)
    },
  },
  {
    name: 'a snapshot, and what is made of one',
    contexts: [],
    begin: async ({ disk }) => {
      for (const folder of [`${home}/notes`, kept]) await makeDurableFolder(disk, folder)
      disk.put(`${home}/notes/one.md`, 'n'.repeat(900))
      disk.put(`${home}/config.toml`, 'model = "m"')
    },
    async run({ disk, now }, told) {
      const deps = { disk, home, userFolder: own, roots: [], now }
      const { file } = await takeSnapshot(deps, kept, () => undefined, never)
      tell({ disk, now }, told, 'taken')
      await restoreSnapshot(disk, file, `${kept}/new`, noPlaces, () => undefined, never)
      tell({ disk, now }, told, 'restored')
    },
    next: async () => undefined,
    async check({ disk }, { done }) {
      const names = await disk.list(kept)
      const taken = names.find((name) => name.endsWith('.zip'))
      if (done.has('taken')) expect(taken).toBeDefined()
      if (taken !== undefined) await checkSnapshot(disk, `${kept}/${taken}`, () => undefined, never)
      if (done.has('restored')) expect(names).toContain('new')
      if (!names.includes('new')) return
      const files = disk.files()
      expect(String(files.get(`${kept}/new/home/notes/one.md`))).toBe('n'.repeat(900))
      expect(String(files.get(`${kept}/new/home/config.toml`))).toBe('model = "m"')
    },
  },
]

const archive = `${own}/backups`
const backedUp = { source: 'claude-code' as const, path: `${user}/.claude` }
const original = `${user}/.claude/projects/pear/one.jsonl`
const versions = { first: Buffer.from('1'.repeat(900)), second: Buffer.from('2'.repeat(1500)) }
const wantsAll = { folders: ['projects'], levels: 3, isWanted: () => true }
const notes = `${user}/notes`
const kept = `${user}/kept`
const never = new AbortController().signal
const noPlaces = { folders: [], roots: [] }

const known: KnownConversation = {
  stamp: 's',
  source: 'cycod',
  files: 1,
  bytes: 10,
  facts: { title: 'known', project: null, created: null, updated: null },
}
