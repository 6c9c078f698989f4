import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../src/main/disk/app-disk'
import type { HistoryReader, SourceFact, SourceRef } from '../../../src/main/readers/common/reader'
import { historyDisk } from '../../../src/main/readers/history-disk'
import { readers } from '../../../src/main/readers/index'
import { parseRecordPath } from '../../../src/main/records/interface/record-format'
import { AppError } from '../../../src/shared/model/basics/errors'
import { allowGaps, requireWhole } from '../../../src/shared/model/conversation/reading'
import { drawnOf, numbersBetween, tryEach } from '../../support/drawn'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const fixtures = path.join(__dirname, '../../fixtures/readers')
const temp = tempFolders(memoryFolder)
/** So many places of a cut are tried besides the first and the last one. */
const cuts = 14
const disk = historyDisk(appDisk)
const signal = new AbortController().signal

/** The root that a fixture is read from: a folder `input`, or a folder that holds the file `input.*`. */
function rootOf(reader: HistoryReader): string {
  const folder = path.join(fixtures, reader.id)
  const input = path.join(folder, 'input')
  return fs.existsSync(input) ? input : folder
}

async function factsOf(reader: HistoryReader, root: string): Promise<SourceFact[]> {
  const facts: SourceFact[] = []
  for await (const ref of reader.list(root, disk, signal))
    for await (const fact of requireWhole(reader.read(ref, disk, signal))) facts.push(fact)
  const accounts = reader.accounts?.(root, disk, signal)
  if (accounts !== undefined) for await (const fact of requireWhole(accounts)) facts.push(fact)
  return facts
}

/** Of a document that is written anew each time half may be there: what is whole in it is told, and more the more there is. */
async function tellsMoreAndMore(reader: HistoryReader, root: string, document: string) {
  const file = path.join(root, document)
  const bytes = fs.readFileSync(file)
  const textsAt = async (end: number) => {
    fs.writeFileSync(file, bytes.subarray(0, end))
    const texts: string[] = []
    for await (const ref of reader.list(root, disk, signal))
      for await (const fact of allowGaps(reader.read(ref, disk, signal), () => undefined))
        if (fact.type === 'entry') texts.push(fact.entry.content)
    return texts.sort()
  }
  const whole = await textsAt(bytes.length)
  let before = 0
  await tryEach(drawnOf(numbersBetween(0, bytes.length, 7), cuts), async (end) => {
    const texts = await textsAt(end)
    expect(whole).toEqual(expect.arrayContaining(texts))
    expect(texts.length).toBeGreaterThanOrEqual(before)
    before = texts.length
  })
}

/** The entries that are told of a root as far as it can be read; what cannot is reported, and nothing else is thrown. */
async function toldOf(reader: HistoryReader, root: string) {
  const told: (SourceFact & { readonly type: 'entry' })[] = []
  const refs: SourceRef[] = []
  const whileReadable = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  await whileReadable(async () => {
    for await (const ref of reader.list(root, disk, signal)) refs.push(ref)
  })
  for (const ref of refs)
    await whileReadable(async () => {
      for await (const fact of allowGaps(reader.read(ref, disk, signal), () => undefined))
        if (fact.type === 'entry') told.push(fact)
    })
  return told
}

function nameOf({
  entry: { entry_type, content, timestamp },
}: SourceFact & { readonly type: 'entry' }) {
  return `${timestamp} ${entry_type} ${content}`
}

const entriesOf = (facts: readonly SourceFact[]) => facts.filter((fact) => fact.type === 'entry')

it('every reader has a fixture, and every fixture a reader', () => {
  const named = readers.map((reader) => reader.id).sort()
  expect(fs.readdirSync(fixtures).sort()).toEqual(named)
})

