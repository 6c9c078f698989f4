import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openLibrary } from '../../../src/main/library/library'
import { defaultRotationPolicy } from '../../../src/main/store/core/manifest'
import { openStore } from '../../../src/main/store/open-store'
import { EntryId } from '../../../src/shared/model/conversation/entry'
import { allowGaps } from '../../../src/shared/model/conversation/reading'
import { jsonLine, message } from '../../support/entries'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)

function homeWith(files: Readonly<Record<string, string>>, policy = defaultRotationPolicy) {
  const home = temp()
  const garden = path.join(home, 'contexts/garden')
  fs.mkdirSync(path.join(garden, 'transcript'), { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(garden, name)), { recursive: true })
    fs.writeFileSync(path.join(garden, name), content)
  }
  const store = openStore({
    home,
    disk: nodeDisk,
    now: () => 10_000,
    storagePolicy: async () => policy,
  })
  const read = async () => {
    const reading = await store.readWhole('garden')
    const contents: string[] = []
    const unread: string[] = []
    for await (const row of allowGaps(reading.rows, ({ sentence }) => unread.push(sentence)))
      contents.push(row.type === 'entry' ? row.entry.content : 'damaged')
    return { contents, notices: reading.notices, unread }
  }
  const append = async (...texts: string[]) => {
    const writer = await store.openWriter('garden', { create: false })
    for (const text of texts) await writer.append(message(text, { timestamp: 10 }))
    await writer.close()
  }
  return { home, garden, store, read, append }
}

const line = (content: string) => `${jsonLine({ id: content, content })}\n`
const manifestOf = (...names: string[]) =>
  JSON.stringify({
    version: 1,
    active_partition: 'active.jsonl',
    partitions: names.map((file) => ({ file, start_ts: 1, end_ts: 1, entry_count: 1 })),
    rotation_policy: { max_entries: 100, max_age_seconds: 1000 },
  })

describe('a manifest that names the active partition as an archived one', () => {
  it.each(['partitions/../active.jsonl', './active.jsonl', 'active.jsonl'])(
    'as %s: it is read once, at its end, and added to',
    async (name) => {
      const { read, append } = homeWith({
        'transcript/manifest.json': manifestOf(name, 'partitions/1-1.jsonl'),
        'transcript/partitions/1-1.jsonl': line('old'),
        'transcript/active.jsonl': line('new'),
      })
      expect((await read()).contents).toEqual(['old', 'new'])
      expect((await read()).notices).toEqual([
        'active.jsonl is the active partition; it was read once.',
      ])
      await append('newer')
      expect((await read()).contents).toEqual(['old', 'new', 'newer'])
    },
  )

  it.skipIf(process.platform === 'win32')(
    'through a symbolic link: it is read once, and its own name is never removed',
    async () => {
      for (const manifest of [manifestOf('partitions/1-1.jsonl'), manifestOf()]) {
        const { garden, read, append } = homeWith({
          'transcript/manifest.json': manifest,
          'transcript/active.jsonl': line('only'),
        })
        const active = path.join(garden, 'transcript/active.jsonl')
        fs.mkdirSync(path.join(garden, 'transcript/partitions'))
        fs.symlinkSync('../active.jsonl', path.join(garden, 'transcript/partitions/1-1.jsonl'))
        expect((await read()).contents).toEqual(['only'])
        await append('more')
        expect((await read()).contents).toEqual(['only', 'more'])
        expect(fs.lstatSync(active).isFile()).toBe(true)
      }
    },
  )
})

