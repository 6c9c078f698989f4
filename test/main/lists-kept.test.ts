import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, DiskError } from '../../src/main/disk/interface/disk'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { openTitles } from '../../src/main/library/families/titles'
import { libraryCache } from '../../src/main/library/list/library-cache'
import { trustKeeper } from '../../src/main/plugins/trust'
import { openSettingsFile } from '../../src/main/settings/stored/settings-file'
import { homePaths } from '../../src/main/store/core/home-paths'
import { openStore } from '../../src/main/store/open-store'
import { noteActivity } from '../../src/main/store/registry/known-contexts'
import { openPromptRecord } from '../../src/main/store/texts/prompt-record'
import { LibraryKey } from '../../src/shared/model/conversation/conversation'
import { memoryFolder, tempFolders } from '../support/temp-folder'

const temp = tempFolders(memoryFolder)
const garden = LibraryKey.parse('garden')
const title = { title: 'Tulips', by: 'person', at: 1 } as const

/** A disk that cannot read one file at this moment, as with too many open files. */
function unableToRead(file: string): Disk {
  return {
    ...nodeDisk,
    open: async (target, mode, permissions) => {
      if (target === file && mode === 'read')
        throw new DiskError('io', target, `${target} failed (EMFILE)`)
      return nodeDisk.open(target, mode, permissions)
    },
  }
}

async function homeWithGarden(): Promise<string> {
  const home = temp()
  await (await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: true })).close()
  return home
}

interface List {
  /** Makes what it lies in; gives its path. */
  readonly lay: () => Promise<{ readonly file: string; readonly base: string }>
  /** What a person or a run does that writes it; gives what was said about it. */
  readonly write: (disk: Disk, base: string, said: string[]) => Promise<unknown>
  /** A file of it with something in it. */
  readonly whole: unknown
}

const inHome = (name: string) => async () => {
  const home = await homeWithGarden()
  return { file: path.join(home, name), base: home }
}

const lists: Readonly<Record<string, List>> = {
  'state.json': {
    lay: inHome('state.json'),
    write: (disk, home, said) =>
      noteActivity(disk, homePaths(home), 'garden', 9, (notice) => said.push(notice)),
    whole: { contexts: [{ name: 'kitchen', created_at: 1 }] },
  },
  'contexts.skein.json': {
    lay: inHome('contexts.skein.json'),
    write: (disk, home, said) =>
      openStore({ home, disk, noticed: (_, notice) => said.push(notice) }).contexts.setArchived(
        'garden',
        true,
      ),
    whole: { archived: ['kitchen'], renamed: [{ from: 'a', to: 'b', at: 1 }] },
  },
  'titles.skein.json': {
    lay: inHome('titles.skein.json'),
    write: (disk, home, said) =>
      openTitles({ disk, home, userFolder: temp(), note: (words) => said.push(words) }).give(
        garden,
        title,
      ),
    whole: { titles: [{ key: 'kitchen', title: 'Bread', by: 'person', at: 1 }] },
  },
  'titles.json': {
    lay: async () => {
      const base = temp()
      return { file: path.join(base, 'titles.json'), base }
    },
    write: (disk, userFolder, said) =>
      openTitles({ disk, home: undefined, userFolder, note: (words) => said.push(words) }).give(
        LibraryKey.parse('cycod:one'),
        title,
      ),
    whole: { titles: [{ key: 'cycod:two', title: 'Bread', by: 'person', at: 1 }] },
  },
  'settings.json': {
    lay: async () => {
      const base = temp()
      return { file: path.join(base, 'settings.json'), base }
    },
    write: async (disk, folder, said) => {
      const file = openSettingsFile(disk, folder)
      said.push(...(await file.read()).faults.map(({ message }) => message))
      await file.change({ model: 'some' })
    },
    whole: { providers: [{ id: 'a', name: 'A', baseUrl: 'http://127.0.0.1:1/v1' }] },
  },
  'trusted-plugins': {
    lay: async () => {
      const base = temp()
      await trustKeeper(nodeDisk, base, '/home').trust('first', 'hash')
      const folder = path.join(base, 'trusted-plugins')
      return { file: path.join(folder, fs.readdirSync(folder)[0] ?? ''), base }
    },
    write: async (disk, base, said) => {
      const trust = trustKeeper(disk, base, '/home')
      await trust.trust('second', 'hash')
      said.push((await trust.read()).problem ?? '')
    },
    whole: {
      version: 1,
      home: '/home',
      plugins: [{ name: 'first', hash: 'hash', trustedAtMs: 1 }],
    },
  },
}