describe.each(readers)('$id', (reader) => {
  it('tells its fixture as expected.jsonl does', async () => {
    const root = rootOf(reader)
    // A project is told by its folder, where nothing but that folder names it.
    const here = JSON.stringify(root).slice(1, -1)
    const told = JSON.stringify(await factsOf(reader, root)).replaceAll(here, '')
    const facts: unknown = JSON.parse(told)
    const expected = fs.readFileSync(path.join(fixtures, reader.id, 'expected.jsonl'), 'utf8')
    expect(facts).toEqual(
      expected
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
  })

  it('accounts for every line of every file', async () => {
    const facts = await factsOf(reader, rootOf(reader))
    const files = facts.filter((fact) => fact.type === 'file')
    expect(files.length).toBeGreaterThan(0)
    for (const { ledger } of files) {
      const { lines, entryLines, control, blank, damaged } = ledger
      expect(lines).toBe(entryLines + control + blank + damaged.length)
      // A blank line between those of two conversations in one file is told of both.
      const of = (type: 'control' | 'blank') =>
        new Set(
          facts.flatMap((fact) =>
            fact.type === type && fact.place.file === ledger.file ? [fact.place.offset] : [],
          ),
        ).size
      expect([of('control'), of('blank')]).toEqual([control, blank])
    }
  })

  /** Of an export; the documents of other systems are cut in their own tests. */
  const document = fs.readdirSync(rootOf(reader)).findLast((one) => /^conv.*\.json$/.test(one))
  const isOfRecords = reader.recordFormat !== undefined && document !== undefined
  const databases = fs
    .readdirSync(rootOf(reader), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:db|vscdb)(?:-wal)?$/.test(name))
  // A text has no records that could be cut; see `aider.test.ts`.
  const isOfText = reader.id === 'aider'

  it.skipIf(isOfRecords || isOfText)(
    'tells the same entries before the last line, wherever that is cut',
    async () => {
      const root = path.join(temp(), 'root')
      fs.cpSync(rootOf(reader), root, { recursive: true })
      const whole = entriesOf(await factsOf(reader, root))
      const last = whole.at(-1)
      if (last?.type !== 'entry') throw new Error('the fixture has no entry')
      const { file, offset, length } = last.entry
      const document = parseRecordPath(file)?.container
      // No end of a database's file is the end of a conversation.
      if (databases.some((name) => path.basename(name) === path.basename(document ?? ''))) return
      if (document !== undefined) return tellsMoreAndMore(reader, root, document)
      const bytes = fs.readFileSync(path.join(root, file))
      // One byte before its end it may look whole.
      const kindOf = (end: number) => end === offset + length - 1
      const ends = drawnOf(numbersBetween(offset, offset + length), cuts, kindOf)
      await tryEach(ends, async (end) => {
        fs.writeFileSync(path.join(root, file), bytes.subarray(0, end))
        const facts = await factsOf(reader, root)
        expect(entriesOf(facts)).toEqual(end < offset + length ? whole.slice(0, -1) : whole)
        const torn = facts.find((fact) => fact.type === 'file' && fact.ledger.file === file)
        expect(torn?.type === 'file' && torn.ledger.torn).toBe(
          end > offset && end < offset + length,
        )
      })
    },
  )

  it.skipIf(databases.length === 0)(
    'tells nothing but entries of its fixture, wherever a database or its log is cut',
    async () => {
      const root = path.join(temp(), 'root')
      fs.cpSync(rootOf(reader), root, { recursive: true })
      const whole = new Set((await toldOf(reader, root)).map(nameOf))
      for (const name of databases) {
        const file = path.join(root, name)
        const bytes = fs.readFileSync(file)
        await tryEach(drawnOf(numbersBetween(0, bytes.length - 1, 997), cuts), async (end) => {
          fs.writeFileSync(file, bytes.subarray(0, end))
          fs.utimesSync(file, 1_790_000_000, 1_790_000_000)
          const told = (await toldOf(reader, root)).map(nameOf)
          expect(told.filter((one) => !whole.has(one))).toEqual([])
        })
        fs.writeFileSync(file, bytes)
      }
      expect(new Set((await toldOf(reader, root)).map(nameOf))).toEqual(whole)
    },
  )

  it.skipIf(!isOfRecords)(
    'tells more and more of the same entries, the longer a document is',
    async () => {
      const name = document ?? ''
      const bytes = fs.readFileSync(path.join(rootOf(reader), name))
      const file = path.join(temp(), name)
      // Places tell where the document ends.
      const told = async () => {
        const texts: string[] = []
        const refs: SourceRef[] = []
        let isTorn = false
        try {
          for await (const ref of reader.list(file, disk, signal)) refs.push(ref)
        } catch (error) {
          if (!(error instanceof AppError && error.code === 'unreadable')) throw error
          isTorn = true
        }
        for (const ref of refs) {
          isTorn ||= ref.unread !== undefined
          const reading = reader.read(ref, disk, signal)
          for await (const fact of allowGaps(reading, () => undefined))
            if (fact.type === 'entry') texts.push(`${fact.entry.timestamp} ${fact.entry.content}`)
        }
        return { texts: texts.sort(), isTorn }
      }
      fs.writeFileSync(file, bytes)
      const whole = await told()
      let before = 0
      await tryEach(drawnOf(numbersBetween(0, bytes.length, 7), cuts), async (end) => {
        fs.writeFileSync(file, bytes.subarray(0, end))
        const { texts } = await told()
        expect(whole.texts).toEqual(expect.arrayContaining(texts))
        expect(texts.length).toBeGreaterThanOrEqual(before)
        before = texts.length
      })
      expect(whole.isTorn).toBe(false)
    },
  )

  it('changes nothing under the root', async () => {
    const root = path.join(temp(), 'root')
    fs.cpSync(rootOf(reader), root, { recursive: true })
    const snapshot = () =>
      fs
        .readdirSync(root, { recursive: true, encoding: 'utf8' })
        .sort()
        .map((name) => {
          const stat = fs.statSync(path.join(root, name))
          const bytes = stat.isFile() ? fs.readFileSync(path.join(root, name), 'base64') : ''
          return [name, stat.mtimeMs, bytes]
        })
    const before = snapshot()
    await factsOf(reader, root)
    expect(snapshot()).toEqual(before)
  })
})
