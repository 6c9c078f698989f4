import { describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../../../bench/support/random'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { unpackingDisk } from '../../../../src/main/disk/unpack/unpacking-disk'
import { countContext, countHistory } from '../../../../src/main/library/count/count'
import { countReading } from '../../../../src/main/library/count/count-by-reading'
import { inlineCounter } from '../../../../src/main/library/count/counter'
import { type History, openHistories } from '../../../../src/main/library/sources/histories'
import { historyRows } from '../../../../src/main/library/sources/history-transcript'
import {
  openTranscripts,
  type Transcripts,
} from '../../../../src/main/library/sources/library-transcripts'
import { openStore } from '../../../../src/main/store/open-store'
import {
  type LibraryKey,
  libraryKeyOf,
} from '../../../../src/shared/model/conversation/conversation'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import {
  type PageFrom,
  rowKey,
  type TranscriptRow,
} from '../../../../src/shared/model/conversation/transcript'
import { drawRoot, laidOut, shownRoot } from '../../../support/drawn-roots'
import { fixtureFiles, type LedgerFormat, ledgerFormats } from '../../../support/ledger-formats'

/** Roots of each format. */
const trials = Math.ceil(Number(process.env.SKEIN_TRIALS ?? 160) / 4)

/** More than any drawn root has: pages that go in circles end there. */
const mostRows = 1000

interface Opened {
  readonly disk: Disk
  readonly transcripts: Transcripts
  readonly keys: readonly LibraryKey[]
}

async function open({ reader }: LedgerFormat, disk: Disk): Promise<Opened> {
  const store = openStore({ home: '/source', disk })
  const histories = openHistories(disk, [{ source: reader.id, path: '/source' }])
  const contexts = reader.id === 'chibi' ? await store.listContexts() : []
  const keys = [
    ...contexts.map(({ name }) => libraryKeyOf('chibi', name)),
    ...(await histories.list()).map(({ key }) => key),
  ]
  return { disk, keys, transcripts: openTranscripts({ disk, store, histories }) }
}

/**
 * A page does not know what only other lines tell: who answers a call of cycod's, the model and tokens of Codex, which thoughts Copilot repeats; and it does not count the lines of chibi, whose entries have ids.
 */
function comparable(row: TranscriptRow): TranscriptRow {
  if (row.type === 'damaged') return { type: 'damaged', damaged: { ...row.damaged, line: 0 } }
  const from = row.entry.entry_type === 'tool_result' ? '' : row.entry.from
  const { metadata = {}, ...entry } = row.entry
  const { model, usage, ...ofCodex } = metadata
  const { reasoning, ...ofCopilot } = metadata
  const known = { codex: ofCodex, copilot: ofCopilot }[row.entry.from] ?? metadata
  return { type: 'entry', entry: { ...entry, from, line: 0, metadata: known } }
}

async function wholeOf(
  { transcripts }: Opened,
  key: LibraryKey,
): Promise<readonly TranscriptRow[]> {
  const rows: TranscriptRow[] = []
  for await (const row of requireWhole((await transcripts.whole(key)).rows))
    rows.push(comparable(row))
  return rows
}

/** An `expect` for each of thousands of pages would cost as much as to read them. */
function checkGoesOn(
  page: readonly TranscriptRow[],
  isLast: boolean,
  all: readonly TranscriptRow[],
): void {
  if (page.length === 0 && !isLast) throw new Error('a page without rows is not the last one')
  if (all.length >= mostRows) throw new Error('pages go in circles')
}

/** Everything before a position, joined from pages. */
async function upFrom({ transcripts }: Opened, key: LibraryKey, from: PageFrom, limit: number) {
  const rows: TranscriptRow[] = []
  for (let at: PageFrom | undefined = from; at !== undefined; ) {
    const page = await transcripts.page(key, at, limit)
    rows.unshift(...page.rows.map(comparable))
    checkGoesOn(page.rows, page.before === undefined, rows)
    at = page.before === undefined ? undefined : { before: page.before }
  }
  return rows
}

async function downFrom({ transcripts }: Opened, key: LibraryKey, from: PageFrom, limit: number) {
  const rows: TranscriptRow[] = []
  for (let at: PageFrom | undefined = from; at !== undefined; ) {
    const page = await transcripts.page(key, at, limit)
    rows.push(...page.rows.map(comparable))
    checkGoesOn(page.rows, page.atEnd, rows)
    at = page.atEnd ? undefined : { after: page.after }
  }
  return rows
}

/** The page around a row, and all pages before and after it. */
async function around(opened: Opened, key: LibraryKey, row: TranscriptRow, limit: number) {
  const { file, offset } = row.type === 'entry' ? row.entry : row.damaged
  const place = { file, offset, ...(row.type === 'entry' ? { entry: row.entry.id } : {}) }
  const page = await opened.transcripts.page(key, { around: place }, limit)
  const { before, after, atEnd } = page
  return [
    ...(before === undefined ? [] : await upFrom(opened, key, { before }, limit)),
    ...page.rows.map(comparable),
    ...(atEnd ? [] : await downFrom(opened, key, { after }, limit)),
  ]
}

/** Pages of one way through a tree have rows of the whole, none twice; and some way leads through every row. */
async function checkWays(opened: Opened, key: LibraryKey, random: Random): Promise<void> {
  const whole = new Map((await wholeOf(opened, key)).map((row) => [rowKey(row), row]))
  const expectSome = (rows: readonly TranscriptRow[]) => {
    expect(new Set(rows.map(rowKey)).size).toBe(rows.length)
    expect(rows).toEqual(rows.map((row) => whole.get(rowKey(row))))
  }
  const way = await upFrom(opened, key, 'end', 500)
  expectSome(way)
  for (const limit of [1, 2, 3 + random.below(6), 500]) {
    expect(await upFrom(opened, key, 'end', limit)).toEqual(way)
    expect(await downFrom(opened, key, 'start', limit)).toEqual(way)
  }
  for (const row of whole.values()) {
    const rows = await around(opened, key, row, 1 + random.below(6))
    expectSome(rows)
    expect(rows).toContainEqual(row)
  }
}

async function checkPages(opened: Opened, key: LibraryKey, random: Random): Promise<void> {
  const whole = await wholeOf(opened, key)
  for (const limit of [1, 2, 3 + random.below(6), 500]) {
    expect(await upFrom(opened, key, 'end', limit)).toEqual(whole)
    expect(await downFrom(opened, key, 'start', limit)).toEqual(whole)
    const row = whole[random.below(whole.length)]
    if (row !== undefined) expect(await around(opened, key, row, limit)).toEqual(whole)
  }
}

async function toldBy(disk: Disk, history: History) {
  let [entries, damaged] = [0, 0]
  for await (const { type } of requireWhole(historyRows(disk, history).rows))
    if (type === 'entry') entries += 1
    else damaged += 1
  return { entries, damaged, files: history.ref.files.length }
}

describe.each(ledgerFormats)('$reader.id', (format) => {
  const fixtures = fixtureFiles(format)

  it(`joins pages from either end and from the middle to the whole, over ${trials} damaged roots`, async () => {
    for (let trial = 0; trial < trials; trial++) {
      const random = createRandom(trial * 104_729 + 5)
      const drawn = drawRoot(format, fixtures, random)
      try {
        const opened = await open(format, unpackingDisk(laidOut(drawn, '/source')))
        const check = format.reader.forkRule === undefined ? checkPages : checkWays
        for (const key of opened.keys) await check(opened, key, random)
      } catch (error) {
        throw new Error(shownRoot(drawn, trial), { cause: error })
      }
    }
  }, 600_000)

  it(`counts what a whole reading tells, over ${trials} damaged roots`, async () => {
    for (let trial = 0; trial < trials; trial++) {
      const drawn = drawRoot(format, fixtures, createRandom(trial * 15_485_863 + 3))
      const disk = unpackingDisk(laidOut(drawn, '/source'))
      const counter = inlineCounter(disk)
      try {
        // What is new in lines has tests of its own: a reading does not ask for it.
        if (format.reader.id === 'chibi') {
          const store = openStore({ home: '/source', disk })
          for (const listing of await store.listContexts()) {
            const { drift: _, ...count } = await countContext(counter, store, listing)
            expect(count).toEqual(await countReading(await store.readWhole(listing.name)))
          }
        }
        const roots = [{ source: format.reader.id, path: '/source' }]
        for (const history of await openHistories(disk, roots).list()) {
          const { drift: _, ...count } = await countHistory(counter, disk, history)
          expect(count).toMatchObject(await toldBy(disk, history))
          const isAlone = history.ref.files.every(({ lineKey }) => lineKey === undefined)
          if (format.reader.accounts === undefined && isAlone)
            expect(count).toEqual(await countReading(historyRows(disk, history)))
        }
      } catch (error) {
        throw new Error(shownRoot(drawn, trial), { cause: error })
      }
    }
  }, 600_000)
})
