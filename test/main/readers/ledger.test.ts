import { isUtf8 } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/support/random'
import { unpackingDisk } from '../../../src/main/disk/unpack/unpacking-disk'
import { type ReadRoot, readRoot } from '../../../src/main/readers/read-root'
import type { Entry } from '../../../src/shared/model/conversation/entry'
import type { FileLedger } from '../../../src/shared/model/conversation/transcript'
import { type DrawnRoot, drawRoot, laidOut, nameOf, shownRoot } from '../../support/drawn-roots'
import {
  fixtureFiles,
  type LedgerFormat,
  ledgerFormats,
  type PlainLine,
  plainLines,
} from '../../support/ledger-formats'

/** Roots of all formats together. 10,000 by hand: `SKEIN_TRIALS=10000 npx vitest run test/main/readers/ledger.test.ts` */
const trials = Number(process.env.SKEIN_TRIALS ?? 1000)
const signal = new AbortController().signal

function check(drawn: DrawnRoot, root: ReadRoot): void {
  const { format, files, documents } = drawn
  expect(root.notices).toEqual([])
  const told = entriesByLine(root)
  const known = new Set<string>()
  for (const laid of files) {
    const name = nameOf(drawn, laid)
    const lines = plainLines(laid.bytes)
    const ledger = root.files.find(({ file }) => file === name)
    expect(ledger).toEqual(ledgerOf(format, name, lines))
    for (const line of lines) {
      const place = `${name} ${line.offset} ${line.bytes.length}`
      known.add(place)
      checkLine(drawn, line, told.get(place) ?? [])
    }
  }
  for (const { file, bytes } of documents) {
    const isBlank = bytes.toString('utf8').trim() === ''
    const [entryLines, blank] = isBlank ? [0, 1] : [1, 0]
    const rest = { control: 0, damaged: [], torn: false }
    const ledger = { file, unit: 'message', lines: 1, entryLines, blank, ...rest }
    expect(root.files.find((one) => one.file === file)).toEqual(ledger)
    const place = `${file} 0 ${bytes.length}`
    known.add(place)
    expect(told.get(place) ?? []).toHaveLength(entryLines)
  }
  expect(root.files).toHaveLength(files.length + documents.length)
  for (const place of told.keys()) expect(known).toContain(place)
  for (const { entries } of root.conversations) checkOrder(format, entries)
}

interface ToldEntry {
  readonly key: string
  readonly entry: Entry
}

function entriesByLine({ conversations }: ReadRoot): ReadonlyMap<string, readonly ToldEntry[]> {
  const told = new Map<string, ToldEntry[]>()
  for (const { key, entries } of conversations)
    for (const entry of entries) {
      const place = `${entry.file} ${entry.offset} ${entry.length}`
      told.set(place, [...(told.get(place) ?? []), { key, entry }])
    }
  return told
}

/** Reasons are words of the reader: those alone are taken from it. */
function ledgerOf(format: LedgerFormat, file: string, lines: readonly PlainLine[]) {
  const kinds = lines.map((line) => kindOf(format, line))
  const count = (kind: string) => kinds.filter((one) => one === kind).length
  const last = lines.at(-1)
  return {
    file,
    unit: 'line',
    lines: lines.length,
    entryLines: count('entry'),
    control: count('control'),
    blank: count('blank'),
    damaged: lines
      .filter((_, i) => kinds[i] === 'damaged')
      .map(({ number, offset, bytes }) => ({
        line: number,
        offset,
        length: bytes.length,
        reason: expect.stringMatching(/./),
        bytes: bytes.subarray(0, 4096).toString('base64'),
      })),
    torn: last?.ended === false && !last.isBlank && last.value === undefined,
  } satisfies FileLedger
}

function kindOf(format: LedgerFormat, { isBlank, value, text }: PlainLine) {
  if (isBlank) return 'blank'
  return value === undefined ? 'damaged' : format.said(value.json, text).kind
}

