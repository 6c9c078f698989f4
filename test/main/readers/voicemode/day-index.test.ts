import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { unpackingDisk } from '../../../../src/main/disk/unpack/unpacking-disk'
import type {
  LookElsewhere,
  SourceFact,
  SourceRef,
} from '../../../../src/main/readers/common/reader'
import { voicemodeReader } from '../../../../src/main/readers/voicemode/voicemode'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const midnight = path.join(
  __dirname,
  '../../../fixtures/readers/voicemode/midnight/logs/conversations',
)
const signal = new AbortController().signal

/** A disk of which nothing is remembered. */
const freshDisk = (): Disk => ({ ...nodeDisk })

async function listed(
  root: string,
  disk = freshDisk(),
  elsewhere?: LookElsewhere,
): Promise<readonly SourceRef[]> {
  const refs: SourceRef[] = []
  for await (const ref of voicemodeReader.list(root, disk, signal, elsewhere)) refs.push(ref)
  return refs
}

/** Looks as another thread does: what it gives is a copy. */
const beside: LookElsewhere = async (_source, files, aborted) =>
  structuredClone(await voicemodeReader.lookInto?.(files, freshDisk(), aborted))

async function factsOf(ref: SourceRef, disk = freshDisk()): Promise<readonly SourceFact[]> {
  const facts: SourceFact[] = []
  for await (const fact of requireWhole(voicemodeReader.read(ref, disk, signal))) facts.push(fact)
  return facts
}

/** A line of a day file, and what is true of it. */
interface Line {
  readonly text: string
  readonly kind: 'entry' | 'blank' | 'damaged'
  /** The ids of the records in it, in their order. */
  readonly ids: readonly string[]
}

const ids = ['conv_20250901_080000_aaaaaa', 'conv_20250901_080000_bbbbbb', 'ü "quoted" \\', 'c']

const record = fc
  .record({
    id: fc.constantFrom(...ids),
    minute: fc.integer({ min: 0, max: 59 }),
    shape: fc.constantFrom('usual', 'compact', 'turned', 'old', 'echo'),
    text: fc.string({ unit: 'binary', maxLength: 40 }),
  })
  .map(({ id, minute, shape, text }): Line => {
    const timestamp = `2025-09-01T08:${String(minute).padStart(2, '0')}:00+02:00`
    const spaced = (value: object) =>
      `{${Object.entries(value)
        .map(([key, of]) => `${JSON.stringify(key)}: ${JSON.stringify(of)}`)
        .join(', ')}}`
    const line = { version: 3, timestamp, conversation_id: id, type: 'stt', text }
    const { version, ...old } = line
    const written = {
      usual: spaced(line),
      compact: JSON.stringify(line),
      turned: spaced({ text, conversation_id: id, version, timestamp, type: 'tts' }),
      old: spaced(old),
      // Another id inside it is none of a line.
      echo: spaced({ ...line, metadata: { conversation_id: 'inner', timestamp } }),
    }[shape]
    return { text: written, kind: 'entry', ids: [id] }
  })

const anyLine: fc.Arbitrary<Line> = fc.oneof(
  { weight: 8, arbitrary: record },
  record.map((line) => ({ ...line, text: `${line.text}\r` })),
  fc.constantFrom('', ' ', '\t\r').map((text): Line => ({ text, kind: 'blank', ids: [] })),
  fc
    .constantFrom('noise', '{', '[1]', '\0\0')
    .map((text): Line => ({ text, kind: 'damaged', ids: [] })),
  fc.tuple(record, fc.integer({ min: 1, max: 300 })).map(([{ text }, cut]): Line => {
    return { text: text.slice(0, Math.min(cut, text.length - 1)), kind: 'damaged', ids: [] }
  }),
  fc.tuple(record, fc.integer({ min: 1, max: 300 }), record).map(([torn, cut, whole]): Line => {
    const text = torn.text.slice(0, Math.min(cut, torn.text.length - 1)) + whole.text
    return { text, kind: 'damaged', ids: whole.ids }
  }),
  fc.tuple(record, fc.constantFrom('', ' ', 'x'), record).map(([one, between, two]): Line => {
    const text = `${one.text}${between}${two.text}`
    return { text, kind: 'damaged', ids: [...one.ids, ...two.ids] }
  }),
)

const anyDay = fc.record({
  lines: fc.array(anyLine, { minLength: 1, maxLength: 14 }),
  ended: fc.boolean(),
})
type Day = typeof anyDay extends fc.Arbitrary<infer T> ? T : never

