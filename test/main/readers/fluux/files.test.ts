import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { SourceRef } from '../../../../src/main/readers/common/reader'
import { fluuxReader } from '../../../../src/main/readers/fluux/fluux'
import { readRoot, readUnit } from '../../../../src/main/readers/read-root'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { unreadIn } from '../../../support/unread'

const fixtures = path.join(__dirname, '../../../fixtures/readers/fluux')
const temp = tempFolders(memoryFolder)
const signal = new AbortController().signal

/** A folder with these files, all with the same words. */
function folder(...files: readonly string[]): string {
  const root = temp()
  for (const file of files) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), '{"type":"message","role":"user","content":"a"}')
  }
  return root
}

async function list(root: string, disk: Disk = nodeDisk): Promise<SourceRef[]> {
  const refs: SourceRef[] = []
  for await (const ref of fluuxReader.list(root, disk, signal)) refs.push(ref)
  return refs
}

const found = async (root: string) =>
  (await list(root)).map(({ key, files }) => [
    key,
    ...files.map(({ file, isDocument }) => (isDocument ? `${file} (document)` : file)),
  ])

/** A disk on which one folder cannot be listed. */
const denying = (folder: string): Disk => ({
  ...nodeDisk,
  list: (asked) =>
    asked === folder
      ? Promise.reject(new DiskError('denied', asked, `${asked} cannot be used`))
      : nodeDisk.list(asked),
})

describe('a memory', () => {
  it('has the conversations of each JID: the active one, the legacy one, and the archives', async () => {
    expect(await found(path.join(fixtures, 'memory'))).toEqual([
      ['alice@example.org', 'alice@example.org/history.jsonl'],
      [
        'alice@example.org/20260101-000000.md',
        'alice@example.org/sessions/20260101-000000.md (document)',
      ],
      ['alice@example.org/20260131-181500', 'alice@example.org/sessions/20260131-181500.jsonl'],
      ['bob@example.org/history.md', 'bob@example.org/history.md (document)'],
      ['team@conference.example.org', 'team@conference.example.org/history.jsonl'],
      [
        'team@conference.example.org/20260209-080000',
        'team@conference.example.org/sessions/20260209-080000.jsonl',
      ],
    ])
  })

  it('has none of who has notes alone, and none that is hidden, or of another name', async () => {
    const root = folder(
      'identity.md',
      'notes@example.org/context.md',
      'notes@example.org/memory.md',
      'notes@example.org/knowledge.jsonl',
      'notes@example.org/files/2b1c_history.jsonl',
      'odd@example.org/sessions/._a.jsonl',
      'odd@example.org/sessions/a.txt',
      'odd@example.org/deeper/sessions/a.jsonl',
      '.hidden/history.jsonl',
    )
    expect(await found(root)).toEqual([])
  })

  it('tells sizes, times and identity of what it lists', async () => {
    const root = folder('a@b/history.jsonl')
    const stat = fs.statSync(path.join(root, 'a@b/history.jsonl'))
    expect(await list(root)).toMatchObject([
      { source: 'fluux', root, bytes: stat.size, updatedAtMs: stat.mtimeMs },
    ])
    expect((await list(root))[0]?.files[0]).toMatchObject({
      bytes: stat.size,
      mtimeMs: stat.mtimeMs,
      identity: expect.stringContaining(String(stat.ino)),
    })
  })

  it('lists packed files by the names of what is in them', async () => {
    const root = folder('a@b/history.jsonl.zst', 'a@b/sessions/s.jsonl.gz', 'a@b/sessions/T.JSONL')
    expect((await found(root)).map(([key]) => key)).toEqual(['a@b', 'a@b/T', 'a@b/s'])
  })

  it('gives every file a key of its own', async () => {
    const root = folder(
      'a@b/history.jsonl',
      'a@b/history.jsonl.gz',
      'a@b/history.md',
      'a@b/sessions/history.jsonl.gz.jsonl',
      'a@b/sessions/history.md.jsonl',
      'a@b/sessions/history.jsonl',
      'a@b/sessions/s.jsonl',
      'a@b/sessions/s.jsonl.gz',
      'a@b/sessions/s.md',
      'a@b/sessions/s.md.jsonl',
    )
    const keys = (await found(root)).map(([key]) => key)
    expect(keys).toHaveLength(10)
    expect(new Set(keys).size).toBe(10)
    expect(keys.slice(0, 3)).toEqual(['a@b', 'a@b/history.jsonl.gz', 'a@b/history.md'])
    expect(keys).toEqual(expect.arrayContaining(['a@b/history', 'a@b/s', 'a@b/s.md']))
  })
})