function checkLine(
  { format, records }: DrawnRoot,
  line: PlainLine,
  told: readonly ToldEntry[],
): void {
  const isRecovered = ({ entry }: ToldEntry) => entry.metadata?.recovered === true
  const own = format.said(line.value?.json, line.text)
  if (line.isBlank || own.kind === 'control') {
    expect(told).toEqual([])
    return
  }
  if (own.kind === 'damaged') {
    expect(told.every(isRecovered)).toBe(true)
    const glued = gluedRecords(records, line.text)
    if (glued.length > 0 && line.value === undefined) checkGlued(format, glued, told)
    return
  }
  expect(told.length).toBeGreaterThan(0)
  expect(told.some(isRecovered)).toBe(false)
  expect(new Set(told.map(({ key }) => key)).size).toBe(1)
  if (own.key !== undefined) expect(told[0]?.key).toBe(own.key)
  if (own.id !== undefined) expect(told[0]?.entry.id).toBe(own.id)
  if (own.texts !== undefined) expect(textsOf(told)).toEqual(own.texts)
  const isMarked = told.every(({ entry }) => entry.metadata?.damaged === true)
  expect(isMarked).toBe(!isUtf8(line.bytes))
}

function textsOf(told: readonly ToldEntry[]): readonly string[] {
  return told.flatMap(({ entry }) => (entry.content === '' ? [] : [entry.content])).sort()
}

/** The records that a line is, one behind the other and nothing else; none where it is anything else. */
function gluedRecords(records: readonly string[], line: string): readonly string[] {
  const found: string[] = []
  for (let rest = line.replace(/\r$/, ''); rest !== ''; ) {
    const next = records.find((record) => rest.startsWith(record))
    if (next === undefined) return []
    found.push(next)
    rest = rest.slice(next.length)
  }
  return found
}

function checkGlued(format: LedgerFormat, glued: readonly string[], told: readonly ToldEntry[]) {
  const whole = glued.map((text) => ({ text, value: JSON.parse(text) as object }))
  const said = whole
    .filter(({ value }) => format.isWhole(value))
    .map(({ value, text }) => format.said(value, text))
  const texts = said.flatMap((one) => (one.kind === 'entry' ? (one.texts ?? []) : [])).sort()
  expect(textsOf(told)).toEqual(texts)
  for (const one of said)
    if (one.kind === 'entry' && one.key !== undefined)
      expect(
        told.filter(({ key }) => key === one.key).flatMap(({ entry }) => entry.content),
      ).toEqual(expect.arrayContaining([...(one.texts ?? [])]))
}

function checkOrder({ reader }: LedgerFormat, entries: readonly Entry[]): void {
  if (reader.id !== 'chibi') expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  if (reader.id === 'voicemode') {
    // What was recovered from one line stays together.
    const times = entries.flatMap(({ id, timestamp }) =>
      id.includes('#') ? [] : (timestamp ?? []),
    )
    expect(times).toEqual([...times].sort((a, b) => a - b))
    return
  }
  let before: Entry | undefined
  const done = new Set<string>()
  for (const entry of entries) {
    if (before !== undefined && before.file !== entry.file) done.add(before.file)
    expect(done).not.toContain(entry.file)
    if (before?.file === entry.file) expect(entry.offset).toBeGreaterThanOrEqual(before.offset)
    before = entry
  }
}

describe.each(ledgerFormats)('$reader.id', (format) => {
  const count = Math.ceil(trials / ledgerFormats.length)
  const fixtures = fixtureFiles(format)

  it(`accounts for every line of ${count} randomly damaged roots, and tells what is whole in them once`, async () => {
    for (let trial = 0; trial < count; trial++) {
      const drawn = drawRoot(format, fixtures, createRandom(trial * 7919 + 1))
      const disk = unpackingDisk(laidOut(drawn, '/source'))
      try {
        check(drawn, await readRoot(format.reader, '/source', disk, signal))
      } catch (error) {
        throw new Error(shownRoot(drawn, trial), { cause: error })
      }
    }
  }, 600_000)
})