/** As bytes; a last line of nothing is none. */
const bytesOf = ({ lines, ended }: Day) =>
  Buffer.from(lines.map(({ text }) => text).join('\n') + (ended ? '\n' : ''))

function write(days: readonly Day[]): string {
  const root = temp()
  for (const [at, day] of days.entries())
    fs.writeFileSync(path.join(root, `exchanges_2025-09-0${at + 1}.jsonl`), bytesOf(day))
  return root
}

/** Every line where it stands, without a reader's help. */
function placed(days: readonly Day[]) {
  return days.flatMap(({ lines, ended }, at) => {
    let offset = 0
    return lines.flatMap((line, i) => {
      const length = Buffer.byteLength(line.text)
      const place = { file: `exchanges_2025-09-0${at + 1}.jsonl`, line: i + 1, offset, length }
      offset += length + 1
      const isNone = length === 0 && i === lines.length - 1 && !ended
      return isNone ? [] : [{ ...line, place }]
    })
  })
}

const nameOf = ({ file, offset }: { readonly file: string; readonly offset: number }) =>
  `${file}:${offset}`

describe('over random days of several conversations', () => {
  it('tells each record once, of its own conversation, and each other line at least once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyDay, { minLength: 1, maxLength: 3 }), async (days) => {
        const root = write(days)
        const lines = placed(days)
        const told: { record: string; id: string }[] = []
        const others = new Set<string>()
        for (const ref of await listed(root)) {
          const facts = await factsOf(ref)
          const entries = facts.flatMap((fact) => (fact.type === 'entry' ? [fact.entry] : []))
          told.push(...entries.map((entry) => ({ record: nameOf(entry), id: ref.key })))
          const times = entries.map(({ timestamp }) => timestamp ?? 0)
          const recovered = entries.some(({ metadata }) => metadata?.recovered === true)
          // Those that share a line stay together.
          if (!recovered) expect(times).toEqual(times.slice().sort((a, b) => a - b))
          expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
          for (const fact of facts) {
            if (fact.type === 'damaged') others.add(nameOf(fact.damaged))
            if (fact.type === 'blank') others.add(nameOf(fact.place))
          }
        }
        const expected = lines.flatMap((line) =>
          line.ids.map((id) => ({ record: nameOf(line.place), id })),
        )
        const sorted = (all: typeof told) => all.map(({ record, id }) => `${record} ${id}`).sort()
        expect(sorted(told)).toEqual(sorted(expected))
        const inhabited = new Set(
          lines.flatMap((line) => (line.ids.length > 0 ? [line.place.file] : [])),
        )
        for (const { kind, place } of lines)
          if (kind !== 'entry' && inhabited.has(place.file))
            expect(others, nameOf(place)).toContain(nameOf(place))
      }),
      { numRuns: 150 },
    )
  })

  it('has ledgers that add up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyDay, { minLength: 1, maxLength: 3 }), async (days) => {
        const root = write(days)
        const told: unknown[] = []
        const accounts = voicemodeReader.accounts?.(root, freshDisk(), signal)
        if (accounts === undefined) throw new Error('it has accounts')
        for await (const fact of requireWhole(accounts)) {
          if (fact.type !== 'file') throw new Error('every file can be read')
          const { file, lines, entryLines, control, blank, damaged } = fact.ledger
          expect(lines).toBe(entryLines + control + blank + damaged.length)
          told.push({ file, entryLines, blank, damaged: damaged.length })
        }
        const lines = placed(days)
        expect(told).toEqual(
          days.map((_, at) => {
            const file = `exchanges_2025-09-0${at + 1}.jsonl`
            const count = (kind: Line['kind']) =>
              lines.filter((line) => line.kind === kind && line.place.file === file).length
            return {
              file,
              entryLines: count('entry'),
              blank: count('blank'),
              damaged: count('damaged'),
            }
          }),
        )
      }),
      { numRuns: 100 },
    )
  })

  it('lists parts that hold every line of a conversation, and counts its own bytes', async () => {
    await fc.assert(
      fc.asyncProperty(anyDay, async (day) => {
        // Lines that are damaged may be somebody's by their beginning alone: nothing is claimed of their bytes.
        const whole = { ...day, lines: day.lines.filter(({ kind }) => kind !== 'damaged') }
        const root = write([whole])
        const refs = await listed(root)
        for (const { key, bytes, files } of refs) {
          const own = placed([whole]).filter((line) => line.ids.includes(key))
          const [file] = files
          const part = file?.part ?? { offset: -1, line: -1, end: -1 }
          const ends = own.map(({ place }) => place.offset + place.length)
          const size = bytesOf(whole).length
          expect(bytes).toBe(
            ends.reduce(
              (sum, end, i) => sum + Math.min(end + 1, size) - (own[i]?.place.offset ?? 0),
              0,
            ),
          )
          expect(part.offset).toBeLessThanOrEqual(own[0]?.place.offset ?? -1)
          expect(part.end).toBeGreaterThanOrEqual(Math.max(...ends))
          const before = bytesOf(whole).subarray(0, part.offset).toString()
          expect(part.line).toBe(before.split('\n').length)
          expect(before === '' || before.endsWith('\n')).toBe(true)
        }
        const keys = new Set(whole.lines.flatMap((line) => line.ids))
        expect(refs.map(({ key }) => key)).toEqual([...keys])
      }),
      { numRuns: 200 },
    )
  })

  it('knows of a file that grew what a first look tells', async () => {
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(anyDay, cuts, async (day, shares) => {
        const root = temp()
        const file = path.join(root, 'exchanges_2025-09-01.jsonl')
        const bytes = bytesOf(day)
        const disk = freshDisk()
        const ends = shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b)
        let written = 0
        for (const end of [...ends, bytes.length]) {
          fs.appendFileSync(file, bytes.subarray(written, end))
          written = end
          const refs = await listed(root, disk)
          expect(refs).toEqual(await listed(root))
          for (const ref of refs)
            expect(await voicemodeReader.lastTime?.(ref, disk, signal)).toBe(
              await voicemodeReader.lastTime?.(ref, freshDisk(), signal),
            )
        }
      }),
      { numRuns: 80 },
    )
  })

  it('goes on from what another thread has found, as from what it found itself', async () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    await fc.assert(
      fc.asyncProperty(anyDay, share, async (day, cut) => {
        const root = temp()
        const file = path.join(root, 'exchanges_2025-09-01.jsonl')
        const bytes = bytesOf(day)
        const disk = freshDisk()
        const end = Math.floor(cut * bytes.length)
        fs.writeFileSync(file, bytes.subarray(0, end))
        expect(await listed(root, disk, beside)).toEqual(await listed(root))
        fs.appendFileSync(file, bytes.subarray(end))
        expect(await listed(root, disk, beside)).toEqual(await listed(root))
      }),
      { numRuns: 100 },
    )
  })

  it('says when the last of it was said, as a whole reading does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyDay, { minLength: 1, maxLength: 3 }), async (days) => {
        // An unfinished line has said nothing yet, and a damaged one says no time.
        const sound = days.map((day) => ({
          ended: true,
          lines: day.lines.filter(({ kind }) => kind !== 'damaged'),
        }))
        for (const ref of await listed(write(sound))) {
          const facts = await factsOf(ref)
          const times = facts.flatMap((fact) =>
            fact.type === 'entry' ? [fact.entry.timestamp ?? 0] : [],
          )
          expect(await voicemodeReader.lastTime?.(ref, freshDisk(), signal)).toBe(
            Math.max(...times),
          )
          const [first] = facts
          expect(first?.type === 'conversation' && first.conversation.createdAt).toBe(
            Math.min(...times),
          )
        }
      }),
      { numRuns: 100 },
    )
  })
})