describe('a memory that looks like the folder of one JID', () => {
  const jids = ['a@b/history.jsonl', 'c@d/sessions/s.jsonl', 'x@y.md/history.jsonl']
  const ofJids = [
    ['a@b', 'a@b/history.jsonl'],
    ['c@d/s', 'c@d/sessions/s.jsonl'],
    ['x@y.md', 'x@y.md/history.jsonl'],
  ]

  it.each(['history.md', 'history.jsonl', 'history.jsonl.gz'])(
    'hides no JID behind a stray %s',
    async (stray) => {
      const root = folder(stray, ...jids)
      const [own, ...others] = await found(root)
      expect(own?.[1]).toContain(stray)
      expect(own?.[0]?.split('/')[0]).toBe(path.basename(root))
      expect(others).toEqual(ofJids)
    },
  )

  it('hides no JID behind a folder named sessions, whatever is in it', async () => {
    const root = folder('sessions/notes.txt', ...jids)
    expect(await found(root)).toEqual(ofJids)
    fs.writeFileSync(path.join(root, 'sessions/old.jsonl'), '')
    const own = [`${path.basename(root)}/old`, 'sessions/old.jsonl']
    expect(await found(root)).toEqual([own, ...ofJids])
  })

  it('hides no JID and no archive where it is itself named sessions', async () => {
    const plain = jids.slice(0, 2)
    const root = folder(
      ...['history.jsonl', 's.jsonl', ...plain].map((file) => `e@f/sessions/${file}`),
    )
    expect(await found(path.join(root, 'e@f/sessions'))).toEqual([
      ['e@f/history', 'history.jsonl'],
      ['e@f/s', 's.jsonl'],
      ...ofJids.slice(0, 2),
    ])
  })

  it('gives keys of their own to a JID of its own name', async () => {
    const files = ['history.jsonl', 'sessions/s.jsonl', 'm/history.jsonl', 'm/sessions/s.jsonl']
    const root = path.join(folder(...files.map((file) => `m/${file}`)), 'm')
    const refs = await found(root)
    expect(refs.map(([, file]) => file)).toEqual(files)
    expect(new Set(refs.map(([key]) => key)).size).toBe(4)
  })
})

describe('what is no file', () => {
  it.runIf(process.platform === 'linux')(
    'is listed where a history should be, and told as unreadable',
    async () => {
      const root = folder(
        'a@b/history.jsonl/inner.jsonl',
        'c@d/memory.md',
        'e@f/memory.md',
        'g@h/sessions/s.jsonl/inner.jsonl',
        'i@j/history.jsonl',
      )
      execFileSync('mkfifo', [path.join(root, 'c@d/history.jsonl')])
      fs.symlinkSync('nowhere', path.join(root, 'e@f/history.md'))
      const refs = await list(root)
      expect(refs.map(({ key, updatedAtMs }) => [key, updatedAtMs === undefined])).toEqual([
        ['a@b', true],
        ['c@d', true],
        ['e@f/history.md', true],
        ['g@h/s', true],
        ['i@j', false],
      ])
      const { conversations, unread } = await readRoot(fluuxReader, root, nodeDisk, signal)
      expect(conversations.map(({ key }) => key)).toEqual(['i@j'])
      expect(unreadIn({ unread })).toEqual([
        {
          key: 'a@b',
          notice: expect.stringMatching(/^history.jsonl cannot be read: .*is a folder/),
        },
        {
          key: 'c@d',
          notice: expect.stringMatching(/^history.jsonl cannot be read: .*not a file/),
        },
        { key: 'e@f/history.md', notice: 'history.md cannot be read: it is a link to nothing.' },
        { key: 'g@h/s', notice: expect.stringMatching(/^s.jsonl cannot be read: .*is a folder/) },
      ])
    },
  )

  it.runIf(process.platform === 'linux')(
    'tells of JIDs and archives whose names are not UTF-8',
    async () => {
      const root = folder('a@b/history.jsonl', 'a@b/sessions/s.jsonl')
      const latin = (place: string) => Buffer.from(path.join(root, place), 'latin1')
      fs.writeFileSync(latin('a@b/sessions/caf\xe9.jsonl'), '')
      fs.mkdirSync(latin('z\xe9@b'))
      const { conversations, unread } = await readRoot(fluuxReader, root, nodeDisk, signal)
      expect(conversations.map(({ key }) => key)).toEqual(['a@b', 'a@b/s'])
      const words = 'cannot be read: it has a name that is not valid UTF-8.'
      expect(unreadIn({ unread })).toEqual([
        { key: 'a@b/caf\ufffd', notice: `caf\ufffd.jsonl ${words}` },
        { key: root, notice: `z\ufffd@b ${words}` },
      ])
    },
  )
})

