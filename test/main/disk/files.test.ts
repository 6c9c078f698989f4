import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { DiskError } from '../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { readSmallFile, readSmallText, readWholeFile } from '../../../src/main/disk/reading/read'
import { appendDurably } from '../../../src/main/disk/writing/append'
import {
  createFile,
  isTemporaryName,
  linkFile,
  moveToFreeName,
  removeIfSame,
  removeIfThere,
  renameFile,
  replaceFile,
  temporaryName,
} from '../../../src/main/disk/writing/atomic'
import { faultyDisk } from '../../support/faulty-disk'
import { tempFolders } from '../../support/temp-folder'

const temp = tempFolders()
const bytes = (text: string) => Buffer.from(text)

describe('the real disk', () => {
  it('makes a folder with those above it, also when another does so at the same time', async () => {
    const folder = path.join(temp(), 'a/b/c')
    await Promise.all([nodeDisk.makeFolder(folder), nodeDisk.makeFolder(folder)])
    await nodeDisk.makeFolder(folder)
    expect(fs.statSync(folder).isDirectory()).toBe(true)
  })

  it('makes a folder where another made the one above it right after it was missing', async () => {
    const above = path.join(temp(), 'a')
    const { mkdir } = fs.promises
    const spied = vi.spyOn(fs.promises, 'mkdir')
    let failures = 0
    spied.mockImplementation(async (folder, options) => {
      try {
        return await mkdir(folder, options)
      } catch (error) {
        failures += 1
        fs.mkdirSync(above)
        throw error
      }
    })
    try {
      await nodeDisk.makeFolder(path.join(above, 'b'))
    } finally {
      spied.mockRestore()
    }
    expect(failures).toBe(1)
    expect(fs.statSync(path.join(above, 'b')).isDirectory()).toBe(true)
  })

  it('makes no folder where a file stands', async () => {
    const file = path.join(temp(), 'file')
    fs.writeFileSync(file, 'x')
    await expect(nodeDisk.makeFolder(file)).rejects.toMatchObject({ code: 'exists' })
    await expect(nodeDisk.makeFolder(path.join(file, 'a/b'))).rejects.toMatchObject({
      code: 'not-directory',
    })
  })

  it.runIf(process.platform === 'linux')(
    'gives up where nothing can be made, and nothing says so',
    async () => {
      await expect(nodeDisk.makeFolder('/proc/skein/cache')).rejects.toMatchObject({
        name: 'DiskError',
      })
    },
  )

  it('says in a code why an operation failed, and names the path', async () => {
    const folder = temp()
    const file = path.join(folder, 'file')
    fs.writeFileSync(file, 'x')
    const codes = [
      ['not-found', () => nodeDisk.open(path.join(folder, 'gone'), 'read')],
      ['not-found', () => nodeDisk.list(path.join(folder, 'gone'))],
      ['exists', () => nodeDisk.open(file, 'create-new')],
      ['exists', () => nodeDisk.link(file, file)],
      ['is-directory', () => nodeDisk.open(folder, 'append')],
      ['not-directory', () => nodeDisk.open(path.join(file, 'below'), 'append')],
      ['is-directory', () => readWholeFile(nodeDisk, folder)],
      ['too-large', () => readWholeFile(nodeDisk, file, 0)],
    ] as const
    for (const [code, operation] of codes)
      await expect(operation(), code).rejects.toMatchObject({
        name: 'DiskError',
        code,
        message: expect.stringContaining(folder),
      })
    expect(await nodeDisk.stat(path.join(folder, 'gone'))).toBeUndefined()
    expect(await nodeDisk.stat(path.join(file, 'below'))).toBeUndefined()
  })

  it('knows a file by its identity under any name, and another after a replacement', async () => {
    const [a, b] = [path.join(temp(), 'a'), path.join(temp(), 'b')]
    fs.writeFileSync(a, 'x')
    const before = await nodeDisk.stat(a)
    await nodeDisk.link(a, b)
    expect(await nodeDisk.stat(b)).toMatchObject({
      kind: 'file',
      sizeBytes: 1,
      identity: before?.identity,
    })
    await replaceFile(nodeDisk, a, bytes('y'))
    expect((await nodeDisk.stat(a))?.identity).not.toBe(before?.identity)
  })

  it('appends at the end and reads from anywhere through one handle', async () => {
    const file = await nodeDisk.open(path.join(temp(), 'f'), 'append')
    await file.write(bytes('abc'))
    await file.write(bytes('def'))
    const into = new Uint8Array(3)
    expect([await file.read(into, 2), Buffer.from(into).toString()]).toEqual([3, 'cde'])
    expect(await file.read(into, 6)).toBe(0)
    await file.sync()
    await file.close()
  })
})