const line = (id: string, text: string) =>
  `${JSON.stringify({ version: 3, timestamp: '2025-09-01T08:00:00Z', conversation_id: id, type: 'stt', text })}\n`

it('looks at a file anew that was written anew, also where it is longer', async () => {
  const root = temp()
  const file = path.join(root, 'exchanges_2025-09-01.jsonl')
  const disk = freshDisk()
  fs.writeFileSync(file, line('old', 'a'))
  expect((await listed(root, disk)).map(({ key }) => key)).toEqual(['old'])
  fs.writeFileSync(file, line('new', 'longer than before') + line('other', 'b'))
  expect((await listed(root, disk)).map(({ key }) => key)).toEqual(['new', 'other'])
})

it('reads a file that did not change once', async () => {
  const root = temp()
  fs.writeFileSync(path.join(root, 'exchanges_2025-09-01.jsonl'), line('a', 'x'))
  let opened = 0
  const disk = {
    ...nodeDisk,
    open: (file: string, mode: 'read' | 'append' | 'create-new') => {
      opened += 1
      return nodeDisk.open(file, mode)
    },
  }
  const first = await listed(root, disk)
  expect(await listed(root, disk)).toEqual(first)
  expect(opened).toBe(1)
})

it('reads nothing of what another thread has read, and itself what that could not read', async () => {
  const root = temp()
  for (const day of ['01', '02', '03'])
    fs.writeFileSync(path.join(root, `exchanges_2025-09-${day}.jsonl`), line(day, 'x'))
  const opened: string[] = []
  const disk = {
    ...nodeDisk,
    open: (file: string, mode: 'read' | 'append' | 'create-new') => {
      opened.push(path.basename(file))
      return nodeDisk.open(file, mode)
    },
  }
  const halfBlind: LookElsewhere = async (source, files, aborted) =>
    (await beside(source, files, aborted))?.map((found, at) => (at === 1 ? undefined : found))
  expect(await listed(root, disk, halfBlind)).toEqual(await listed(root))
  expect(opened).toEqual(['exchanges_2025-09-02.jsonl'])
  const none: LookElsewhere = async () => undefined
  expect(await listed(root, freshDisk(), none)).toEqual(await listed(root))
})

