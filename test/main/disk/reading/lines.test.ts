import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DiskFile } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  type FileLine,
  mostLinesABatch,
  readLines,
  readLinesBackward,
} from '../../../../src/main/disk/reading/lines'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)

/** A file in memory that counts what is read of it, and gives at most `most` bytes at once. */
function memoryFile(bytes: Uint8Array, most = Number.POSITIVE_INFINITY) {
  const read: [number, number][] = []
  const file: Pick<DiskFile, 'read'> = {
    async read(into, position) {
      const end = Math.min(bytes.length, position + Math.min(into.length, most))
      into.set(bytes.subarray(position, end))
      read.push([position, Math.max(0, end - position)])
      return Math.max(0, end - position)
    },
  }
  return { file: file as DiskFile, read }
}

async function collect(lines: AsyncIterable<readonly FileLine[]>) {
  const all = []
  for await (const batch of lines)
    for (const { bytes, offset, length, ended } of batch)
      all.push({ text: Buffer.from(bytes).toString('latin1'), offset, length, ended })
  return all
}

/** What framing is, in the plainest way. */
function framed(bytes: Uint8Array) {
  const lines = []
  let start = 0
  for (let i = 0; i <= bytes.length; i++) {
    if (i < bytes.length && bytes[i] !== 0x0a) continue
    const ended = i < bytes.length
    const text = Buffer.from(bytes.subarray(start, i)).toString('latin1')
    if (ended || i > start) lines.push({ text, offset: start, length: i - start, ended })
    start = i + 1
  }
  return lines
}

// Line feeds, carriage returns, bytes of U+2028 and of a byte order mark, and others.
const someBytes = fc
  .array(fc.constantFrom(0x0a, 0x0a, 0x0d, 0xe2, 0x80, 0xa8, 0xef, 0xbb, 0xbf, 0x41, 0x00), {
    maxLength: 60,
  })
  .map((list) => Uint8Array.from(list))

describe('reading lines', () => {
  it('frames on byte 0x0A alone, whatever the chunks are', async () => {
    await fc.assert(
      fc.asyncProperty(
        someBytes,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        async (bytes, chunkBytes, most) => {
          const { file } = memoryFile(bytes, most)
          expect(await collect(readLines(file, { chunkBytes }))).toEqual(framed(bytes))
        },
      ),
    )
  })

  it('begins at any line, and ends where it is told', async () => {
    const bytes = Buffer.from('one\ntwo\nthree\nfour')
    const { file } = memoryFile(bytes)
    const all = framed(bytes)
    expect(await collect(readLines(file, { from: 4 }))).toEqual(all.slice(1))
    expect(await collect(readLines(file, { from: 4, to: 10 }))).toEqual([
      all[1],
      { text: 'th', offset: 8, length: 2, ended: false },
    ])
  })

  it('holds only the beginning of a line that is longer than its limit, and goes on after it', async () => {
    const bytes = Buffer.from(`a\n${'x'.repeat(100)}\nb\n`)
    const { file } = memoryFile(bytes)
    const expected = framed(bytes)
    const forward = await collect(readLines(file, { chunkBytes: 7, longestBytes: 50 }))
    const backward = await collect(readLinesBackward(file, bytes.length, { longestBytes: 50 }))
    expect(forward.map(({ offset, length }) => [offset, length])).toEqual(
      expected.map(({ offset, length }) => [offset, length]),
    )
    expect(backward.reverse().map(({ offset, length }) => [offset, length])).toEqual(
      expected.map(({ offset, length }) => [offset, length]),
    )
    expect(forward[2]?.text).toBe('b')
  })

  it('reads into one buffer again and again, where it is given one', async () => {
    await fc.assert(
      fc.asyncProperty(someBytes, fc.integer({ min: 1, max: 9 }), async (bytes, bufferBytes) => {
        const { file } = memoryFile(bytes)
        const buffer = Buffer.alloc(bufferBytes)
        expect(await collect(readLines(file, { buffer }))).toEqual(framed(bytes))
      }),
    )
  })

  it('keeps the first 4 KB of a line over its limit, and none of the rest', async () => {
    const head = Buffer.alloc(4096, 'h')
    const bytes = Buffer.concat([head, Buffer.alloc(100_000, 'r'), Buffer.from('\nb')])
    const { file } = memoryFile(bytes)
    for (const chunkBytes of [1000, 4096, 30_000, 200_000])
      for (const longestBytes of [50, 5000, 100_000]) {
        const [long] = (await collect(readLines(file, { chunkBytes, longestBytes }))) ?? []
        expect(long).toEqual({ text: head.toString(), offset: 0, length: 104_096, ended: true })
      }
  })

  it('stops when it is aborted', async () => {
    const { file } = memoryFile(Buffer.from('one\ntwo\n'))
    await expect(collect(readLines(file, { signal: AbortSignal.abort() }))).rejects.toThrow()
    await expect(
      collect(readLinesBackward(file, 8, { signal: AbortSignal.abort() })),
    ).rejects.toThrow()
  })
})

