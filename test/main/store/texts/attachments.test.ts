import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  copyAttachments,
  findImage,
  keepFile,
  keepImages,
} from '../../../../src/main/store/texts/attachments'
import { imageLimits } from '../../../../src/shared/model/conversation/images'
import { faultyDisk } from '../../../support/faulty-disk'
import { beginnings, onePoint } from '../../../support/images'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
let home: string
let folder: string
const place = (context = 'garden', disk = nodeDisk) => ({ disk, home, context })
beforeEach(() => {
  home = path.join(temp(), 'home')
  folder = path.join(home, 'contexts', 'garden')
  fs.mkdirSync(folder, { recursive: true })
})
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const filesIn = (context = 'garden') =>
  fs
    .readdirSync(path.join(home, 'contexts', context), { recursive: true })
    .map(String)
    .sort()

describe('keeping images', () => {
  it('writes each once, under its digest, and tells what it is by its first bytes', async () => {
    const images = Object.entries(beginnings).map(([ending, bytes]) => ({
      name: `a ${ending} called.txt`,
      bytes,
    }))
    const kept = await keepImages(place(), images)
    expect(kept.map(({ mime, name }) => [mime, name])).toEqual([
      ['image/png', 'a png called.txt'],
      ['image/jpeg', 'a jpg called.txt'],
      ['image/gif', 'a gif called.txt'],
      ['image/webp', 'a webp called.txt'],
    ])
    for (const [index, { file, bytes, sha256: digest }] of kept.entries()) {
      const given = images[index]?.bytes ?? new Uint8Array()
      const ending = Object.keys(beginnings)[index]
      expect([file, bytes, digest]).toEqual([
        `attachments/${sha256(given)}.${ending}`,
        given.length,
        sha256(given),
      ])
      expect(fs.readFileSync(path.join(folder, file)).equals(given)).toBe(true)
    }
    const before = fs.statSync(path.join(folder, kept[0]?.file ?? '')).ino
    expect(await keepImages(place(), images)).toEqual(kept)
    expect(fs.statSync(path.join(folder, kept[0]?.file ?? '')).ino).toBe(before)
    expect(filesIn()).toHaveLength(5)
  })

  it.each([
    ['../../../etc/passwd', 'passwd'],
    ['C:\\Users\\mira\\bean.png', 'bean.png'],
    ['\u0000\u001b[31m\nred\u2028', '[31m red'],
    ['', 'image'],
    ['/', 'image'],
    [`${'x'.repeat(500)}.png`, `${'x'.repeat(119)}…`],
    ['half \ud83c.png', 'half \ufffd.png'],
  ])('takes of the name %j what people read, and nothing for the file', async (name, shown) => {
    const [kept] = await keepImages(place(), [{ name, bytes: onePoint }])
    expect(kept?.name).toBe(shown)
    expect(filesIn()).toEqual(['attachments', `attachments/${sha256(onePoint)}.png`])
  })

  it.each<[what: string, images: { name: string; bytes: Uint8Array }[], words: RegExp]>([
    [
      'a text',
      [{ name: 'bean.png', bytes: Buffer.from('<svg onload="x">') }],
      /"bean.png" is no PNG/,
    ],
    ['nothing', [{ name: 'bean.png', bytes: new Uint8Array() }], /is no PNG/],
    ['an almost image', [{ name: 'a.png', bytes: onePoint.subarray(1) }], /is no PNG/],
    [
      'a flood',
      [{ name: 'a.png', bytes: Buffer.concat([onePoint, Buffer.alloc(imageLimits.bytes)]) }],
      /"a.png" is larger than 10 MB/,
    ],
    [
      'too many',
      Array.from({ length: 11 }, () => ({ name: 'a.png', bytes: onePoint })),
      /takes 10 images at most, and these are 11/,
    ],
    [
      'too much together',
      Array.from({ length: 4 }, () => ({
        name: 'a.png',
        bytes: Buffer.concat([onePoint, Buffer.alloc(9 * 1024 * 1024)]),
      })),
      /Together the images are larger than 30 MB/,
    ],
  ])('refuses %s in words, and writes nothing of any', async (_, images, words) => {
    const given = [{ name: 'good.png', bytes: onePoint }, ...images].slice(-11)
    await expect(keepImages(place(), given)).rejects.toMatchObject({
      code: 'bad-argument',
      message: expect.stringMatching(words),
    })
    expect(filesIn()).toEqual([])
  })

  it('writes over a file of its name that has another content, and never through a link', async () => {
    const file = `attachments/${sha256(onePoint)}.png`
    fs.mkdirSync(path.join(folder, 'attachments'))
    fs.writeFileSync(path.join(folder, file), 'cut off')
    await keepImages(place(), [{ name: 'a.png', bytes: onePoint }])
    expect(fs.readFileSync(path.join(folder, file)).equals(onePoint)).toBe(true)

    const elsewhere = temp()
    fs.rmSync(path.join(folder, 'attachments'), { recursive: true })
    fs.symlinkSync(elsewhere, path.join(folder, 'attachments'))
    const kept = keepImages(place(), [{ name: 'a.png', bytes: onePoint }])
    await expect(kept).rejects.toMatchObject({ code: 'io', message: /leads out of "garden"/ })
    expect(fs.readdirSync(elsewhere)).toEqual([])
  })

  it('fails as a whole at every call of a disk that is full, and leaves nothing half', async () => {
    const counted = faultyDisk(nodeDisk)
    await keepImages(place('garden', counted), [{ name: 'a.png', bytes: onePoint }])
    const calls = counted.calls()
    expect(calls).toBeGreaterThan(5)
    for (let at = 1; at <= calls; at++)
      for (const fault of ['no-space', 'short-write'] as const) {
        fs.rmSync(path.join(folder, 'attachments'), { recursive: true })
        const disk = faultyDisk(nodeDisk, { at, fault })
        const kept = await keepImages(place('garden', disk), [{ name: 'a.png', bytes: onePoint }])
          .then(() => 'kept')
          .catch((error: { code?: string }) => error.code)
        const file = path.join(folder, 'attachments', `${sha256(onePoint)}.png`)
        const there = fs.existsSync(file) ? fs.readFileSync(file) : undefined
        expect([at, fault, kept]).toEqual([at, fault, expect.stringMatching(/^(kept|disk-full)$/)])
        if (kept === 'kept' || there !== undefined)
          expect([at, fault, there?.equals(onePoint)]).toEqual([at, fault, true])
        fs.mkdirSync(path.join(folder, 'attachments'), { recursive: true })
      }
  })
})