describe('other roots', () => {
  it('are the folder of one JID, by its history or by its archives', async () => {
    const root = folder('a@b/history.jsonl', 'a@b/sessions/s.jsonl', 'c@d/sessions/s.md')
    expect(await found(path.join(root, 'a@b'))).toEqual([
      ['a@b', 'history.jsonl'],
      ['a@b/s', 'sessions/s.jsonl'],
    ])
    expect(await found(path.join(root, 'c@d'))).toEqual([['c@d/s.md', 'sessions/s.md (document)']])
  })

  it('are the folder of its archives, and one file of any name', async () => {
    const root = folder('a@b/sessions/s.jsonl', 'a@b/sessions/history.jsonl', 'a@b/talk.log')
    const file = (name: string) => found(path.join(root, 'a@b', name))
    fs.writeFileSync(path.join(root, 'a@b/history.md'), 'x')
    expect(await file('sessions/s.jsonl')).toEqual([['a@b/s', 's.jsonl']])
    expect(await file('sessions/history.jsonl')).toEqual([['a@b/history', 'history.jsonl']])
    expect(await file('talk.log')).toEqual([['a@b/talk.log', 'talk.log']])
    expect(await file('history.md')).toEqual([['a@b/history.md', 'history.md (document)']])
    fs.rmSync(path.join(root, 'a@b/sessions/history.jsonl'))
    expect(await file('sessions')).toEqual([['a@b/s', 's.jsonl']])
  })

  it('may be nothing', async () => {
    expect(await list('/nowhere/at/all')).toEqual([])
    expect(await list(folder('a.txt'))).toEqual([])
  })
})

describe('hostile folders', () => {
  it('reads files of any name, and none outside of the root', async () => {
    const names = ['..a', 'a\nb', '\\..\\..\\x', '<b>', '%2e%2e', 'é漢🌊', '-rf', ' ']
    const root = folder(
      ...names.map((name) => `${name}@x/history.jsonl`),
      ...names.map((name) => `a@b/sessions/_${name}.jsonl`),
    )
    const refs = await list(root)
    // `..a@x` is hidden.
    expect(refs).toHaveLength(2 * names.length - 1)
    expect(new Set(refs.map(({ key }) => key)).size).toBe(refs.length)
    for (const ref of refs) {
      const { conversations } = await readUnit(fluuxReader, ref, nodeDisk, signal)
      expect(conversations.map(({ title }) => title)).toEqual(['a'])
      for (const { file } of ref.files)
        expect(path.join(root, file).startsWith(root + path.sep)).toBe(true)
    }
  })

  it('tells of a folder that cannot be listed after those that can', async () => {
    const root = folder('a@b/history.jsonl', 'c@d/history.jsonl', 'e@f/history.jsonl')
    const keys: string[] = []
    const listing = async () => {
      for await (const { key } of fluuxReader.list(root, denying(path.join(root, 'c@d')), signal))
        keys.push(key)
    }
    await expect(listing()).rejects.toMatchObject({ code: 'unreadable' })
    expect(keys).toEqual(['a@b', 'e@f'])
    await expect(list(root, denying(root))).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('lists a file that nothing can be told of, and says when one is gone', async () => {
    const root = folder('a@b/history.jsonl')
    const disk: Disk = {
      ...nodeDisk,
      stat: (asked) =>
        asked.endsWith('.jsonl')
          ? Promise.reject(new DiskError('denied', asked, `${asked} cannot be used`))
          : nodeDisk.stat(asked),
    }
    const [ref] = await list(root, disk)
    expect(ref).toMatchObject({ key: 'a@b', bytes: 0, updatedAtMs: undefined })
    if (ref === undefined) throw new Error('nothing was listed')
    fs.rmSync(path.join(root, 'a@b/history.jsonl'))
    await expect(readUnit(fluuxReader, ref, nodeDisk, signal)).rejects.toMatchObject({
      code: 'not-found',
      message: 'history.jsonl no longer exists.',
    })
    await expect(
      readUnit(fluuxReader, { ...ref, files: [] }, nodeDisk, signal),
    ).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
