import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { importExport } from '../../../../src/main/library/imports'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readers } from '../../../../src/main/readers/index'
import { heldBytes } from '../../../support/held-bytes'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { zipped } from '../../../support/zipped'

const fixtures = path.join(__dirname, '../../../fixtures/readers')
const temp = tempFolders(memoryFolder)
const noSignal = new AbortController().signal

function imports(folder: string, plain: Disk = nodeDisk) {
  const seen: number[] = []
  const deps = {
    disk: historyDisk(appDisk),
    plain,
    readers,
    folder,
    userFolder: path.dirname(folder),
  }
  const run = (from: string, signal = noSignal) =>
    importExport(deps, from, ({ bytes, totalBytes }) => seen.push(bytes / totalBytes), signal)
  return { run, seen }
}

const filesIn = (folder: string) =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => fs.statSync(path.join(folder, name)).isFile())
      .sort()
      .map((name) => [name, fs.readFileSync(path.join(folder, name), 'latin1')]),
  )

async function keysIn(id: string, folder: string): Promise<string[]> {
  const reader = readers.find((one) => one.id === id)
  const keys: string[] = []
  for await (const { key } of reader?.list(folder, historyDisk(appDisk), noSignal) ?? [])
    keys.push(key)
  return keys.sort()
}

const conversation = (id: string, padding = '') =>
  JSON.stringify([
    { id, title: id, mapping: { a: { id: 'a', parent: null, message: null, padding } } },
  ])

