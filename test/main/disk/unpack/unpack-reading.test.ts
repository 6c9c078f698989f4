import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { readExactly, readLines, readLinesBackward } from '../../../../src/main/disk/reading/lines'
import { unpackFault } from '../../../../src/main/disk/unpack/unpacked-file'
import { unpackingDisk } from '../../../../src/main/disk/unpack/unpacking-disk'
import { tempFolders } from '../../../support/temp-folder'

// The zstd files of test/fixtures/packed were made by zstd 1.5.4 from conversation.jsonl beside them:
// `zstd -19`, and several frames with two to be skipped and an empty one among them.
const fixtures = path.resolve(__dirname, '../../../fixtures/packed')
const packed = (name: string) => fs.readFileSync(path.join(fixtures, name))
const plain = packed('conversation.jsonl')

const inMembers = (bytes: Buffer, size: number) =>
  Buffer.concat(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      zlib.gzipSync(bytes.subarray(i * size, (i + 1) * size)),
    ),
  )

const archives: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['one-member.gz', zlib.gzipSync(plain)],
  ['members.GZ', inMembers(plain, 100)],
  ['stored.gz', zlib.gzipSync(plain, { level: 0 })],
  ['one-frame.zst', packed('conversation.jsonl.zst')],
  ['frames.ZST', packed('conversation.frames.zst')],
]

const folder = tempFolders()
const put = (name: string, bytes: Uint8Array) => {
  const target = path.join(folder(), name)
  fs.writeFileSync(target, bytes)
  return target
}

/** Everything that a file gives, what it says of its size, and its fault. */
async function readAll(target: string) {
  const file = await unpackingDisk(nodeDisk).open(target, 'read')
  try {
    const bytes = Buffer.from(await readExactly(file, 0, plain.length * 2))
    const { sizeBytes } = await file.stat()
    return { bytes, sizeBytes, fault: unpackFault(file) }
  } finally {
    await file.close()
  }
}

describe.each(archives)('%s', (name, bytes) => {
  it('is read at any position as its content would be', async () => {
    const target = put(name, bytes)
    const disk = unpackingDisk(nodeDisk)
    expect((await disk.stat(target))?.sizeBytes).toBe(plain.length)
    const file = await disk.open(target, 'read')
    try {
      await fc.assert(
        fc.asyncProperty(fc.nat(plain.length + 50), fc.nat(plain.length), async (at, length) => {
          const into = Buffer.alloc(length)
          const got = await file.read(into, at)
          expect(into.subarray(0, got)).toEqual(plain.subarray(at, at + length))
        }),
        { seed: 7, numRuns: 200 },
      )
      expect(unpackFault(file)).toBeUndefined()
    } finally {
      await file.close()
    }
  })

  it('gives the same lines forward and backward as a plain file', async () => {
    const disk = unpackingDisk(nodeDisk)
    const lines = async (target: string) => {
      const file = await disk.open(target, 'read')
      const { sizeBytes } = await file.stat()
      const all: unknown[] = []
      for (const walk of [readLines(file, { chunkBytes: 200 }), readLinesBackward(file, sizeBytes)])
        for await (const batch of walk)
          for (const line of batch)
            all.push({ ...line, bytes: Buffer.from(line.bytes).toString('hex') })
      await file.close()
      return all
    }
    expect(await lines(put(name, bytes))).toEqual(await lines(put('plain.jsonl', plain)))
  })

  it('cut anywhere, at each byte near its end, gives a beginning of its content and says that it ends early', async () => {
    const target = put(name, bytes)
    let last = 0
    for (
      let length = 0;
      length < bytes.length;
      length += length < bytes.length - 60 ? Math.min(37, bytes.length - 60 - length) : 1
    ) {
      fs.writeFileSync(target, bytes.subarray(0, length))
      const cut = await readAll(target)
      expect(cut.bytes).toEqual(plain.subarray(0, cut.bytes.length))
      expect(cut.sizeBytes).toBe(cut.bytes.length)
      expect(cut.bytes.length).toBeGreaterThanOrEqual(last)
      last = cut.bytes.length
      // A cut between members or frames leaves an archive that is whole.
      if (cut.fault === undefined) expect(['members.GZ', 'frames.ZST']).toContain(name)
      else expect(cut.fault).toMatch(/^the archive ends early, after \d+ bytes$/)
    }
    // The end of the content does not wait for the archive's last byte.
    expect(last).toBeGreaterThan(name.endsWith('gz') ? plain.length - 1 : 0)
  })

  it('damaged anywhere, gives the same each time and never fails', async () => {
    const target = put(name, bytes)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(bytes.length - 1), value: fc.nat(255) }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (damage) => {
          const damaged = Buffer.from(bytes)
          for (const { at, value } of damage) damaged[at] = value
          fs.writeFileSync(target, damaged)
          const first = await readAll(target)
          expect(first.sizeBytes).toBe(first.bytes.length)
          expect(await readAll(target)).toEqual(first)
          // Both formats have checksums here, but for the last of the frames.
          if (first.fault === undefined && name !== 'frames.ZST') expect(first.bytes).toEqual(plain)
        },
      ),
      { seed: 11, numRuns: 15 },
    )
  })
})

