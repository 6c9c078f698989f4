import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { readExactly } from '../../../../src/main/disk/reading/lines'
import { crc32, crc32Here } from '../../../../src/main/disk/unpack/crc32'
import { unpackFault } from '../../../../src/main/disk/unpack/unpacked-file'
import { unpackingDisk } from '../../../../src/main/disk/unpack/unpacking-disk'
import { memberPath, zipMembersFolder } from '../../../../src/main/disk/unpack/zip-path'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { type ZipInput, zipped } from '../../../support/zipped'

const folder = tempFolders(memoryFolder)

// What Python's zipfile and Info-ZIP's zip 3.0 wrote: parts, a nested folder, sizes behind the data.
const fixtures = path.resolve(__dirname, '../../../fixtures/zips')

function put(bytes: Uint8Array, name = 'export.zip'): string {
  const file = path.join(folder(), name)
  fs.writeFileSync(file, bytes)
  return file
}

/** All members with their content, as a disk gives them, and the faults that were met. */
async function unpacked(zip: string) {
  const disk = unpackingDisk(nodeDisk)
  const base = zipMembersFolder(zip)
  const found: Record<string, string> = {}
  const faults: string[] = []
  for (const member of await disk.list(base)) {
    const file = await disk.open(path.join(base, member), 'read')
    try {
      const { sizeBytes } = await file.stat()
      found[member] = Buffer.from(await readExactly(file, 0, sizeBytes + 10)).toString('latin1')
      const fault = unpackFault(file)
      if (fault !== undefined) faults.push(fault)
    } finally {
      await file.close()
    }
  }
  return { found, faults }
}

const anyMember = fc.record({
  name: fc.stringMatching(/^[a-zé/.%!\\ ]{1,12}$/).filter((name) => !name.endsWith('/')),
  content: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  isStored: fc.boolean(),
  sizesBehind: fc.boolean(),
  isWide: fc.boolean(),
})

