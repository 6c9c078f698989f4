import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import zlib from 'node:zlib'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { readExactly, readLinesBackward } from '../../../../src/main/disk/reading/lines'
import { unpackFault } from '../../../../src/main/disk/unpack/unpacked-file'
import { unpackingDisk } from '../../../../src/main/disk/unpack/unpacking-disk'
import { heldBytes } from '../../../support/held-bytes'
import { tempFolders } from '../../../support/temp-folder'

// Made by zstd 1.5.4: 262 times the lines 0000000 to 0099999; one thousand million zeros (2 ** 30); a window of 1 GB.
const fixtures = path.resolve(__dirname, '../../../fixtures/packed')
const round = Buffer.from(
  Array.from({ length: 100_000 }, (_, i) => `${String(i).padStart(7, '0')}\n`).join(''),
)
const rounds = 262
const numbersBytes = rounds * round.length
/** What stands at a place of the numbers; at most 1 MB. */
const someRounds = Buffer.concat([round, round, round])
const numberedAt = (at: number, length: number) =>
  someRounds.subarray(at % round.length, (at % round.length) + length)

const folder = tempFolders()

/** The real disk, with what is read from it, and what is open. */
function countingDisk() {
  const counts = { bytes: 0, open: 0, opened: 0 }
  const disk: Disk = {
    ...nodeDisk,
    async open(target, mode) {
      const file = await nodeDisk.open(target, mode)
      counts.open += 1
      counts.opened += 1
      return {
        ...file,
        async read(into, position) {
          const got = await file.read(into, position)
          counts.bytes += got
          return got
        },
        async close() {
          counts.open -= 1
          await file.close()
        },
      }
    },
  }
  return { disk: unpackingDisk(disk), counts }
}

/** Where the numbers are as .gz, 58 MB that no test changes, once the first test has wanted them. */
let packedIn: string | undefined
afterAll(() => {
  if (packedIn !== undefined) fs.rmSync(packedIn, { recursive: true })
})

function gzippedNumbers(): string {
  if (packedIn === undefined) {
    packedIn = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-numbers-'))
    writeRounds(path.join(packedIn, 'numbers.gz'), rounds)
  }
  return path.join(packedIn, 'numbers.gz')
}

function numbersIn(format: string): { readonly target: string; readonly packedBytes: number } {
  const target = format === 'zst' ? path.join(fixtures, 'numbers.zst') : gzippedNumbers()
  return { target, packedBytes: fs.statSync(target).size }
}

function writeRounds(target: string, count: number): void {
  const member = zlib.gzipSync(round, { level: 1 })
  fs.writeFileSync(target, Buffer.concat(Array.from({ length: count }, () => member)))
}

it.each(['gz', 'zst'])(
  'walks 200 MB of .%s backward in bounded memory, unpacking it a few times only',
  async (format) => {
    const { target, packedBytes } = numbersIn(format)
    const { disk, counts } = countingDisk()
    const before = heldBytes()
    const held: number[] = []
    const file = await disk.open(target, 'read')
    const { sizeBytes } = await file.stat()
    expect(sizeBytes).toBe(numbersBytes)
    const into = Buffer.alloc(512 * 1024)
    for (let end = sizeBytes, at = 0; end > 0; end = at) {
      // From here on at whole steps.
      at = Math.floor((end - 1) / into.length) * into.length
      const piece = into.subarray(0, end - at)
      expect(await file.read(piece, at)).toBe(piece.length)
      if (!piece.equals(numberedAt(at, piece.length))) throw new Error(`other bytes at ${at}`)
      // What is kept too long is there still at the start. Garbage is collected for each look.
      if (at % (96 * 1024 * 1024) === 0) held.push(heldBytes() - before)
    }
    await file.close()
    // Once to measure, then once up to each 32 MB from the end.
    expect(counts.bytes).toBeLessThanOrEqual(packedBytes * 8)
    expect(held).toHaveLength(3)
    expect(Math.max(...held)).toBeLessThan(100 * 1024 * 1024)
  },
)

it.each(['gz', 'zst'])(
  'goes on in .%s files that are opened again for each part',
  async (format) => {
    const { target, packedBytes } = numbersIn(format)
    const { disk, counts } = countingDisk()
    const part = 512 * 1024
    for (let at = 0; at < 160 * part; at += part) {
      const file = await disk.open(target, 'read')
      const want = numberedAt(at, part)
      if (!want.equals(await readExactly(file, at, part))) throw new Error(`other bytes at ${at}`)
      await file.close()
    }
    expect(counts.bytes).toBeLessThanOrEqual(packedBytes * 2)
    // The stream lingers, for whoever comes next.
    expect(counts.open).toBe(1)
  },
)