describe('a line that is asked for again after a rotation', () => {
  it('is the one that was meant, though another of its length stands at its place', async () => {
    const { store, append } = homeWith({}, { ...defaultRotationPolicy, maxEntries: 2 })
    await append('before')
    await append('first')
    const meant = (await store.readPage('garden', 'end', 1)).rows[0]
    if (meant?.type !== 'entry') throw new Error('no entry')
    // Archives it; a line of the same length takes its place.
    await append('other', 'third')
    const { file, offset, length, id } = meant.entry
    const rows = (await store.readPage('garden', 'start', 99)).rows
    const twins = rows.flatMap((row) =>
      row.type === 'entry' && row.entry.offset === offset && row.entry.length === length
        ? [row.entry.content]
        : [],
    )
    expect(twins.length).toBeGreaterThan(1)
    const raw = await store.readLine('garden', file, offset, length, id)
    expect(JSON.parse(Buffer.from(raw.bytes).toString())).toMatchObject({ content: 'first' })
  })

  it('is not there where none of that length holds the entry', async () => {
    const { store } = homeWith({ 'transcript/active.jsonl': line('one') })
    const file = 'contexts/garden/transcript/active.jsonl'
    const length = line('one').length - 1
    await expect(
      store.readLine('garden', file, 0, length, EntryId.parse('another')),
    ).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe.skipIf(process.platform === 'win32')(
  'what stands in the place of a file and is none',
  () => {
    it.each(['pipe', 'folder'])(
      'a %s: the list goes on and says so, and so does who opens it',
      async (what) => {
        const { home, garden, store, read } = homeWith({})
        const active = path.join(garden, 'transcript/active.jsonl')
        if (what === 'pipe') execFileSync('mkfifo', [active])
        else fs.mkdirSync(active)
        fs.mkdirSync(path.join(home, 'contexts/well/transcript'), { recursive: true })
        fs.writeFileSync(path.join(home, 'contexts/well/transcript/active.jsonl'), line('fine'))
        const library = openLibrary({
          disk: nodeDisk,
          store,
          shownHome: '~/.chibi',
          isRunning: () => false,
          changed: () => undefined,
          watched: false,
        })
        const rows = await library.all(true)
        expect(rows.map(({ key, unreadable }) => [key, unreadable]).sort()).toEqual([
          ['garden', expect.stringContaining('not a file')],
          ['well', undefined],
        ])
        await library.close()
        await expect(store.readPage('garden', 'end', 9)).rejects.toMatchObject({
          code: 'unreadable',
        })
        expect(await read()).toEqual({
          contents: [],
          notices: [],
          unread: [expect.stringMatching(/^active\.jsonl was not read: .* not a file\.$/)],
        })
        await expect(store.openWriter('garden', { create: false })).rejects.toThrow(
          'Nothing can be written',
        )
      },
    )

    it('a partition that is a pipe is told, and hides neither the others nor new entries', async () => {
      for (const manifest of [manifestOf('partitions/1-1.jsonl'), manifestOf()]) {
        const { garden, read, append } = homeWith({
          'transcript/manifest.json': manifest,
          'transcript/active.jsonl': line('there'),
        })
        fs.mkdirSync(path.join(garden, 'transcript/partitions'))
        execFileSync('mkfifo', [path.join(garden, 'transcript/partitions/1-1.jsonl')])
        await append('more')
        expect(await read()).toEqual({
          contents: ['there', 'more'],
          notices: [],
          unread: [expect.stringMatching(/^1-1\.jsonl was not read: .* is not a file\.$/)],
        })
      }
    })
  },
)

describe('what a killed process left of a partial answer', () => {
  const left = 'partial.skein.tmp.4711'
  const answer = jsonLine({ id: 'p', content: 'half an ans', from: 'garden', to: 'user' })

  it('is taken for no answer, and goes with the next opening for writing', async () => {
    const { garden, store, read, append } = homeWith({
      'transcript/active.jsonl': line('there'),
      [left]: answer,
      'partial.skein.tmp.x': 'not of that form',
      'manifest.tmp.7': 'of somebody else',
    })
    expect((await store.findContext('garden'))?.hasPartial).toBe(false)
    expect((await read()).contents).toEqual(['there'])
    expect(fs.existsSync(path.join(garden, left))).toBe(true)
    await append('more')
    expect((await read()).contents).toEqual(['there', 'more'])
    expect(
      fs
        .readdirSync(garden)
        .filter((name) => name.includes('.tmp.'))
        .sort(),
    ).toEqual(['manifest.tmp.7', 'partial.skein.tmp.x'])
  })

  it('stays while another process holds the context', async () => {
    const { garden, store } = homeWith({ 'transcript/active.jsonl': line('there'), [left]: answer })
    fs.writeFileSync(path.join(garden, '.lock'), '10')
    await expect(store.openWriter('garden', { create: false, waitMs: 0 })).rejects.toMatchObject({
      code: 'locked',
    })
    expect(fs.existsSync(path.join(garden, left))).toBe(true)
  })

  it('does not hide the answer itself', async () => {
    const { read, append } = homeWith({
      'transcript/active.jsonl': line('there'),
      'partial.skein.jsonl': answer,
      [left]: jsonLine({ id: 'p', content: 'half', from: 'garden', to: 'user' }),
    })
    await append('more')
    expect((await read()).contents).toEqual(['there', 'half an ans', 'more'])
  })
})
