import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { importExport } from '../../../../src/main/library/imports'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readers } from '../../../../src/main/readers/index'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { zipped } from '../../../support/zipped'

const temp = tempFolders(memoryFolder)
const noSignal = new AbortController().signal
const mark = '.skein.jsonl'

interface Words {
  readonly head?: Readonly<Record<string, unknown>>
  readonly entries?: readonly Readonly<Record<string, unknown>>[]
  readonly end?: boolean
}

/** The text of an export. */
function exported({ head, entries = [{}], end = true }: Words = {}): string {
  const lines = [
    { skeinExport: 1, source: 'chibi', key: 'garden', title: 'Garden', ...head },
    ...entries.map((entry, at) => ({
      id: `e${at}`,
      timestamp: 1_780_000_000 + at,
      from: 'ann',
      to: 'garden',
      content: 'Is it ripe?',
      entry_type: 'message',
      role: 'user',
      file: 'active.jsonl',
      line: at + 1,
      offset: at,
      length: 1,
      ...entry,
    })),
    ...(end ? [{ skeinExportEnd: 1, entries: entries.length }] : []),
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function put(name: string, text: string | Buffer, folder = temp()): string {
  const file = path.join(folder, name)
  fs.writeFileSync(file, text)
  return file
}

/** A person's folder with its imports, on disks that may be slow or full. */
function person(change: (disk: Disk) => Disk = (disk) => disk) {
  const userFolder = temp()
  const folder = path.join(userFolder, 'imports')
  const kept: string[] = []
  const plain = change(nodeDisk)
  const deps = {
    ...{ disk: change(historyDisk(appDisk)), plain, readers, folder, userFolder },
    kept: (source: string) => void kept.push(source),
  }
  return {
    folder,
    kept,
    run: (from: string, signal = noSignal, share: (of1: number) => void = () => {}) =>
      importExport(deps, from, (at) => share(at.bytes / at.totalBytes), signal),
    names: () => fs.readdirSync(folder).sort(),
    text: (name: string) => fs.readFileSync(path.join(folder, `${name}${mark}`), 'utf8'),
    json(name: string, list: string): Record<string, unknown>[] {
      return JSON.parse(fs.readFileSync(path.join(userFolder, name), 'utf8'))[list]
    },
  }
}

/** A disk whose writes into parts of imports are followed, and may fail. */
const followingWrites =
  (wrote: (file: string, bytes: number) => void) =>
  (disk: Disk): Disk => ({
    ...disk,
    async open(file, mode, permissions) {
      const opened = await disk.open(file, mode, permissions)
      if (mode === 'read') return opened
      return {
        read: (into, at) => opened.read(into, at),
        async write(bytes) {
          wrote(file, bytes.length)
          return opened.write(bytes)
        },
        sync: () => opened.sync(),
        stat: () => opened.stat(),
        close: () => opened.close(),
      }
    },
  })

describe('an import of Skein’s JSONL', () => {
  it('has each word once where two import the same file at once', async () => {
    const text = exported({ entries: [{ content: 'ripe '.repeat(800_000) }] })
    const file = put('big.jsonl', text)
    const one = person()
    const both = await Promise.all([one.run(file), one.run(file)])
    expect(both.map(({ isNew }) => isNew).sort()).toEqual([false, true])
    expect(one.names()).toEqual([`chibi-garden${mark}`])
    expect(one.text('chibi-garden') === text).toBe(true)
  })

  it('takes no copy into which another program wrote', async () => {
    const file = put('one.jsonl', exported())
    let isFirst = true
    const one = person(
      followingWrites((part) => {
        if (!part.endsWith('.part') || !isFirst) return
        isFirst = false
        fs.appendFileSync(part, 'words of another program')
      }),
    )
    await expect(one.run(file)).rejects.toMatchObject({ code: 'io' })
    expect(one.names()).toEqual([])
    expect(await one.run(file)).toMatchObject({ isNew: true })
    expect(one.text('chibi-garden')).toBe(exported())
  })

  it('finds the same file there that another program put in its place meanwhile', async () => {
    const file = put('one.jsonl', exported())
    const one = person(
      followingWrites((part) => {
        if (part.endsWith('.part')) put(`chibi-garden${mark}`, exported(), path.dirname(part))
      }),
    )
    expect(await one.run(file)).toMatchObject({ isNew: false, conversations: { known: 1 } })
    expect(one.names()).toEqual([`chibi-garden${mark}`])
  })

  it('imports the others where some cannot be, and names those', async () => {
    const from = temp()
    const keys = ['apple', 'melon', 'pear']
    for (const key of keys) put(`${key}.jsonl`, exported({ head: { key } }), from)
    const one = person(
      followingWrites((part, bytes) => {
        if (part.includes('melon') && bytes > 0) throw new DiskError('no-space', part, 'full')
      }),
    )
    expect(await one.run(from)).toMatchObject({
      isNew: true,
      unread: 'melon.jsonl was not imported: The disk is full.',
      conversations: { added: 2, failed: 1 },
    })
    // Nothing is left that takes space.
    expect(one.names()).toEqual([`chibi-apple${mark}`, `chibi-pear${mark}`])
    expect(one.kept).toEqual(['skein', 'skein'])
  })

  it('leaves out labels and tags that cannot be any, and counts them', async () => {
    const words = ['x'.repeat(41), ' \u200b', 'ripe']
    const entries = words.map((word) => ({ label: { word, color: 'green' } }))
    const tags = ['y'.repeat(41), ...Array.from({ length: 22 }, (_, at) => `tag ${at}`)]
    const one = person()
    const file = put('one.jsonl', exported({ entries, head: { tags } }))
    expect(await one.run(file)).toMatchObject({ conversations: { added: 1, withoutGiven: 5 } })
    expect(one.json('labels.json', 'labels')).toMatchObject([{ entry: 'e2', word: 'ripe' }])
    expect(one.json('titles.json', 'titles')).toMatchObject([{ tags: tags.slice(1, 21) }])
  })

  it('writes labels and tags once, however many conversations and entries have them', async () => {
    const from = temp()
    const written: string[] = []
    for (let at = 0; at < 30; at++) {
      const entries = Array.from({ length: 40 }, (_, n) => ({
        label: { word: `word ${n}`, color: 'blue' },
      }))
      put(`${at}.jsonl`, exported({ entries, head: { key: `c${at}`, tags: ['fruit'] } }), from)
    }
    const one = person(
      followingWrites((file) => {
        if (!file.endsWith('.part')) written.push(path.basename(file))
      }),
    )
    await one.run(from)
    const of = (name: string) => written.filter((file) => file.startsWith(`${name}.tmp`)).length
    expect([of('labels'), of('titles')]).toEqual([1, 1])
    expect(one.json('labels.json', 'labels')).toHaveLength(1200)
    expect(one.json('titles.json', 'titles')).toHaveLength(30)
  })

  it('keeps the tags that a conversation has by now, and no label is replaced', async () => {
    const one = person()
    const given = { tags: ['old'], pinned: true, color: 'green' }
    const label = (word: string) => [{ label: { word, color: 'red' } }]
    const file = put('one.jsonl', exported({ head: given, entries: label('first') }))
    const { place } = await one.run(file)
    // The copy went away; what was given to it is there.
    fs.unlinkSync(place)
    const later = exported({
      head: { tags: ['new', 'OLD'], color: 'red', hidden: true },
      entries: label('second'),
    })
    expect(await one.run(put('one.jsonl', later))).toMatchObject({
      conversations: { added: 1, withoutGiven: 2 },
    })
    expect(one.json('titles.json', 'titles')).toMatchObject([
      { tags: ['old', 'new'], pinned: true },
    ])
    expect(one.json('labels.json', 'labels')).toMatchObject([{ word: 'first' }])
  })

  it('tells other conversations of one name from versions of the same', async () => {
    const one = person()
    const at = (key: string, created: string | null, content: string) =>
      put('one.jsonl', exported({ head: { key, created }, entries: [{ content }] }))
    const imported = async (...given: Parameters<typeof at>) =>
      (await one.run(at(...given))).conversations
    const first = '2026-01-01T00:00:00.000Z'
    await imported('default', first, 'one')
    const counts = (more: object) => ({ added: 1, beside: 0, namesakes: 0, ...more })
    expect(await imported('default', first, 'two')).toMatchObject(counts({ beside: 1 }))
    const second = '2026-02-02T00:00:00.000Z'
    expect(await imported('default', second, 'three')).toMatchObject(counts({ namesakes: 1 }))
    await imported('a/b', first, 'one')
    expect(await imported('a-b', first, 'one more')).toMatchObject(counts({ namesakes: 1 }))
    await imported('कि', first, 'one')
    expect(await imported('का', first, 'one')).toMatchObject(counts({}))
    expect(one.names()).toHaveLength(7)
    expect(one.names()).toContain(`chibi-कि${mark}`)
    expect(one.names()).toContain(`chibi-default (3)${mark}`)
  })

  it('keeps under a name that is read what its name alone says is an export', async () => {
    const one = person()
    const torn = exported().slice(9)
    const from = temp()
    put(`garden${mark}`, torn, from)
    put(`pear${mark}`, exported({ head: { key: 'pear' } }), from)
    expect(await one.run(path.join(from, `garden${mark}`))).toMatchObject({ isNew: true })
    expect(await one.run(from)).toMatchObject({ conversations: { added: 1, known: 1 } })
    expect(one.names()).toEqual([`chibi-pear${mark}`, `garden${mark}`])
    await expect(one.run(put('garden.jsonl', torn))).rejects.toMatchObject({
      message: expect.stringContaining('holds no conversations'),
    })
  })

  it('says that an export breaks off', async () => {
    const from = temp()
    put('one.jsonl', exported({ end: false }), from)
    put('two.jsonl', exported({ head: { key: 'two' } }), from)
    expect(await person().run(from)).toMatchObject({
      unread: '1 export breaks off: last entries may be missing.',
      conversations: { added: 2, brokenOff: 1 },
    })
  })

  it('imports other systems’ conversations that lie beside it', async () => {
    const from = path.join(temp(), 'both')
    fs.mkdirSync(from)
    put('garden.jsonl', exported(), from)
    const chat = { id: 'one', mapping: { a: { id: 'a', parent: null, message: null } } }
    put('conversations.json', JSON.stringify([chat]), from)
    put('notes.txt', 'nothing', from)
    const one = person()
    expect(await one.run(from)).toMatchObject({
      sources: ['skein', 'chatgpt'],
      isNew: true,
      place: one.folder,
      conversations: { added: 1, others: 0 },
    })
    expect(one.names()).toEqual(['both', `chibi-garden${mark}`])
    expect(fs.readdirSync(path.join(one.folder, 'both')).sort()).toEqual([
      'conversations.json',
      'notes.txt',
    ])
    expect(one.kept).toEqual(['skein', 'chatgpt'])
  })

  it('counts each file that is none: also a zip that cannot be opened', async () => {
    const from = temp()
    put('garden.jsonl', exported(), from)
    put('notes.txt', 'nothing', from)
    put('cut.zip', zipped([{ name: 'a', content: Buffer.from('b') }]).subarray(0, 40), from)
    expect(await person().run(from)).toMatchObject({ conversations: { added: 1, others: 2 } })
  })

  it('refuses a small zip that unpacks to a full disk, before it copies anything', async () => {
    const content = Buffer.concat([Buffer.from(exported()), Buffer.alloc(70 * 1024 * 1024, '\n')])
    const file = put('bomb.zip', zipped([{ name: 'garden.jsonl', content }]))
    const one = person()
    await expect(one.run(file)).rejects.toMatchObject({
      code: 'bad-argument',
      message: expect.stringContaining('unpacks to more than 200 times its size'),
    })
    expect(fs.existsSync(one.folder)).toBe(false)
  })

  it('stops while it looks for labels, tells how far it is, and goes on later', async () => {
    const entries = Array.from({ length: 9000 }, () => ({ label: { word: 'ripe', color: 'red' } }))
    const file = put('one.jsonl', exported({ entries }))
    const one = person()
    const stop = new AbortController()
    let share = 0
    // The first half is copied, the second one is looked through.
    const stopBehind = (now: number) => now > 0.5 && stop.abort()
    await expect(one.run(file, stop.signal, stopBehind)).rejects.toThrow()
    expect(one.names()).toEqual([`.chibi-garden${mark}.part`])
    const follow = (now: number) => {
      share = now
    }
    expect(await one.run(file, noSignal, follow)).toMatchObject({ isNew: true })
    expect(one.names()).toEqual([`chibi-garden${mark}`])
    expect(share).toBe(1)
  })
})
