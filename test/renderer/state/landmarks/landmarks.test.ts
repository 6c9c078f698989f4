import { expect, it } from 'vitest'
import { createLandmarksStore } from '../../../../src/renderer/state/landmarks/landmarks'
import type { Api } from '../../../../src/shared/ipc/contract'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type {
  Landmark,
  LandmarkSlice,
  NumberedPlace,
} from '../../../../src/shared/model/landmarks/landmarks'

const place = (number: number): NumberedPlace => ({
  number,
  file: 'f',
  offset: number,
  at: null,
  bytes: 0,
})
const prompt = (number: number): Landmark => ({
  ...place(number),
  kind: 'prompt',
  words: `${number}`,
})

function slice(from: number, numbers: readonly number[], more: Partial<LandmarkSlice> = {}) {
  const landmarks = numbers.map(prompt)
  return { reading: 'r', from, landmarks, entries: 9, part: 1, isLast: true, ...more }
}

/** A store over answers that a test gives, in order. */
function storeWith() {
  const due: (() => void)[] = []
  const clock = {
    now: () => 0,
    after(_: number, act: () => void) {
      due.push(act)
      return () => void due.splice(due.indexOf(act), 1)
    },
  }
  const asked: Parameters<Api['landmarks']['list']>[0][] = []
  const waiting: { readonly give: (given: LandmarkSlice) => void; readonly fail: () => void }[] = []
  const wanted: unknown[] = []
  const landmarks = {
    list(of: Parameters<Api['landmarks']['list']>[0]) {
      asked.push(of)
      return new Promise<LandmarkSlice>((give, refuse) => {
        waiting.push({ give, fail: () => refuse(new Error('gone')) })
      })
    },
    async places(of: { readonly wanted: readonly { readonly entry?: string }[] }) {
      wanted.push(of.wanted)
      return of.wanted.map(({ entry }) => (entry === 'gone' ? null : place(3)))
    },
  }
  const store = createLandmarksStore({ landmarks } as unknown as Api, clock)
  const key = LibraryKey.parse('tide')
  store.getState().follow(key, undefined)
  const settle = async () => {
    for (let turn = 0; turn < 6; turn++) await Promise.resolve()
  }
  const give = async (given: LandmarkSlice) => {
    waiting.at(-1)?.give(given)
    await settle()
  }
  const fail = async () => {
    waiting.at(-1)?.fail()
    await settle()
  }
  const words = () => store.getState().landmarks.map(({ words: one }) => one)
  const pass = () => {
    for (const act of due.splice(0)) act()
  }
  return { store, key, asked, wanted, give, fail, settle, words, pass }
}

it('joins the slices of a conversation, and says how far it is', async () => {
  const { store, asked, give, words } = storeWith()
  const reading = store.getState().read()
  await give(slice(0, [1, 2], { part: 0.5, isLast: false }))
  expect(store.getState()).toMatchObject({ part: 0.5, isReading: true })
  await give(slice(2, [5]))
  await reading
  expect(words()).toEqual(['1', '2', '5'])
  expect(asked[1]).toMatchObject({ from: 2, reading: 'r' })
  expect(store.getState()).toMatchObject({ part: 1, entries: 9, isReading: false })
})

it('reads on once more where the conversation grew meanwhile, and anew where it was replaced', async () => {
  const { store, key, asked, give, words, pass } = storeWith()
  store.getState().open('end')
  store.getState().foldChanged(key, 1000)
  store.getState().foldChanged(key, 1000)
  pass()
  await give(slice(0, [1, 2]))
  expect(asked).toHaveLength(2)
  await give(slice(0, [7], { reading: 'other' }))
  expect(words()).toEqual(['7'])
  expect(store.getState().isReading).toBe(false)
  expect(asked).toHaveLength(2)
})

it('reads nothing that nobody asked for', () => {
  const { store, key, asked, pass } = storeWith()
  store.getState().foldChanged(key, 1000)
  pass()
  expect(asked).toEqual([])
})

it('reads by itself what has been open for a while, and then what is new in it', async () => {
  const { store, key, asked, give, pass } = storeWith()
  store.getState().readSoon(1000)
  store.getState().readSoon(1000)
  expect(asked).toHaveLength(0)
  pass()
  await give(slice(0, [1]))
  store.getState().readSoon(1000)
  pass()
  expect(asked).toHaveLength(1)
  store.getState().foldChanged(key, 1000)
  store.getState().foldChanged(key, 1000)
  pass()
  expect(asked).toHaveLength(2)
})