it('lets two readers of one file go on, each from where it is', async () => {
  const { target, packedBytes } = numbersIn('zst')
  const { disk, counts } = countingDisk()
  const [one, other] = [await disk.open(target, 'read'), await disk.open(target, 'read')]
  const part = 1024 * 1024
  for (let at = 0; at < 40 * part; at += part)
    for (const [file, from] of [
      [one, at],
      [other, at + 120 * part],
    ] as const)
      if (!numberedAt(from, part).equals(await readExactly(file, from, part)))
        throw new Error(`other bytes at ${from}`)
  await one.close()
  await other.close()
  expect(counts.bytes).toBeLessThan(packedBytes * 3)
})

it('reads one file from many sides at once', async () => {
  const { target } = numbersIn('gz')
  const { disk } = countingDisk()
  const places = [50, 3, 27, 0, 66, 28, 50, 12].map((mega) => mega * 1024 * 1024 + 24)
  const read = places.map(async (at) => {
    const file = await disk.open(target, 'read')
    const bytes = await readExactly(file, at, 4096)
    await file.close()
    return numberedAt(at, 4096).equals(bytes)
  })
  expect(await Promise.all(read)).toEqual(places.map(() => true))
})

it('keeps few files open of those that were closed half read, and none that were read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { disk, counts } = countingDisk()
  const root = folder()
  const packed = zlib.gzipSync(someRounds, { level: 1 })
  for (let i = 0; i < 20; i++) {
    fs.writeFileSync(path.join(root, `${i}.gz`), packed)
    const file = await disk.open(path.join(root, `${i}.gz`), 'read')
    await file.read(Buffer.alloc(100), 0)
    await file.close()
  }
  await expect.poll(() => counts.open).toBeLessThanOrEqual(4)
  vi.advanceTimersByTime(2000)
  await expect.poll(() => counts.open).toBe(0)
  for (let i = 0; i < 20; i++) {
    fs.writeFileSync(path.join(root, `${i}.gz`), zlib.gzipSync(round.subarray(0, 9000)))
    const file = await disk.open(path.join(root, `${i}.gz`), 'read')
    expect(await file.read(Buffer.alloc(10_000), 0)).toBe(9000)
    await file.close()
    expect(counts.open).toBe(0)
  }
})

it('tells how much a bomb holds, and reads its end, without holding it', async () => {
  const target = path.join(folder(), 'zeros.gz')
  const some = Buffer.alloc(16 * 1024 * 1024)
  const member = zlib.gzipSync(some, { level: 9 })
  fs.writeFileSync(target, Buffer.concat(Array.from({ length: 16 }, () => member)))
  for (const [bomb, holds] of [
    [target, 2 ** 28],
    [path.join(fixtures, 'zeros.zst'), 2 ** 30],
  ] as const) {
    const { disk } = countingDisk()
    const before = heldBytes()
    expect((await disk.stat(bomb))?.sizeBytes).toBe(holds)
    const file = await disk.open(bomb, 'read')
    const into = Buffer.alloc(100, 1)
    expect(await file.read(into, holds - 50)).toBe(50)
    expect(into).toEqual(Buffer.concat([Buffer.alloc(50), Buffer.alloc(50, 1)]))
    await file.close()
    expect(heldBytes() - before).toBeLessThan(100 * 1024 * 1024)
  }
})

it('refuses a window that would take too much memory, in words', async () => {
  const { disk } = countingDisk()
  const file = await disk.open(path.join(fixtures, 'wide.zst'), 'read')
  expect((await file.stat()).sizeBytes).toBe(0)
  expect(unpackFault(file)).toBe(
    'the archive is damaged at byte 5: it needs more than 128 MB of memory to be unpacked',
  )
  await file.close()
})

it.each(['a.gz', 'a.zst'])('passes on that the disk cannot be read: %s', async (name) => {
  const target = path.join(folder(), name)
  fs.writeFileSync(target, zlib.gzipSync(round))
  const disk = unpackingDisk({
    ...nodeDisk,
    async open(opened, mode) {
      const read = () => Promise.reject(new DiskError('io', opened, 'the disk is broken'))
      return { ...(await nodeDisk.open(opened, mode)), read }
    },
  })
  await expect(disk.stat(target)).rejects.toThrow('the disk is broken')
  const file = await disk.open(target, 'read')
  await expect(file.stat()).rejects.toThrow('the disk is broken')
  await expect(file.read(Buffer.alloc(10), 0)).rejects.toThrow('the disk is broken')
  expect(unpackFault(file)).toBeUndefined()
  await file.close()
})

