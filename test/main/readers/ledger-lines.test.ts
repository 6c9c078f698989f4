import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/support/random'
import { readRoot } from '../../../src/main/readers/read-root'
import type { Entry } from '../../../src/shared/model/conversation/entry'
import { drawnOf, numbersBetween, triesAll, tryEach } from '../../support/drawn'
import { type LedgerFormat, ledgerFormats, plainLines } from '../../support/ledger-formats'
import { type MemoryDisk, memoryDisk } from '../../support/memory-disk'

const signal = new AbortController().signal

/** A root of one file. */
function rootOf(format: LedgerFormat, bytes: Buffer) {
  const file = format.names({ ...createRandom(1), below: () => 0 })[0] ?? ''
  const disk = memoryDisk()
  disk.put(`/source/${file}`, bytes)
  return { disk, file: `/source/${file}` }
}

async function read({ reader }: LedgerFormat, disk: MemoryDisk) {
  const { conversations, files, notices } = await readRoot(reader, '/source', disk, signal)
  expect(notices).toEqual([])
  const ledger = files[0]
  if (ledger === undefined) throw new Error('no ledger')
  const { lines, entryLines, control, blank, damaged } = ledger
  expect(lines).toBe(entryLines + control + blank + damaged.length)
  const entries = conversations.flatMap(({ key, entries }) =>
    entries.map((entry) => ({ key, ...entry })),
  )
  return { entries, ledger }
}

type Told = Entry & { readonly key: string }

const told = ({ key, file, offset, content, id }: Told) => ({ key, file, offset, content, id })

/** Conversation by conversation, for those whose lines stand in between one another's. */
const byKey = (entries: readonly Told[]) =>
  entries.map(told).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))

/** Records that are messages, each with a word of its own. */
function messages(format: LedgerFormat, count: number): readonly string[] {
  const random = createRandom(77)
  const found: string[] = []
  while (found.length < count) {
    const record = format.record(random, `w${found.length}q`)
    const isMessage = format.said(JSON.parse(record), record).kind === 'entry'
    // Voicemode: one conversation, in the order in which it was said.
    const inOrder = record
      .replace(/2025-08-0\dT08:\d\d/, `2025-08-01T08:${10 + found.length}`)
      .replace('_bbbbbb', '_aaaaaa')
    if (isMessage && format.isWhole(JSON.parse(record))) found.push(inOrder)
  }
  return found
}

/** Ways in which a file grows. */
const rounds = triesAll ? 20 : 4