describe('replacing a file', () => {
  it('keeps the old bytes and leaves nothing behind when any step fails', async () => {
    const folder = temp()
    const file = path.join(folder, 'state.json')
    fs.writeFileSync(file, 'old')
    // create, write, sync, rename; the fifth is the sync of the folder.
    for (let at = 1; at <= 4; at++) {
      const disk = faultyDisk(nodeDisk, { at, fault: 'no-space' })
      await expect(replaceFile(disk, file, bytes('new'))).rejects.toMatchObject({
        code: 'no-space',
      })
      expect([fs.readdirSync(folder), fs.readFileSync(file, 'utf8')]).toEqual([
        ['state.json'],
        'old',
      ])
    }
    await replaceFile(nodeDisk, file, bytes('new'))
    expect([fs.readdirSync(folder), fs.readFileSync(file, 'utf8')]).toEqual([['state.json'], 'new'])
  })

  it('goes on after a write that took fewer bytes', async () => {
    const file = path.join(temp(), 'x')
    await replaceFile(faultyDisk(nodeDisk, { at: 2, fault: 'short-write' }), file, bytes('content'))
    expect(fs.readFileSync(file, 'utf8')).toBe('content')
  })

  it('names what is on its way as chibi does', () => {
    expect(temporaryName('/h/manifest.json')).toMatch(/^\/h\/manifest\.tmp\.\d+$/)
    expect(temporaryName('/h/.lock')).toMatch(/^\/h\/\.lock\.tmp\.\d+$/)
    expect([isTemporaryName('manifest.tmp.4242'), isTemporaryName('manifest.json')]).toEqual([
      true,
      false,
    ])
  })
})