describe.each(Object.entries(lists))('%s', (_, { lay, write, whole }) => {
  it('that cannot be read at this moment is not replaced', async () => {
    const { file, base } = await lay()
    fs.writeFileSync(file, JSON.stringify(whole))
    const folder = fs.readdirSync(path.dirname(file)).sort()
    await expect(write(unableToRead(file), base, [])).rejects.toThrow()
    expect(fs.readFileSync(file, 'utf8')).toBe(JSON.stringify(whole))
    expect(fs.readdirSync(path.dirname(file)).sort()).toEqual(folder)
    await write(nodeDisk, base, [])
    expect(fs.readFileSync(file, 'utf8')).not.toBe(JSON.stringify(whole))
  })

  it('that is damaged is kept beside the next one, byte for byte, and that is said', async () => {
    const { file, base } = await lay()
    const damaged = Buffer.concat([
      Buffer.from(JSON.stringify(whole)).subarray(0, -2),
      Buffer.from([0xff, 0xfe]),
    ])
    fs.writeFileSync(file, damaged)
    const said: string[] = []
    await write(nodeDisk, base, said)
    expect(fs.readFileSync(`${file}.damaged-1`)).toEqual(damaged)
    expect(said.join(' ')).toContain('damaged')
    expect(() => JSON.parse(fs.readFileSync(file, 'utf8'))).not.toThrow()
    await write(nodeDisk, base, [])
    expect(fs.existsSync(`${file}.damaged-2`)).toBe(false)
  })
})

describe('a part of another shape', () => {
  it.each([
    ['archived', { archived: { kitchen: true }, renamed: [] }],
    ['renamed', { archived: [], renamed: [{ from: 'a', to: 'b', at: 1 }, { from: 5 }] }],
  ])('of the marks (%s) is kept beside the next ones', async (_, marks) => {
    const home = await homeWithGarden()
    const file = path.join(home, 'contexts.skein.json')
    fs.writeFileSync(file, JSON.stringify(marks))
    const { contexts } = openStore({ home, disk: nodeDisk })
    // One bad item costs itself alone.
    if (marks.renamed.length > 0) expect(await contexts.formerNames('b')).toEqual(['a'])
    await contexts.setArchived('garden', true)
    expect(JSON.parse(fs.readFileSync(`${file}.damaged-1`, 'utf8'))).toEqual(marks)
    if (marks.renamed.length > 0) expect(await contexts.formerNames('b')).toEqual(['a'])
  })

  it.each([
    [
      'providers',
      { type: 'put', provider: { id: 'a', name: 'A', baseUrl: 'http://127.0.0.1:1/v1' } },
    ],
    ['sources', { list: 'added', root: { source: 'cycod', path: '/a' }, isIn: true }],
    ['preferences', { theme: 'dark' }],
  ])('of the settings (%s) is kept beside the next ones', async (key, change) => {
    const folder = temp()
    const file = path.join(folder, 'settings.json')
    const before = { [key]: 'what somebody wrote', other: 1 }
    fs.writeFileSync(file, JSON.stringify(before))
    await openSettingsFile(nodeDisk, folder).change({ [key]: change })
    expect(JSON.parse(fs.readFileSync(`${file}.damaged-1`, 'utf8'))).toEqual(before)
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject({ other: 1 })
  })
})

it('a context_meta.json that is damaged is kept beside the next one', async () => {
  const home = await homeWithGarden()
  const file = path.join(home, 'contexts/garden/context_meta.json')
  fs.writeFileSync(file, '{"created_at": 1770000000, "last_comb')
  const record = await openPromptRecord(nodeDisk, home, 'garden')
  await record.keep('Be brief.')
  await record.keep('Be kind.')
  expect(fs.readFileSync(`${file}.damaged-1`, 'utf8')).toContain('1770000000')
  expect(JSON.parse(fs.readFileSync(file, 'utf8')).skein_prompt).toBe('Be kind.')
  expect(fs.existsSync(`${file}.damaged-2`)).toBe(false)
})

it('the library’s cache, which knows what is gone, is not replaced while it cannot be read', async () => {
  const folder = temp()
  const roots = [{ source: 'chibi' as const, path: '/home' }]
  const notes: string[] = []
  const note = (words: string) => notes.push(words)
  await libraryCache(nodeDisk, folder, roots, note).save(new Map())
  const [name = ''] = fs.readdirSync(path.join(folder, 'library'))
  const file = path.join(folder, 'library', name)
  fs.appendFileSync(file, ' ')
  const cache = libraryCache(unableToRead(file), folder, roots, note)
  expect((await cache.load()).known.size).toBe(0)
  await cache.save(new Map())
  expect(fs.readFileSync(file, 'utf8')).toMatch(/ $/)
  expect(notes).toEqual(['The list is not cached: its content cannot be read.'])
})

it('the library’s cache keeps thousands of conversations, and says that a line of megabytes is none', async () => {
  const folder = temp()
  const roots = [{ source: 'chibi' as const, path: '/home' }]
  const notes: string[] = []
  const cache = libraryCache(nodeDisk, folder, roots, (words) => notes.push(words))
  const facts = { title: 'Tulips ü', project: null, created: null, updated: null }
  const known = new Map(
    Array.from({ length: 4000 }, (_, n) => [
      LibraryKey.parse(`garden-${n}`),
      { stamp: `${n}`, source: 'chibi' as const, files: 1, bytes: n, facts },
    ]),
  )
  await cache.save(known)
  expect((await cache.load()).known).toEqual(known)
  expect(notes).toEqual([])
  const [name = ''] = fs.readdirSync(path.join(folder, 'library'))
  const file = path.join(folder, 'library', name)
  fs.appendFileSync(file, `{"key":"${'x'.repeat(3 * 2 ** 20)}"}\n`)
  expect((await cache.load()).known.size).toBe(known.size)
  expect(notes).toEqual([
    'The cache of the list was damaged, and each of its 4,000 rows is whole. All are read again.',
  ])
})