it('finds its way over lines that are longer than what is read at once', async () => {
  const root = temp()
  const long = 'x'.repeat(3 * 1024 * 1024)
  const text = [line('a', 'first'), line('b', long), line('a', long), line('b', 'last').trimEnd()]
  fs.writeFileSync(path.join(root, 'exchanges_2025-09-01.jsonl'), text.join(''))
  const refs = await listed(root)
  const told = await Promise.all(refs.map(async (ref) => factsOf(ref)))
  const lengths = told.map((facts) =>
    facts.flatMap((fact) =>
      fact.type === 'entry' ? [[fact.entry.line, fact.entry.content.length]] : [],
    ),
  )
  expect(lengths).toEqual([
    [
      [1, 5],
      [3, long.length],
    ],
    [
      [2, long.length],
      [4, 4],
    ],
  ])
})

it('takes an unfinished line for one of the conversation that its beginning names', async () => {
  const root = temp()
  const text = line('a', 'x') + line('b', 'y').slice(0, -8)
  fs.writeFileSync(path.join(root, 'exchanges_2025-09-01.jsonl'), text)
  const refs = await listed(root)
  const told = await Promise.all(
    refs.map(async (ref) => [ref.key, (await factsOf(ref)).map(({ type }) => type)]),
  )
  expect(told).toEqual([
    ['a', ['conversation', 'entry']],
    ['b', ['conversation', 'damaged']],
  ])
})

it('orders the files of a conversation by what was said first in each, then by name', async () => {
  const root = temp()
  const at = (timestamp: string) =>
    `${JSON.stringify({ version: 3, timestamp, conversation_id: 'a', type: 'stt', text: timestamp })}\n`
  const files = {
    '01': at('2025-09-01T23:00:00Z'),
    '02': at('no time'),
    '03': at('2025-09-01T22:00:00Z') + at('2025-09-03T00:00:00Z'),
    '04': at('2025-09-01T23:00:00Z'),
  }
  for (const [day, text] of Object.entries(files))
    fs.writeFileSync(path.join(root, `exchanges_2025-09-${day}.jsonl`), text)
  const [ref] = await listed(root)
  expect(ref?.files.map(({ file }) => file.slice(-8, -6))).toEqual(['03', '01', '02', '04'])
  expect(ref?.updatedAtMs).toBe(Date.UTC(2025, 8, 3))
})

it('reads packed days as what they hold', async () => {
  const packed = temp()
  const root = temp()
  for (const name of ['28', '29']) {
    const file = `exchanges_2026-03-${name}.jsonl`
    const bytes = fs.readFileSync(path.join(midnight, file))
    fs.writeFileSync(path.join(packed, `${file}.gz`), gzipSync(bytes))
    fs.writeFileSync(path.join(root, file), bytes)
  }
  const told = async (folder: string, disk: Disk) => {
    const facts = await Promise.all((await listed(folder, disk)).map((ref) => factsOf(ref, disk)))
    return JSON.stringify(facts).replaceAll('.jsonl.gz', '.jsonl')
  }
  expect(await told(packed, unpackingDisk(nodeDisk))).toBe(await told(root, nodeDisk))
})