describe.each(ledgerFormats)('$reader.id', (format) => {
  it('tells the same before the last two lines, wherever they are cut, and is torn in the middle of a line alone', async () => {
    const bytes = Buffer.from(messages(format, 4).join('\n'))
    const kept = bytes.lastIndexOf(0x0a, bytes.lastIndexOf(0x0a) - 1) + 1
    const { entries: before } = await read(format, rootOf(format, bytes.subarray(0, kept)).disk)
    const feed = bytes.lastIndexOf(0x0a)
    // In the line before the last one; up to its line feed, behind it; in the last one; a byte before the end.
    const kindOf = (end: number) =>
      `${Math.sign(end - feed)} ${[feed + 1, bytes.length - 1].indexOf(end)}`
    const ends = drawnOf(numbersBetween(kept, bytes.length), 20, kindOf)
    await tryEach(ends, async (end) => {
      const cut = bytes.subarray(0, end)
      const { entries, ledger } = await read(format, rootOf(format, cut).disk)
      const last = plainLines(cut).at(-1)
      const isWhole = last?.ended === true || last?.value !== undefined
      const own = entries.filter(({ offset }) => offset < kept)
      expect(byKey(own)).toEqual(byKey(before))
      expect([ledger.torn, ledger.damaged.length]).toEqual(isWhole ? [false, 0] : [true, 1])
    })
  })

  it('takes line separators of Unicode for characters, raw inside of words and between records', async () => {
    const [one = '', two = ''] = messages(format, 2)
    const raw = one.replace('w0q ', 'w0q\u2028\u2029\u0085')
    const { entries, ledger } = await read(
      format,
      rootOf(format, Buffer.from(`${raw}\n\u2028\n${two}\u2028\n`)).disk,
    )
    expect([ledger.lines, ledger.blank, ledger.damaged.map(({ line }) => line)]).toEqual([
      3,
      1,
      [3],
    ])
    expect(entries.some(({ content }) => content.includes('w0q\u2028\u2029\u0085'))).toBe(true)
    expect(entries.some(({ metadata }) => metadata?.recovered === true)).toBe(true)
  })

  it('gives up every record of a line on which several stand, whatever stands between them', async () => {
    const records = messages(format, 3)
    for (const between of ['', ' ', '\r', '\0\0', 'x', '\ufeff', '{"', '}{', ','])
      for (const end of ['', '\n']) {
        const bytes = Buffer.from(records.join(between) + end)
        const { entries, ledger } = await read(format, rootOf(format, bytes).disk)
        expect(ledger).toMatchObject({ lines: 1, entryLines: 0, torn: end === '' })
        for (const word of ['w0q', 'w1q', 'w2q'])
          expect(entries.filter(({ content }) => content.includes(word)).length).toBeGreaterThan(0)
        expect(new Set(entries.map(({ key, id }) => `${key} ${id}`)).size).toBe(entries.length)
      }
  })

  it('never changes what it told while a file grows, and ends without damage', async () => {
    const random = createRandom(5)
    for (let round = 0; round < rounds; round++) {
      const records = messages(format, 6)
      const bytes = Buffer.from(records.map((record) => `${record}\n`).join(''))
      const { disk, file } = rootOf(format, Buffer.alloc(0))
      let before: readonly ReturnType<typeof told>[] = []
      for (let at = 0; at < bytes.length; ) {
        const feed = bytes.indexOf(0x0a, at)
        // In pieces; with its line feed; or up to it.
        const to = [at + 1 + random.below(90), feed + 1, feed][random.below(3)] ?? feed
        disk.add(file, bytes.subarray(at, Math.max(to, at + 1)))
        at = Math.max(to, at + 1)
        const { entries, ledger } = await read(format, disk)
        expect(ledger.damaged.length).toBe(ledger.torn ? 1 : 0)
        const now = byKey(entries)
        for (const key of new Set(before.map((one) => one.key))) {
          const was = before.filter((one) => one.key === key)
          expect(now.filter((one) => one.key === key).slice(0, was.length)).toEqual(was)
        }
        before = now
      }
      const { entries, ledger } = await read(format, disk)
      expect([ledger.damaged, ledger.torn, ledger.lines]).toEqual([[], false, 6])
      for (let n = 0; n < 6; n++)
        expect(entries.some(({ content }) => content.includes(`w${n}q`))).toBe(true)
    }
  })
})

// All of them read lines by the same code.
describe.each(drawnOf(ledgerFormats, 1))('$reader.id', (format) => {
  it('reads a line of 64 MB, one of 16 MB that is cut off, and what stands around it', async () => {
    const [one = '', huge = '', three = ''] = messages(format, 3)
    const longer = (times: number) =>
      huge.replace('w1q ', () => `w1q ${'{x]\\u00e9,'.repeat(times)}`)
    const long = longer(6_400_000)
    // What is cut off is looked through for whole records: at a fourth of the size nobody would wait for more than one look.
    for (const line of [long, longer(1_600_000).slice(0, -20)]) {
      const bytes = Buffer.from(`${one}\n${line}\n${three}\n`)
      const { entries, ledger } = await read(format, rootOf(format, bytes).disk)
      const isCut = line !== long
      expect([ledger.lines, ledger.damaged.length]).toEqual([3, isCut ? 1 : 0])
      const own = entries.filter(({ offset }) => offset > 0 && offset <= Buffer.byteLength(one) + 1)
      expect(own.some(({ content }) => content.length > 20_000_000)).toBe(!isCut)
      expect(entries.filter(({ content }) => /w[02]q/.test(content)).length).toBeGreaterThan(1)
    }
  })
})