describe('an import', () => {
  it('leaves nothing in memory of what was found in the export, however many conversations it has', async () => {
    const folder = path.join(temp(), 'imports')
    const disk = historyDisk(appDisk)
    // As readers remember what they found: for as long as the disk is used that they read.
    const remembered = new WeakMap<Disk, Uint8Array>()
    const rememberingReaders = readers.map((reader) => ({
      ...reader,
      async *list(...given: Parameters<typeof reader.list>) {
        const [, used] = given
        remembered.set(used, remembered.get(used) ?? new Uint8Array(16 * 1024 * 1024))
        yield* reader.list(...given)
      },
    }))
    const before = heldBytes()
    const from = path.join(fixtures, 'chatgpt/input/later.zip')
    const userFolder = path.dirname(folder)
    const deps = { disk, plain: nodeDisk, readers: rememberingReaders, folder, userFolder }
    const { isNew } = await importExport(deps, from, () => {}, noSignal)
    expect(isNew).toBe(true)
    expect(heldBytes() - before).toBeLessThan(8 * 1024 * 1024)
    expect(remembered.has(disk)).toBe(false)
  })

  it('copies and compares with the same few buffers, however long the file is', async () => {
    const buffers = new Set<ArrayBufferLike>()
    let reads = 0
    const noting: Disk = {
      ...nodeDisk,
      async open(...given) {
        const file = await nodeDisk.open(...given)
        const read: typeof file.read = (into, position) => {
          reads += 1
          if (into.length > 4096) buffers.add(into.buffer)
          return file.read(into, position)
        }
        return Object.assign(Object.create(file), { read })
      },
    }
    const from = path.join(temp(), 'conversations.json')
    fs.writeFileSync(from, conversation('long', 'x'.repeat(9 * 1024 * 1024)))
    const folder = path.join(temp(), 'imports')
    await imports(folder, noting).run(from)
    expect((await imports(folder, noting).run(from)).isNew).toBe(false)
    expect(reads).toBeGreaterThan(27)
    expect(buffers.size).toBeLessThanOrEqual(3)
  })

  it('keeps a zip as it came, and leaves the original alone', async () => {
    const from = path.join(fixtures, 'chatgpt/input/later.zip')
    const before = fs.statSync(from)
    const folder = path.join(temp(), 'imports')
    const { run, seen } = imports(folder)
    expect(await run(from)).toEqual({
      sources: ['chatgpt'],
      place: path.join(folder, 'later.zip'),
      isNew: true,
    })
    expect(fs.readFileSync(path.join(folder, 'later.zip'))).toEqual(fs.readFileSync(from))
    expect(fs.statSync(from).mtimeMs).toBe(before.mtimeMs)
    expect(seen.at(0)).toBe(0)
    expect(seen.at(-1)).toBe(1)
    expect(await keysIn('chatgpt', folder)).toEqual(['4400856a-0003'])
  })

  it('says that a part of an export cannot be read, and keeps all of it', async () => {
    const many = Array.from({ length: 40 }, (_, n) => JSON.parse(conversation(`id-${n}`, 'x'))[0])
    const whole = JSON.stringify(many)
    const from = path.join(temp(), 'cut.zip')
    const content = Buffer.from(whole.slice(0, whole.length / 2))
    fs.writeFileSync(from, zipped([{ name: 'conversations.json', content }]))
    const folder = path.join(temp(), 'imports')
    const { run } = imports(folder)
    for (const isNew of [true, false])
      expect(await run(from)).toEqual({
        sources: ['chatgpt'],
        place: path.join(folder, 'cut.zip'),
        isNew,
        unread: expect.stringMatching(/^cut\.zip.*conversations\.json/),
      })
    expect(fs.readFileSync(path.join(folder, 'cut.zip'))).toEqual(fs.readFileSync(from))
  })

  it('keeps a folder with all that is in it', async () => {
    const from = path.join(fixtures, 'claude-ai/input')
    const folder = path.join(temp(), 'imports')
    const { run } = imports(folder)
    expect(await run(from)).toMatchObject({ sources: ['claude-ai'], isNew: true })
    expect(filesIn(path.join(folder, 'input'))).toEqual(filesIn(from))
    expect(await run(from)).toMatchObject({ isNew: false })
    expect(fs.readdirSync(folder)).toEqual(['input'])
    expect(await keysIn('claude-ai', folder)).toEqual(await keysIn('claude-ai', from))
  })

  it('is never doubled, also under the name that a browser gives to a second one', async () => {
    const folder = path.join(temp(), 'imports')
    const { run } = imports(folder)
    const bytes = zipped([
      { name: 'conversations.json', content: Buffer.from(conversation('one')) },
    ])
    const put = (name: string, content: Uint8Array) => {
      const file = path.join(temp(), name)
      fs.writeFileSync(file, content)
      return file
    }
    const first = await run(put('export.zip', bytes))
    expect(await run(put('export (1).zip', bytes))).toEqual({ ...first, isNew: false })
    expect(fs.readdirSync(folder)).toEqual(['export.zip'])
    // Another export of that name is another one.
    const other = zipped([
      { name: 'conversations.json', content: Buffer.from(conversation('two')) },
    ])
    expect(await run(put('export.zip', other))).toMatchObject({ isNew: true })
    expect(fs.readdirSync(folder).sort()).toEqual(['export (2).zip', 'export.zip'])
    expect(await keysIn('chatgpt', folder)).toEqual(['one', 'two'])
  })

  it('goes on where it was stopped, and shows nothing before it is whole', async () => {
    const file = path.join(temp(), 'conversations.json')
    fs.writeFileSync(file, conversation('long', 'x'.repeat(5 * 1024 * 1024)))
    const folder = path.join(temp(), 'imports')
    const written: number[] = []
    const stop = new AbortController()
    const counting: Disk = {
      ...nodeDisk,
      async open(target, mode, permissions) {
        const opened = await nodeDisk.open(target, mode, permissions)
        // Not the file by which two imports know of each other.
        if (!target.endsWith('.part')) return opened
        if (mode === 'read') return opened
        return {
          read: (into, at) => opened.read(into, at),
          async write(bytes) {
            const done = await opened.write(bytes)
            written.push(done)
            if (written.length === 2) stop.abort()
            return done
          },
          sync: () => opened.sync(),
          stat: () => opened.stat(),
          close: () => opened.close(),
        }
      },
    }
    const { run } = imports(folder, counting)
    await expect(run(file, stop.signal)).rejects.toThrow()
    expect(written).toHaveLength(2)
    expect(await keysIn('chatgpt', folder)).toEqual([])
    expect(await run(file)).toMatchObject({ isNew: true })
    expect(written.reduce((sum, bytes) => sum + bytes, 0)).toBe(fs.statSync(file).size)
    expect(fs.readdirSync(folder)).toEqual(['conversations.json'])
    expect(await keysIn('chatgpt', folder)).toEqual(['long'])
  })

  it('begins anew where what was copied is of another file', async () => {
    const folder = path.join(temp(), 'imports')
    fs.mkdirSync(folder)
    fs.writeFileSync(path.join(folder, '.conversations.json.part'), 'of another file')
    const file = path.join(temp(), 'conversations.json')
    fs.writeFileSync(file, conversation('one'))
    await imports(folder).run(file)
    expect(filesIn(folder)).toEqual({ 'conversations.json': conversation('one') })
  })

  it('gives a file a name under which its reader finds it', async () => {
    const folder = path.join(temp(), 'imports')
    const file = path.join(temp(), 'my chats.json')
    fs.writeFileSync(file, conversation('one'))
    await imports(folder).run(file)
    expect(fs.readdirSync(folder)).toEqual(['conversations my chats.json'])
    expect(await keysIn('chatgpt', folder)).toEqual(['one'])
  })

  it('refuses what holds no conversations, what is gone, and what is imported already', async () => {
    const folder = path.join(temp(), 'imports')
    const { run } = imports(folder)
    const file = path.join(temp(), 'notes.json')
    await expect(run(file)).rejects.toMatchObject({ code: 'not-found' })
    fs.writeFileSync(file, '[{"note": 1}]')
    await expect(run(file)).rejects.toMatchObject({ code: 'bad-argument' })
    expect(fs.existsSync(folder)).toBe(false)
    fs.writeFileSync(file, conversation('one'))
    const { place } = await run(file)
    await expect(run(place)).rejects.toMatchObject({ code: 'bad-argument' })
    const cut = path.join(temp(), 'cut.zip')
    fs.writeFileSync(cut, zipped([{ name: 'a', content: Buffer.from('b') }]).subarray(0, 40))
    await expect(run(cut)).rejects.toThrow('the end of the archive is missing')
  })

  it('goes through each folder once, however many links lead back to it', async () => {
    const from = path.join(temp(), 'export')
    fs.mkdirSync(path.join(from, 'images'), { recursive: true })
    fs.writeFileSync(path.join(from, 'conversations.json'), conversation('one'))
    fs.writeFileSync(path.join(from, 'images/a.png'), 'png')
    for (let n = 0; n < 12; n++) {
      fs.symlinkSync('.', path.join(from, `round-${n}`))
      fs.symlinkSync('..', path.join(from, `images/up-${n}`))
    }
    const listed: string[] = []
    const counting: Disk = {
      ...nodeDisk,
      async list(folder) {
        listed.push(folder)
        if (listed.length > 20) throw new Error('it goes round')
        return nodeDisk.list(folder)
      },
    }
    const folder = path.join(temp(), 'imports')
    expect(await imports(folder, counting).run(from)).toMatchObject({ isNew: true })
    expect(Object.keys(filesIn(folder))).toEqual([
      'export/conversations.json',
      'export/images/a.png',
    ])
  })

  it('copies each folder under its own name, whichever links to it sort before it or lie deeper', async () => {
    const from = path.join(temp(), 'export')
    const deep = path.join(from, 'a/a/a/a/a/a/a/a')
    const below = path.join(from, 'images/b/c/d/e')
    for (const made of [deep, below]) fs.mkdirSync(made, { recursive: true })
    fs.writeFileSync(path.join(from, 'conversations.json'), conversation('one'))
    fs.writeFileSync(path.join(from, 'images/x.png'), 'png')
    fs.writeFileSync(path.join(below, 'y.png'), 'png')
    fs.symlinkSync('images', path.join(from, 'attachments'))
    fs.symlinkSync(path.join(from, 'images'), path.join(deep, 'link'))
    fs.symlinkSync('images/x.png', path.join(from, 'first.png'))
    const folder = path.join(temp(), 'imports')
    expect((await imports(folder).run(from)).unread).toBeUndefined()
    expect(Object.keys(filesIn(folder))).toEqual([
      'export/conversations.json',
      'export/first.png',
      'export/images/b/c/d/e/y.png',
      'export/images/x.png',
    ])
  })

  it('refuses by their place conversations that only a link to a folder leads to', async () => {
    const from = path.join(temp(), 'export')
    const hidden = path.join(from, '.data/a/b/c')
    fs.mkdirSync(hidden, { recursive: true })
    fs.writeFileSync(path.join(hidden, 'conversations.json'), conversation('two'))
    fs.writeFileSync(path.join(from, 'conversations.json'), conversation('one'))
    fs.symlinkSync('.data/a/b/c', path.join(from, 'chats'))
    const folder = path.join(temp(), 'imports')
    await expect(imports(folder).run(from)).rejects.toMatchObject({
      code: 'bad-argument',
      message: expect.stringContaining(
        `behind a link, ${path.join('chats', 'conversations.json')}.`,
      ),
    })
    expect(filesIn(folder)).toEqual({})
    // What has a place of its own, too, is there.
    fs.cpSync(hidden, path.join(from, 'talks'), { recursive: true })
    fs.unlinkSync(path.join(from, 'chats'))
    fs.symlinkSync('talks', path.join(from, 'chats'))
    await imports(folder).run(from)
    expect(await keysIn('chatgpt', folder)).toEqual(['one', 'two'])
  })

  it('copies nothing that a link of an export leads to elsewhere, and says which', async () => {
    const root = temp()
    const from = path.join(root, 'export')
    fs.mkdirSync(from)
    fs.writeFileSync(path.join(root, 'secret.txt'), 'secret')
    fs.writeFileSync(path.join(from, 'conversations.json'), conversation('one'))
    const folder = path.join(temp(), 'imports')
    for (const target of ['../secret.txt', '..', path.join(root, 'secret.txt')]) {
      fs.symlinkSync(target, path.join(from, 'a.png'))
      await expect(imports(folder).run(from)).rejects.toMatchObject({
        code: 'bad-argument',
        message: expect.stringContaining('a link that leads out of it, a.png.'),
      })
      fs.unlinkSync(path.join(from, 'a.png'))
    }
    expect(fs.existsSync(folder)).toBe(false)
    // A link to nothing, a pipe and a device are no files of it.
    fs.symlinkSync('nowhere', path.join(from, 'a.png'))
    fs.symlinkSync('/dev/zero', path.join(from, 'b.png'))
    await imports(folder).run(from)
    expect(Object.keys(filesIn(folder))).toEqual(['export/conversations.json'])
  })

  it('of a zip writes nothing but the zip, whatever its members are called', async () => {
    const root = temp()
    const folder = path.join(root, 'a/b/imports')
    const content = Buffer.from(conversation('one'))
    const names = ['../../up.json', '/abs.json', 'C:\\x.json', '..\\..\\x.json', 'a\0b.json', '!/x']
    const members = [...names, 'conversations.json', '../conversations.json']
    const from = path.join(temp(), 'slip.zip')
    fs.writeFileSync(from, zipped(members.map((name) => ({ name, content }))))
    expect(await imports(folder).run(from)).toMatchObject({ sources: ['chatgpt'], isNew: true })
    expect(Object.keys(filesIn(root))).toEqual(['a/b/imports/slip.zip'])
    expect(await keysIn('chatgpt', folder)).toEqual(['one'])
  })
})