describe('removing a file that is meant', () => {
  const isMine = async (at: string) => (await readSmallText(nodeDisk, at)) === 'mine'

  it('is not moved where it is another already: who reads it meanwhile finds it', async () => {
    const file = path.join(temp(), 'x')
    fs.writeFileSync(file, 'theirs')
    const disk = faultyDisk(nodeDisk)
    expect(await removeIfSame(disk, file, async () => false)).toBe(false)
    expect(disk.kinds()).toEqual([])
  })

  it('leaves another that has the name, also when it got it right before', async () => {
    const file = path.join(temp(), 'x')
    const others = ['theirs', 'mine']
    for (const content of others) {
      fs.writeFileSync(file, content)
      const disk = {
        ...nodeDisk,
        async rename(from: string, to: string) {
          if (from === file) fs.writeFileSync(file, 'theirs')
          await nodeDisk.rename(from, to)
        },
      }
      expect(await removeIfSame(disk, file, isMine)).toBe(false)
      expect(fs.readFileSync(file, 'utf8')).toBe('theirs')
      expect(fs.readdirSync(path.dirname(file))).toEqual(['x'])
    }
    fs.writeFileSync(file, 'mine')
    expect(await removeIfSame(nodeDisk, file, isMine)).toBe(true)
    expect(await removeIfSame(nodeDisk, file, isMine)).toBe(false)
    expect(fs.readdirSync(path.dirname(file))).toEqual([])
  })

  it('gives the file its name again where it cannot be checked', async () => {
    const file = path.join(temp(), 'x')
    fs.writeFileSync(file, 'mine')
    const checked: string[] = []
    const check = async (at: string) => {
      checked.push(at)
      if (at !== file) throw new DiskError('io', at, 'it cannot be read')
      return true
    }
    await expect(removeIfSame(nodeDisk, file, check)).rejects.toMatchObject({ code: 'io' })
    expect(checked).toHaveLength(2)
    expect(fs.readdirSync(path.dirname(file))).toEqual(['x'])
    expect(fs.readFileSync(file, 'utf8')).toBe('mine')
  })

  it('removes nothing that was not meant where a third file has got the name meanwhile', async () => {
    const file = path.join(temp(), 'x')
    fs.writeFileSync(file, 'mine')
    const disk = {
      ...nodeDisk,
      async rename(from: string, to: string) {
        if (from === file) fs.writeFileSync(file, 'theirs')
        await nodeDisk.rename(from, to)
        if (from === file) fs.writeFileSync(file, 'a third')
      },
    }
    expect(await removeIfSame(disk, file, isMine)).toBe(false)
    const names = fs.readdirSync(path.dirname(file))
    const texts = names.map((name) => fs.readFileSync(path.join(path.dirname(file), name), 'utf8'))
    expect(texts.sort()).toEqual(['a third', 'theirs'])
  })
})

describe('moving to a free name', () => {
  it('replaces nothing, also where there are no hard links', async () => {
    const folder = temp()
    const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')]
    for (const disk of [
      nodeDisk,
      { ...nodeDisk, link: faultyDisk(nodeDisk, { at: 1, fault: 'denied' }).link },
    ]) {
      fs.writeFileSync(from, 'new')
      fs.writeFileSync(to, 'old')
      await expect(moveToFreeName(disk, from, to)).rejects.toMatchObject({ code: 'exists' })
      expect([fs.readFileSync(from, 'utf8'), fs.readFileSync(to, 'utf8')]).toEqual(['new', 'old'])
    }
    fs.rmSync(to)
    await moveToFreeName(
      { ...nodeDisk, link: faultyDisk(nodeDisk, { at: 1, fault: 'denied' }).link },
      from,
      to,
    )
    expect([fs.readdirSync(folder), fs.readFileSync(to, 'utf8')]).toEqual([['to'], 'new'])
  })

  it('creates a file whole, once', async () => {
    const file = path.join(temp(), 'x')
    await createFile(nodeDisk, file, bytes('first'))
    await expect(createFile(nodeDisk, file, bytes('second'))).rejects.toMatchObject({
      code: 'exists',
    })
    expect([fs.readFileSync(file, 'utf8'), fs.readdirSync(path.dirname(file))]).toEqual([
      'first',
      ['x'],
    ])
  })
})

describe('appending a line', () => {
  it('is one write and two syncs, of the file and its folder, with a line feed before it where torn bytes stand', async () => {
    const file = path.join(temp(), 'x')
    const disk = faultyDisk(nodeDisk)
    await appendDurably(disk, file, bytes('one'))
    const all = ['open ', 'write ', 'sync ', 'syncFolder ']
    expect(disk.kinds()).toEqual(all)
    fs.appendFileSync(file, 'torn')
    disk.plan({ fault: 'io' })
    await appendDurably(disk, file, bytes('two'))
    expect([disk.kinds(), fs.readFileSync(file, 'utf8')]).toEqual([all, 'one\ntorn\ntwo\n'])
  })

  it('fails when fewer bytes were taken, and cuts nothing', async () => {
    const file = path.join(temp(), 'x')
    fs.writeFileSync(file, 'one\n')
    const disk = faultyDisk(nodeDisk, { at: 2, fault: 'short-write' })
    await expect(appendDurably(disk, file, bytes('second'))).rejects.toMatchObject({
      code: 'no-space',
    })
    expect(fs.readFileSync(file, 'utf8')).toBe('one\nsec')
  })
})