it('shows the state that was opened, when the file is replaced or grows', async () => {
  const { disk } = countingDisk()
  const root = folder()
  const target = path.join(root, 'a.gz')
  fs.writeFileSync(target, zlib.gzipSync('first\n'))
  const text = async (file: Awaited<ReturnType<Disk['open']>>) =>
    Buffer.from(await readExactly(file, 0, 100)).toString()
  const first = await disk.open(target, 'read')
  fs.appendFileSync(target, zlib.gzipSync('second\n'))
  expect(await text(first)).toBe('first\n')
  const second = await disk.open(target, 'read')
  expect(await text(second)).toBe('first\nsecond\n')
  expect((await second.stat()).identity).toBe((await first.stat()).identity)

  fs.writeFileSync(path.join(root, 'new'), zlib.gzipSync('other\n'))
  fs.renameSync(path.join(root, 'new'), target)
  expect(await text(second)).toBe('first\nsecond\n')
  const third = await disk.open(target, 'read')
  expect(await text(third)).toBe('other\n')
  expect((await third.stat()).identity).not.toBe((await first.stat()).identity)
  for (const file of [first, second, third]) await file.close()
})

it('ends where a file that is cut under it ends', async () => {
  const target = path.join(folder(), 'numbers.gz')
  writeRounds(target, 20)
  const { disk } = countingDisk()
  const file = await disk.open(target, 'read')
  expect((await file.stat()).sizeBytes).toBe(20 * round.length)
  fs.truncateSync(target, 100_000)
  expect(await file.read(Buffer.alloc(100), 20 * round.length - 100)).toBe(0)
  await file.close()
})

it('leaves everything else to the disk below', async () => {
  const { disk } = countingDisk()
  const root = folder()
  const bytes = zlib.gzipSync('content')
  for (const name of ['a.gz', 'a.gz.txt', 'gz']) fs.writeFileSync(path.join(root, name), bytes)
  fs.mkdirSync(path.join(root, 'folder.gz'))
  expect((await disk.stat(path.join(root, 'a.gz.txt')))?.sizeBytes).toBe(bytes.length)
  expect((await disk.stat(path.join(root, 'gz')))?.sizeBytes).toBe(bytes.length)
  expect(await disk.stat(path.join(root, 'folder.gz'))).toEqual(
    await nodeDisk.stat(path.join(root, 'folder.gz')),
  )
  expect(await disk.stat(path.join(root, 'none.gz'))).toBeUndefined()
  await expect(disk.open(path.join(root, 'none.gz'), 'read')).rejects.toMatchObject({
    code: 'not-found',
  })
  expect([...(await disk.list(root))].sort()).toEqual(['a.gz', 'a.gz.txt', 'folder.gz', 'gz'])

  const appended = await disk.open(path.join(root, 'a.gz'), 'append')
  await appended.write(zlib.gzipSync(' and more'))
  await appended.close()
  expect(zlib.gunzipSync(fs.readFileSync(path.join(root, 'a.gz'))).toString()).toBe(
    'content and more',
  )
})

it('tells the packed size at once, and the content’s where it was measured', async () => {
  const { disk, counts } = countingDisk()
  const target = path.join(folder(), 'a.gz')
  fs.writeFileSync(target, zlib.gzipSync(round))
  expect(disk.statNow(target)).toEqual(nodeDisk.statNow(target))
  const stat = await disk.stat(target)
  expect(stat).toEqual({ ...(await nodeDisk.stat(target)), sizeBytes: round.length })
  expect(disk.statNow(target)).toEqual(stat)
  expect(await disk.stat(target)).toEqual(stat)
  expect(counts.opened).toBe(1)
})

it('refuses to write to, or to read on from, what it must not', async () => {
  const { disk } = countingDisk()
  const target = path.join(folder(), 'a.gz')
  fs.writeFileSync(target, zlib.gzipSync('content'))
  const file = await disk.open(target, 'read')
  await expect(file.write(Buffer.from('x'))).rejects.toMatchObject({ code: 'denied' })
  await file.close()
  await file.close()
  await expect(file.read(Buffer.alloc(1), 0)).rejects.toMatchObject({ code: 'io' })
})

it('gives lines from the end of a large file soon', async () => {
  const { target } = numbersIn('zst')
  const { disk } = countingDisk()
  const file = await disk.open(target, 'read')
  const { sizeBytes } = await file.stat()
  for await (const [line] of readLinesBackward(file, sizeBytes)) {
    expect(Buffer.from(line?.bytes ?? []).toString()).toBe('0099999')
    break
  }
  await file.close()
})