describe('a zip archive', () => {
  it('gives every member as it was put in, whatever its name and form', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyMember, { selector: ({ name }) => name, maxLength: 6 }),
        fc.string({ maxLength: 20 }),
        async (members, comment) => {
          const zip = put(zipped(members, comment))
          const expected = members.map(({ name, content }) => [
            memberPath({ name, copy: 1 }),
            content.toString('latin1'),
          ])
          expect(await unpacked(zip)).toEqual({ found: Object.fromEntries(expected), faults: [] })
        },
      ),
    )
  })

  it.each(fs.readdirSync(fixtures).filter((name) => name.endsWith('.zip')))(
    'written by another program is read: %s',
    async (name) => {
      const { found, faults } = await unpacked(path.join(fixtures, name))
      expect(faults).toEqual([])
      expect(found).toEqual(
        JSON.parse(fs.readFileSync(path.join(fixtures, `${name}.json`), 'utf8')),
      )
    },
  )

  it('is one by its first bytes, and nothing else is', async () => {
    const input: ZipInput[] = [{ name: 'a.txt', content: Buffer.from('hello') }]
    expect((await unpacked(put(zipped(input), 'asset.dat'))).found).toEqual({ 'a.txt': 'hello' })
    const disk = unpackingDisk(nodeDisk)
    const text = put(Buffer.from('PK is no archive'))
    expect(await disk.stat(path.join(zipMembersFolder(text), 'a.txt'))).toBeUndefined()
    await expect(disk.list(zipMembersFolder(text))).rejects.toMatchObject({ code: 'not-directory' })
  })

  it('reads a large member at any position, also backwards', async () => {
    const content = Buffer.from(Array.from({ length: 400_000 }, (_, at) => `${at}\n`).join(''))
    const zip = put(
      zipped([
        { name: 'first', content: Buffer.from('x') },
        { name: 'big', content },
      ]),
    )
    const disk = unpackingDisk(nodeDisk)
    const file = await disk.open(path.join(zipMembersFolder(zip), 'big'), 'read')
    try {
      for (const at of [2_000_000, 0, 1_500_000, content.length - 5, 1_048_570]) {
        const bytes = Buffer.from(await readExactly(file, at, 3000))
        expect(bytes.equals(content.subarray(at, at + 3000))).toBe(true)
      }
    } finally {
      await file.close()
    }
  })

  it('gives two members of one name both', async () => {
    const input = ['one', 'two'].map((text) => ({ name: 'same.json', content: Buffer.from(text) }))
    expect((await unpacked(put(zipped(input)))).found).toEqual({
      'same.json': 'one',
      'same.json%~2': 'two',
    })
  })

  it('is refused in words where its end is missing, wherever that is', async () => {
    const bytes = zipped([{ name: 'a', content: Buffer.from('hello') }])
    for (let end = 4; end < bytes.length; end++)
      await expect(unpacked(put(bytes.subarray(0, end)))).rejects.toMatchObject({
        code: 'io',
        message: expect.stringContaining('the end of the archive is missing'),
      })
  })

  it('gives no wrong byte in silence, wherever it is damaged', async () => {
    const content = Buffer.from('all work and no play '.repeat(20))
    const bytes = zipped([
      { name: 'a', content },
      { name: 'b', content, isStored: true },
    ])
    for (let at = 4; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x5a
      const read = await unpacked(put(damaged)).catch((error: unknown) => ({ error }))
      if ('error' in read) continue
      const isAllRight = Object.values(read.found).every(
        (text) => text === content.toString('latin1'),
      )
      expect(isAllRight || read.faults.length > 0).toBe(true)
    }
  })

  it('is not believed where it claims more than it can hold, or the same bytes twice', async () => {
    const bomb = zipped([{ name: 'a', content: Buffer.from('x'), claims: 1_000_000_000 }])
    expect(await unpacked(put(bomb))).toEqual({
      found: { a: '' },
      faults: ['a cannot be as large as the archive says'],
    })
    const short = zipped([{ name: 'a', content: Buffer.alloc(5000), claims: 100 }])
    expect((await unpacked(put(short))).faults).toEqual(['a is damaged in the archive at byte 100'])
    const twice = zipped([{ name: 'a', content: Buffer.alloc(50), isStored: true, overlaps: 100 }])
    await expect(unpacked(put(twice))).rejects.toThrow('members of the archive overlap')
  })

  it('is not believed where its end names more members than its directory has, as 2^32 of them', async () => {
    const plain = zipped([{ name: 'a', content: Buffer.from('x') }])
    const end = plain.length - 22
    const [length, offset] = [plain.readUInt32LE(end + 12), plain.readUInt32LE(end + 16)]
    /** The same archive with an end of the long form, which names so many members. */
    const long = (count: bigint) => {
      const record = Buffer.alloc(56)
      record.writeUInt32LE(0x06064b50, 0)
      record.writeBigUInt64LE(44n, 4)
      for (const at of [24, 32]) record.writeBigUInt64LE(count, at)
      record.writeBigUInt64LE(BigInt(length), 40)
      record.writeBigUInt64LE(BigInt(offset), 48)
      const locator = Buffer.alloc(20)
      locator.writeUInt32LE(0x07064b50, 0)
      locator.writeBigUInt64LE(BigInt(end), 8)
      locator.writeUInt32LE(1, 16)
      const short = Buffer.from(plain.subarray(end))
      short.fill(0xff, 8, 20)
      return put(Buffer.concat([plain.subarray(0, end), record, locator, short]))
    }
    expect((await unpacked(long(1n))).found).toEqual({ a: 'x' })
    for (const count of [0n, 2n, 65_537n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 64n - 1n])
      await expect(unpacked(long(count))).rejects.toThrow('the directory of the archive is damaged')
  })

  it('says so where a member is encrypted or packed in another way', async () => {
    const content = Buffer.from('secret')
    const zip = zipped([
      { name: 'a', content, flags: 1 },
      { name: 'b', content, method: 14 },
    ])
    expect((await unpacked(put(zip))).faults).toEqual([
      'a is encrypted',
      'b is packed by method 14, which is not known',
    ])
  })

  it('has the names that older programs wrote in the code page of the IBM PC', async () => {
    const zip = zipped([
      { name: '', rawName: Buffer.from([0x81, 0x62]), content: Buffer.from('x') },
    ])
    expect(Object.keys((await unpacked(put(zip))).found)).toEqual(['üb'])
  })
})

describe('crc32', () => {
  it('is the same with and without the help of the runtime', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (one, other) => {
        expect(crc32Here(other, crc32Here(one, 0))).toBe(crc32(other, crc32(one, 0)))
        expect(crc32Here(one, 0)).toBe(
          zlib.gzipSync(one).readUInt32LE(zlib.gzipSync(one).length - 8),
        )
      }),
    )
  })
})