describe('reading a small file', () => {
  it('gives undefined where nothing is, and text without a byte order mark', async () => {
    const file = path.join(temp(), 'x')
    expect(await readSmallFile(nodeDisk, file)).toBeUndefined()
    await expect(readWholeFile(nodeDisk, file)).rejects.toMatchObject({ code: 'not-found' })
    fs.writeFileSync(file, Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x62]))
    expect(await readSmallText(nodeDisk, file)).toBe('a\ufffdb')
  })
})

describe('a call that fails after the disk has done it', () => {
  const lost = () => faultyDisk(nodeDisk, { at: 1, fault: 'done-then-io' })
  const failing = () => faultyDisk(nodeDisk, { at: 1, fault: 'io' })
  const inFolder = () => {
    const folder = temp()
    fs.writeFileSync(path.join(folder, 'a'), 'words')
    return { folder, a: path.join(folder, 'a'), b: path.join(folder, 'b') }
  }

  it.each([
    ['renames', renameFile],
    ['moves', moveToFreeName],
  ])('%s, once', async (_, move) => {
    const { folder, a, b } = inFolder()
    await move(lost(), a, b)
    expect(fs.readdirSync(folder)).toEqual(['b'])
    expect(fs.readFileSync(b, 'utf8')).toBe('words')
  })

  it('links, and creates', async () => {
    const { folder, a, b } = inFolder()
    await linkFile(lost(), a, b)
    const [one, other] = await Promise.all([nodeDisk.stat(a), nodeDisk.stat(b)])
    expect(one?.identity).toBe(other?.identity)
    const disk = faultyDisk(nodeDisk, { at: 4, fault: 'done-then-io' })
    const c = path.join(folder, 'c')
    await createFile(disk, c, bytes('new'))
    expect(fs.readFileSync(c, 'utf8')).toBe('new')
    expect(fs.readdirSync(folder).sort()).toEqual(['a', 'b', 'c'])
  })

  it('removes', async () => {
    const { folder, a } = inFolder()
    await removeIfThere(lost(), a)
    expect(fs.readdirSync(folder)).toEqual([])
  })

  it('is a failure where it was not done, also beside another file of that name', async () => {
    const { folder, a, b } = inFolder()
    fs.writeFileSync(b, 'hers')
    await expect(renameFile(failing(), a, b)).rejects.toMatchObject({ code: 'io' })
    await expect(linkFile(failing(), a, b)).rejects.toMatchObject({ code: 'io' })
    await expect(removeIfThere(failing(), a)).rejects.toMatchObject({ code: 'io' })
    expect(fs.readdirSync(folder).sort()).toEqual(['a', 'b'])
    expect(fs.readFileSync(b, 'utf8')).toBe('hers')
  })

  it('wins no race: a name that leads to the same file already is taken', async () => {
    const { a, b } = inFolder()
    fs.linkSync(a, b)
    await expect(linkFile(nodeDisk, a, b)).rejects.toMatchObject({ code: 'exists' })
    await expect(renameFile(failing(), a, b)).rejects.toMatchObject({ code: 'io' })
  })

  it('is looked after by all who rename or link: nobody else calls the disk for it', () => {
    const src = path.join(__dirname, '../../../src')
    const sources = ['main', 'cli'].flatMap((room) =>
      fs
        .readdirSync(path.join(src, room), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => path.join(src, room, name)),
    )
    expect(sources.length).toBeGreaterThan(400)
    const callers = sources.filter((file) =>
      /\bdisk\.(?:rename|link)\(/i.test(fs.readFileSync(file, 'utf8')),
    )
    expect(callers.map((file) => path.relative(src, file))).toEqual([
      path.join('main', 'disk', 'writing', 'atomic.ts'),
    ])
  })
})
