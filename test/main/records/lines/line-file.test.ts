import { expect, it } from 'vitest'
import { readExactly } from '../../../../src/main/disk/reading/lines'
import { LineFile, type SizedLine } from '../../../../src/main/records/lines/line-file'

interface NumberedLine extends SizedLine {
  readonly number: number
}

const lineBytes = 1000
const stat = { kind: 'file', sizeBytes: 0, mtimeMs: 0, identity: 'x' } as const

function textOf(number: number): string {
  return `${String(number).padEnd(lineBytes - 1, '.')}\n`
}

/** A file of lines of 1,000 bytes, which notes how many were written at each time. */
function numberedFile(count: number) {
  const written: number[] = []
  const lines = Array.from({ length: count }, (_, number) => ({ number, bytes: lineBytes }))
  const file = new LineFile<NumberedLine>('/a/!/x', stat, {
    lines,
    write: async (wanted) => {
      written.push(wanted.length)
      const text = wanted.map(({ number }) => textOf(number)).join('')
      return { bytes: Buffer.from(text), fault: undefined }
    },
  })
  return { file, written, sum: () => written.reduce((all, one) => all + one, 0) }
}

it('writes little for who reads the beginning and the end alone', async () => {
  const { file, sum } = numberedFile(100_000)
  const first = await readExactly(file, 0, 16 * 1024)
  expect(Buffer.from(first).toString()).toBe(
    Array.from({ length: 17 }, (_, number) => textOf(number))
      .join('')
      .slice(0, 16 * 1024),
  )
  const end = await readExactly(file, 100_000 * lineBytes - 2000, 2000)
  expect(Buffer.from(end).toString()).toBe(textOf(99_998) + textOf(99_999))
  expect(sum()).toBeLessThan(150)
})

it('writes more at once for who reads on, each line once', async () => {
  const { file, written, sum } = numberedFile(20_000)
  const size = 20_000 * lineBytes
  for (let at = 0; at < size; at += 16 * 1024) await readExactly(file, at, 16 * 1024)
  expect(sum()).toBe(20_000)
  expect(written.length).toBeLessThan(30)
  expect(Math.max(...written)).toBeLessThanOrEqual(1100)
})

it('reads the same at any place as all of it has there', async () => {
  const all = Buffer.from(Array.from({ length: 3000 }, (_, number) => textOf(number)).join(''))
  const { file } = numberedFile(3000)
  for (const at of [0, 999, 64_000, 70_001, 1_500_000, 20, 2_999_999, 3_000_000])
    for (const length of [1, 1000, 300_000])
      expect(Buffer.from(await readExactly(file, at, length))).toEqual(
        all.subarray(at, at + length),
      )
})
