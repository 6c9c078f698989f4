import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTranscriptStore } from '../../../../src/renderer/state/transcript/transcript'
import type { Api } from '../../../../src/shared/ipc/contract'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import {
  Cursor,
  type PageFrom,
  type TranscriptPage,
  type TranscriptRow,
} from '../../../../src/shared/model/conversation/transcript'

const key = LibraryKey.parse('garden')
const rowBytes = 100

function rowAt(index: number): TranscriptRow {
  const place = { file: 'a', offset: index * rowBytes, length: rowBytes, line: index + 1 }
  return { type: 'damaged', damaged: { ...place, reason: 'drawn', bytes: '' } }
}

/** The numbers of rows, which tell their places in the whole. */
const numbersOf = (rows: readonly TranscriptRow[]) =>
  rows.map((row) => (row.type === 'damaged' ? row.damaged.offset / rowBytes : Number.NaN))

interface Waiting {
  readonly from: PageFrom
  answer(): void
  refuse(): void
}

/** A conversation of numbered rows, whose pages are read when they are asked for, and come when a test says so. */
async function heldConversation(initial: number) {
  let count = initial
  const waiting: Waiting[] = []
  function range(from: PageFrom, limit: number): readonly [number, number] {
    if (from === 'start') return [0, limit]
    if (from === 'end') return [count - limit, count]
    if ('before' in from) return [Number(from.before) - limit, Number(from.before)]
    if ('after' in from) return [Number(from.after), Number(from.after) + limit]
    if ('around' in from) throw new Error('not asked for here')
    const middle = Math.min(count, Math.ceil(from.near / rowBytes))
    return [middle - limit / 2, middle + limit / 2]
  }
  function pageFrom(from: PageFrom, limit: number): TranscriptPage {
    const [first, last] = range(from, limit)
    const start = Math.min(count, Math.max(0, first))
    const end = Math.min(count, last)
    return {
      rows: Array.from({ length: end - start }, (_, at) => rowAt(start + at)),
      ...(start > 0 ? { before: Cursor.parse(String(start)) } : {}),
      after: Cursor.parse(String(end)),
      atEnd: end === count,
      totalBytes: count * rowBytes,
      bytesBefore: start * rowBytes,
    }
  }
  const transcript = {
    page: ({ from, limit }: { readonly from: PageFrom; readonly limit: number }) => {
      const page = pageFrom(from, limit)
      return new Promise<TranscriptPage>((resolve, reject) =>
        waiting.push({
          from,
          answer: () => resolve(page),
          refuse: () => reject(new Error('the disk does not answer')),
        }),
      )
    },
    watch: async () => undefined,
  }
  const store = createTranscriptStore({ transcript } as unknown as Api)
  const pending: { readonly asked: Waiting; readonly done: Promise<void> }[] = []
  const { getState } = store

  /** Starts an action; its request, where it has one, waits. */
  function start(action: () => Promise<void>): void {
    const done = action()
    const asked = waiting.pop()
    if (asked !== undefined) pending.push({ asked, done })
  }
  async function end(index: number, isRefused = false): Promise<void> {
    const [one] = pending.splice(index, 1)
    if (isRefused) one?.asked.refuse()
    else one?.asked.answer()
    await one?.done
  }
  start(() => getState().open(key))
  await end(0)
  return {
    state: getState,
    pending,
    start,
    end,
    append(more: number) {
      const rows = Array.from({ length: more }, (_, at) => rowAt(count + at))
      count += more
      getState().foldAppended({ key, rows, after: Cursor.parse(String(count)) })
    },
    numbers: () => numbersOf(getState().run.rows),
    count: () => count,
  }
}

type Held = Awaited<ReturnType<typeof heldConversation>>

function expectPartOfWhole({ state, numbers, count }: Held): void {
  const { run } = state()
  const found = numbers()
  const first = found[0] ?? 0
  expect(found).toEqual(Array.from({ length: found.length }, (_, at) => first + at))
  if (run.pages[0]?.before === undefined) expect(first).toBe(0)
  if (run.atEnd) expect(found.at(-1)).toBe(count() - 1)
}

const expectAtRest = ({ state }: Held) =>
  expect([state().before.type, state().after.type]).toEqual(['rest', 'rest'])

it('joins no page to rows that took the place of those it was asked for', async () => {
  const held = await heldConversation(1310)
  held.start(() => held.state().goNear(60_000, () => true))
  await held.end(0)
  held.start(() => held.state().goToStart())
  held.start(() => held.state().loadAfter())
  await held.end(0)
  await held.end(0)
  expectPartOfWhole(held)
  expect(held.numbers().length).toBe(120)
  expectAtRest(held)
})