/** The lines that came between two turns of others, and the bytes that were told at each. */
async function turns(
  read: (giveWay: (bytes: number) => Promise<void>) => AsyncIterable<readonly FileLine[]>,
) {
  const lines = [0]
  const bytes: number[] = []
  const giveWay = async (some: number) => {
    bytes.push(some)
    lines.push(0)
  }
  for await (const batch of read(giveWay)) lines.push((lines.pop() ?? 0) + batch.length)
  return { lines, bytes }
}

describe('a file whose size nobody told', () => {
  /** Bytes of memory that reading takes, by the buffers that the file is given to fill. */
  async function filled(bytes: Uint8Array) {
    const { file } = memoryFile(bytes)
    let room = 0
    const asked: Pick<DiskFile, 'read'> = {
      read(into, position) {
        room += into.length
        return file.read(into, position)
      },
    }
    const lines = await collect(readLines(asked as DiskFile))
    return { room, lines }
  }

  it('takes no chunk of the full size where it is small, and grows to it where it is large', async () => {
    const small = await filled(Buffer.from('one\ntwo\nthree'))
    expect(small.lines.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
    expect(small.room).toBeLessThan(80_000)

    const large = Buffer.alloc(8 * 1024 * 1024, 'lines of a file\n')
    const { room, lines } = await filled(large)
    expect(lines).toHaveLength(large.length / 16)
    expect(room).toBeLessThan(large.length + 2 * 1024 * 1024)
  })
})

describe('a file of empty lines alone', () => {
  const count = 300_001
  const sizeBytes = count
  const { file } = memoryFile(Buffer.alloc(count, '\n'))
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

  it('lets others have their turn after some thousand lines, whatever the chunk', async () => {
    for (const chunk of [{}, { buffer: Buffer.alloc(sizeBytes) }, { chunkBytes: 2 ** 20 }]) {
      const { lines, bytes } = await turns((giveWay) => readLines(file, { ...chunk, giveWay }))
      expect(Math.max(...lines)).toBe(mostLinesABatch)
      expect([sum(lines), sum(bytes)]).toEqual([count, sizeBytes])
    }
  })

  it('lets others have their turn as often when it is read from its end', async () => {
    const { lines, bytes } = await turns((giveWay) =>
      readLinesBackward(file, sizeBytes, { giveWay }),
    )
    expect(Math.max(...lines)).toBe(mostLinesABatch)
    expect([sum(lines), sum(bytes)]).toEqual([count, sizeBytes])
  })

  it('is left between two batches of one chunk when the reading is aborted', async () => {
    for (const read of [
      (signal: AbortSignal) => readLines(file, { signal }),
      (signal: AbortSignal) =>
        readLinesBackward(file, sizeBytes, { signal, firstChunkBytes: sizeBytes }),
    ]) {
      const abort = new AbortController()
      let batches = 0
      const reading = async () => {
        for await (const _ of read(abort.signal)) {
          batches += 1
          abort.abort()
        }
      }
      await expect(reading()).rejects.toThrow()
      expect(batches).toBe(1)
    }
  })
})

describe('reading lines backward', () => {
  it('gives the same lines from the end, from the start of any line', async () => {
    await fc.assert(
      fc.asyncProperty(someBytes, async (bytes) => {
        const { file } = memoryFile(bytes)
        const all = framed(bytes)
        expect((await collect(readLinesBackward(file, bytes.length))).reverse()).toEqual(all)
        for (const [i, { offset }] of all.entries())
          expect((await collect(readLinesBackward(file, offset))).reverse()).toEqual(
            all.slice(0, i),
          )
      }),
    )
  })

  it('agrees with reading forward over many chunks and long lines', async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `${i} `.repeat(1 + ((i * 7919) % 3000)))
    const bytes = Buffer.from(`${lines.join('\n')}\n${'y'.repeat(3_000_000)}\nlast`)
    const { file } = memoryFile(bytes, 100_000)
    const forward = await collect(readLines(file, { chunkBytes: 70_000 }))
    expect(forward.length).toBe(302)
    expect((await collect(readLinesBackward(file, bytes.length))).reverse()).toEqual(forward)
  })

  it('reads the last lines of a 200 MB file without reading the rest', async () => {
    const target = path.join(temp(), 'big')
    const handle = fs.openSync(target, 'w')
    // A hole: the file is as long as it says and takes no room.
    fs.ftruncateSync(handle, 200 * 1024 * 1024)
    const end = fs.writeSync(handle, '\none\ntwo\n', 200 * 1024 * 1024) + 200 * 1024 * 1024
    fs.closeSync(handle)
    const opened = await nodeDisk.open(target, 'read')
    let bytesRead = 0
    const counting: DiskFile = {
      ...opened,
      async read(into, position) {
        const got = await opened.read(into, position)
        bytesRead += got
        return got
      },
    }
    const texts: string[] = []
    for await (const batch of readLinesBackward(counting, end)) {
      for (const line of batch) texts.push(Buffer.from(line.bytes).toString())
      if (texts.length >= 2) break
    }
    await opened.close()
    expect(texts).toEqual(['two', 'one'])
    expect(bytesRead).toBe(64 * 1024)
  })
})
