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
  const waiting: ((given: LandmarkSlice) => void)[] = []
  const wanted: unknown[] = []
  const landmarks = {
    list(of: Parameters<Api['landmarks']['list']>[0]) {
      asked.push(of)
      return new Promise<LandmarkSlice>((resolve) => waiting.push(resolve))
    },
    async places(of: { readonly wanted: readonly { readonly entry?: string }[] }) {
      wanted.push(of.wanted)
      return of.wanted.map(({ entry }) => (entry === 'gone' ? null : place(3)))
    },
  }
  const store = createLandmarksStore({ landmarks } as unknown as Api, clock)
  const key = LibraryKey.parse('tide')
  store.getState().follow(key, undefined)
  const give = async (given: LandmarkSlice) => {
    const at = asked.length
    waiting[at - 1]?.(given)
    await Promise.resolve()
    await Promise.resolve()
    await Promise.resolve()
  }
  const words = () => store.getState().landmarks.map(({ words: one }) => one)
  const pass = () => {
    for (const act of due.splice(0)) act()
  }
  return { store, key, asked, wanted, give, words, pass }
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
  store.getState().foldChanged(key)
  store.getState().foldChanged(key)
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
  store.getState().foldChanged(key)
  pass()
  expect(asked).toEqual([])
})

it('reads by itself what has been open for a while, and then what is new in it', async () => {
  const { store, key, asked, give, pass } = storeWith()
  store.getState().readSoon()
  store.getState().readSoon()
  expect(asked).toHaveLength(0)
  pass()
  await give(slice(0, [1]))
  store.getState().readSoon()
  pass()
  expect(asked).toHaveLength(1)
  store.getState().foldChanged(key)
  store.getState().foldChanged(key)
  pass()
  expect(asked).toHaveLength(2)
})

it('reads nothing by itself of a conversation that was left', () => {
  const { store, asked, pass } = storeWith()
  store.getState().readSoon()
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