describe('finding an image', () => {
  it('gives the bytes under their digest, from another context of the home too, and brings them', async () => {
    const [kept] = await keepImages(place(), [{ name: 'a.png', bytes: onePoint }])
    const file = kept?.file ?? ''
    fs.mkdirSync(path.join(home, 'contexts', 'branch'))
    for (const context of ['garden', 'branch']) {
      const found = await findImage(place(context), file)
      expect([found?.type.mime, found && Buffer.from(found.bytes).equals(onePoint)]).toEqual([
        'image/png',
        true,
      ])
    }
    expect(filesIn('branch')).toEqual([])
    await copyAttachments(place('branch'), [
      file,
      file,
      'attachments/none.png',
      '../garden/todos.md',
    ])
    fs.rmSync(folder, { recursive: true })
    expect((await findImage(place('branch'), file))?.bytes).toHaveLength(onePoint.length)
    expect(filesIn('branch')).toEqual(['attachments', file])
  })

  it('brings text files to a branch, by their digest too, and gives none of them as an image', async () => {
    const { file } = await keepFile(place(), Buffer.from('Rain.'), 'txt')
    fs.mkdirSync(path.join(home, 'contexts', 'branch'))
    await copyAttachments(place('branch'), [file])
    expect(filesIn('branch')).toEqual(['attachments', file])
    expect(await findImage(place('branch'), file)).toBe(undefined)
  })

  it('gives nothing of another name or content, and nothing that a link leads to', async () => {
    const [kept] = await keepImages(place(), [{ name: 'a.png', bytes: onePoint }])
    const file = kept?.file ?? ''
    fs.copyFileSync(path.join(folder, file), path.join(folder, 'attachments', 'bean.png'))
    const names = [
      'attachments/bean.png',
      `../garden/${file}`,
      `./${file}`,
      `${file}\0`,
      file.toUpperCase(),
      path.join(folder, file),
      '',
    ]
    for (const name of names)
      expect([name, await findImage(place(), name)]).toEqual([name, undefined])
    for (const context of ['..', '../garden', '', 'a b'])
      expect(await findImage(place(context), file)).toBeUndefined()

    fs.writeFileSync(path.join(folder, file), beginnings.png)
    expect(await findImage(place(), file)).toBeUndefined()
    const elsewhere = path.join(temp(), 'private.png')
    fs.writeFileSync(elsewhere, onePoint)
    fs.rmSync(path.join(folder, file))
    fs.symlinkSync(elsewhere, path.join(folder, file))
    expect(await findImage(place(), file)).toBeUndefined()
  })

  it('gives no text that stands under its digest and the ending of an image', async () => {
    const text = Buffer.from('<script>alert(1)</script>')
    const file = `attachments/${sha256(text)}.png`
    fs.mkdirSync(path.join(folder, 'attachments'))
    fs.writeFileSync(path.join(folder, file), text)
    expect(await findImage(place(), file)).toBeUndefined()
  })
})