it('adds a page once where a place was asked for and is not wanted any more', async () => {
  const held = await heldConversation(2000)
  held.start(() => held.state().goToStart())
  await held.end(0)
  held.start(() => held.state().goNear(150_000, () => false))
  held.start(() => held.state().loadAfter())
  await held.end(0)
  held.start(() => held.state().loadAfter())
  while (held.pending.length > 0) await held.end(0)
  expectPartOfWhole(held)
  expect(held.numbers().length).toBe(370)
  expectAtRest(held)
})

it('goes on below after a place that could not be read', async () => {
  const held = await heldConversation(2000)
  held.start(() => held.state().goToStart())
  await held.end(0)
  held.start(() => held.state().loadAfter())
  held.start(() => held.state().goNear(150_000, () => true))
  await held.end(0)
  await held.end(0, true)
  expect([held.state().before.type, held.state().after.type]).toEqual(['failed', 'rest'])
  expect(held.numbers().length).toBe(370)
})

it('says nothing of a place that could not be read after another was asked for', async () => {
  const held = await heldConversation(2000)
  held.start(() => held.state().goNear(100_000, () => true))
  held.start(() => held.state().goToStart())
  await held.end(1)
  await held.end(0, true)
  expectAtRest(held)
  expect(held.numbers()[0]).toBe(0)
})

it('leaves no gap where the rows are so many that a page at the other end is let go', async () => {
  const held = await heldConversation(9000)
  held.start(() => held.state().goNear(450_000, () => true))
  await held.end(0)
  while (held.numbers().length < 5800) {
    held.start(() => held.state().loadBefore())
    if (held.pending.length === 0) held.start(() => held.state().loadAfter())
    await held.end(0)
  }
  held.start(() => held.state().loadAfter())
  await held.end(0)
  for (const isAfterFirst of [true, false]) {
    const last = held.numbers().at(-1)
    held.start(() => held.state().loadBefore())
    held.start(() => held.state().loadAfter())
    await held.end(isAfterFirst ? held.pending.length - 1 : 0)
    while (held.pending.length > 0) await held.end(0)
    expect(held.numbers().at(-1)).not.toBe(last)
    expectPartOfWhole(held)
    expectAtRest(held)
  }
})

it('keeps what is appended while another place and a page are on their way', async () => {
  const held = await heldConversation(1000)
  held.start(() => held.state().goNear(40_000, () => true))
  await held.end(0)
  held.start(() => held.state().goNear(100_000, () => true))
  held.append(3)
  held.start(() => held.state().loadAfter())
  await held.end(0)
  held.append(1)
  expectPartOfWhole(held)
  expect(held.numbers().at(-1)).toBe(1003)
})

const step = fc.oneof(
  fc.constantFrom('before', 'after', 'start', 'end').map((type) => ({ type })),
  fc.record({
    type: fc.constant('near' as const),
    bytes: fc.nat(150_000),
    isWanted: fc.boolean(),
  }),
  fc.record({ type: fc.constant('append' as const), more: fc.integer({ min: 1, max: 5 }) }),
  fc.record({
    type: fc.constant('come' as const),
    which: fc.nat(7),
    isRefused: fc.integer({ min: 0, max: 4 }).map((drawn) => drawn === 0),
  }),
  fc.record({
    type: fc.constant('come' as const),
    which: fc.nat(7),
    isRefused: fc.constant(false),
  }),
)

it('shows a part of the whole without gaps, each row once, in whatever order the pages come', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const held = await heldConversation(1310)
      for (const one of steps) {
        const { loadBefore, loadAfter, goToStart, goToEnd, goNear } = held.state()
        if ('bytes' in one) held.start(() => goNear(one.bytes, () => one.isWanted))
        else if ('more' in one) held.append(one.more)
        else if ('which' in one) {
          if (held.pending.length > 0)
            await held.end(one.which % held.pending.length, one.isRefused)
        } else if (one.type === 'before') held.start(loadBefore)
        else if (one.type === 'after') held.start(loadAfter)
        else if (one.type === 'start') held.start(goToStart)
        else held.start(goToEnd)
        expectPartOfWhole(held)
      }
      while (held.pending.length > 0) await held.end(0)
      expectPartOfWhole(held)
      expect([held.state().before.type, held.state().after.type]).not.toContain('loading')
    }),
    { numRuns: 300 },
  )
})