it('reads nothing by itself of a conversation that was left', () => {
  const { store, asked, pass } = storeWith()
  store.getState().readSoon(1000)
  store.getState().follow(LibraryKey.parse('ebb'), undefined)
  pass()
  expect(asked).toEqual([])
})

it('drops what belongs to another conversation', async () => {
  const { store, give, words } = storeWith()
  store.getState().open('end')
  store.getState().follow(LibraryKey.parse('ebb'), undefined)
  await give(slice(0, [1]))
  expect(words()).toEqual([])
  expect(store.getState()).toMatchObject({ isOpen: false, isReading: false })
})

it('finds labelled entries once, and those that were not there again when entries came', async () => {
  const { store, wanted, give } = storeWith()
  await store.getState().findLabelled(['here', 'gone'])
  await store.getState().findLabelled(['here', 'gone'])
  expect(wanted).toEqual([[{ entry: 'here' }, { entry: 'gone' }]])
  const reading = store.getState().read()
  await give(slice(0, [1]))
  await reading
  await store.getState().findLabelled(['here', 'gone'])
  expect(wanted[1]).toEqual([{ entry: 'gone' }])
  expect([...store.getState().places]).toEqual([
    ['here', place(3)],
    ['gone', null],
  ])
})

it('turns kinds on and off', () => {
  const { store } = storeWith()
  expect(store.getState().kinds.has('error')).toBe(false)
  store.getState().toggleKind('error')
  store.getState().toggleKind('prompt')
  expect([...store.getState().kinds].sort()).toEqual(['compaction', 'error', 'label'])
})

it('looks anew for labelled entries and for the reader where files were replaced', async () => {
  const { store, key, wanted, give, settle, pass } = storeWith()
  store.getState().open({ file: 'f', offset: 3 })
  await give(slice(0, [1]))
  await store.getState().findLabelled(['here'])
  await settle()
  expect(store.getState().here).toEqual(place(3))
  store.getState().foldChanged(key, 1000)
  pass()
  const before = wanted.length
  await give(slice(0, [7], { reading: 'other' }))
  expect(store.getState().places.size).toBe(0)
  await settle()
  expect(wanted.slice(before)).toEqual([[{ file: 'f', offset: 3 }]])
})

it('keeps the old list until a new reading is as far', async () => {
  const { store, key, asked, give, words, pass } = storeWith()
  store.getState().open('end')
  await give(slice(0, [1, 2, 3]))
  store.getState().foldChanged(key, 1000)
  pass()
  await give(slice(0, [1], { reading: 'new', entries: 4, part: 0.4, isLast: false }))
  expect(words()).toEqual(['1', '2', '3'])
  expect(store.getState().part).toBe(1)
  expect(asked.at(-1)).toMatchObject({ from: 1, reading: 'new' })
  await give(slice(1, [2, 3], { reading: 'new', entries: 9, part: 0.9, isLast: false }))
  expect(words()).toEqual(['1', '2', '3'])
  expect(store.getState().part).toBe(0.9)
  await give(slice(3, [4], { reading: 'new', entries: 12 }))
  expect(words()).toEqual(['1', '2', '3', '4'])
})

it('reads a large conversation that grows only while the outline is open', async () => {
  const large = 100_000_000
  const { store, key, asked, give, pass } = storeWith()
  store.getState().readSoon(large)
  pass()
  expect(asked).toHaveLength(0)
  store.getState().open('end')
  await give(slice(0, [1]))
  store.getState().foldChanged(key, large)
  pass()
  await give(slice(1, [2]))
  expect(asked).toHaveLength(2)
  store.getState().close()
  store.getState().foldChanged(key, large)
  pass()
  expect(asked).toHaveLength(2)
})

it('reads on where a conversation was empty at first, or where its reading failed', async () => {
  for (const first of ['empty', 'failed']) {
    const { store, key, asked, give, fail, words, pass } = storeWith()
    store.getState().readSoon(0)
    pass()
    await (first === 'empty' ? give(slice(0, [], { entries: 0 })) : fail())
    store.getState().foldChanged(key, 1000)
    pass()
    expect(asked).toHaveLength(2)
    await give(slice(0, [1]))
    expect(words()).toEqual(['1'])
  }
})

it('says no failure of an earlier question when it looks for a place', async () => {
  const { store, fail } = storeWith()
  store.getState().open('end')
  await fail()
  expect(store.getState().failure).toBeDefined()
  await store.getState().find([{ number: 3 }])
  expect(store.getState().failure).toBeUndefined()
})