it('gives all content before the damaged byte, however it was read', async () => {
  // Stored, so that the content before a byte of the archive is known: 15 bytes of headers stand before it.
  const content = Buffer.from('0123456789'.repeat(20_000))
  const stored = zlib.gzipSync(content, { level: 0 })
  const secondBlock = stored.indexOf(0, 15)
  stored[secondBlock] = 0b110 // A type of block that does not exist.
  const target = put('stored.gz', stored)
  const disk = unpackingDisk(nodeDisk)
  const file = await disk.open(target, 'read')
  const { sizeBytes } = await file.stat()
  expect(sizeBytes).toBe(secondBlock - 15)
  expect(Buffer.from(await readExactly(file, 0, content.length))).toEqual(
    content.subarray(0, sizeBytes),
  )
  expect(unpackFault(file)).toBe(
    `the archive is damaged at byte ${secondBlock}: invalid block type`,
  )
  await file.close()
})

it('says of a checksum that does not fit, with all content', async () => {
  const gz = zlib.gzipSync(plain)
  gz[gz.length - 8] = (gz.at(-8) ?? 0) ^ 1
  const zst = packed('conversation.jsonl.zst')
  zst[zst.length - 1] = (zst.at(-1) ?? 0) ^ 1
  expect(await readAll(put('a.gz', gz))).toEqual({
    bytes: plain,
    sizeBytes: plain.length,
    fault: `the archive is damaged at byte ${gz.length - 5}: incorrect data check`,
  })
  expect(await readAll(put('a.zst', zst))).toEqual({
    bytes: plain,
    sizeBytes: plain.length,
    fault: `the archive is damaged at byte ${zst.length - 1}: its checksum does not match`,
  })
})

it.each(['gz', 'zst'])('shows no content of a .%s file that holds something else', async (end) => {
  const other = await readAll(put(`a.${end}`, plain))
  const name = end === 'gz' ? 'gzip' : 'zstd'
  expect(other).toEqual({
    bytes: Buffer.alloc(0),
    sizeBytes: 0,
    fault: `the file is not a ${name} archive`,
  })
  expect((await readAll(put(`b.${end}`, Buffer.alloc(0)))).fault).toBe(
    'the archive ends early, after 0 bytes',
  )
})

it('takes zeros behind the last member for padding, and says of anything else', async () => {
  const member = zlib.gzipSync(plain)
  const zeros = Buffer.alloc(70_000)
  const faultOf = async (...parts: readonly Buffer[]) => {
    const { bytes, fault } = await readAll(put('a.gz', Buffer.concat(parts)))
    expect(bytes).toEqual(plain)
    return fault
  }
  expect(await faultOf(member, zeros)).toBeUndefined()
  expect(await faultOf(member, zeros, member)).toBe(
    `the archive ends at byte ${member.length}, and ${zeros.length + member.length} bytes after it are not read`,
  )
  expect(await faultOf(member, Buffer.from('something else'))).toMatch(/^the archive is damaged at/)
})
