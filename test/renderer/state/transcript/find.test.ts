import { expect, it } from 'vitest'
import {
  createFindStore,
  matchNumber,
  nextMatch,
} from '../../../../src/renderer/state/transcript/find'
import type { Api } from '../../../../src/shared/ipc/contract'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { FindAnswer, FoundPlace } from '../../../../src/shared/model/find/find'

const answer: FindAnswer = {
  total: 6,
  rows: [3, 9, 4],
  counts: [2, 1, 3],
  size: 12,
  near: null,
  notices: [],
  fault: null,
}

it('goes through every match in the order in which they are shown, around both ends', () => {
  const seen: string[] = []
  let at = { row: 3, nth: 0 }
  for (let steps = 0; steps < answer.total; steps++) {
    seen.push(`${at.row}.${at.nth} is ${matchNumber(answer, at)}`)
    at = nextMatch(answer, at, 1) ?? at
  }
  expect(seen).toEqual(['3.0 is 1', '3.1 is 2', '9.0 is 3', '4.0 is 4', '4.1 is 5', '4.2 is 6'])
  expect(at).toEqual({ row: 3, nth: 0 })
  expect(nextMatch(answer, at, -1)).toEqual({ row: 4, nth: 2 })
  expect(nextMatch({ ...answer, rows: [], counts: [], total: 0 }, at, 1)).toBeUndefined()
})

const someLine = { file: 'active.jsonl', offset: 12 }

/** A store over a finder whose answers a test gives. */
function storeWith() {
  const waiting: ((given: FindAnswer) => void)[] = []
  const places: ((given: FoundPlace | null) => void)[] = []
  let forgotten = 0
  const finding = {
    find: () => new Promise<FindAnswer>((resolve) => waiting.push(resolve)),
    place: () => new Promise<FoundPlace | null>((resolve) => places.push(resolve)),
    async forget() {
      forgotten += 1
    },
  }
  const store = createFindStore({ finding } as unknown as Api)
  const key = LibraryKey.parse('tide')
  store.getState().open(key, undefined)
  return { store, key, waiting, places, forgotten: () => forgotten }
}

it('drops the answer of an earlier question', async () => {
  const { store, waiting } = storeWith()
  store.getState().setText('a')
  const first = store.getState().ask()
  store.getState().setText('ab')
  const second = store.getState().ask()
  waiting[1]?.({ ...answer, total: 1, rows: [1], counts: [1] })
  waiting[0]?.(answer)
  expect(await first).toBeUndefined()
  expect((await second)?.total).toBe(1)
  expect(store.getState()).toMatchObject({ asked: { text: 'ab' }, answer: { total: 1 } })
})

it('keeps the match that the reader is at while the conversation grows, as long as it is there', async () => {
  const { store, key, waiting } = storeWith()
  store.getState().setText('a')
  const asked = store.getState().ask()
  waiting[0]?.(answer)
  await asked
  void store.getState().goTo({ row: 9, nth: 0 })
  store.getState().foldChanged(key)
  expect(store.getState().changes).toBe(1)
  const again = store.getState().ask()
  waiting[1]?.({ ...answer, total: 7, rows: [3, 9, 4, 12], counts: [2, 1, 3, 1] })
  await again
  expect(store.getState().current).toEqual({ row: 9, nth: 0 })
  const less = store.getState().ask()
  waiting[2]?.({ ...answer, total: 2, rows: [3], counts: [2] })
  await less
  expect(store.getState().current).toBeUndefined()
})

it('answers what was typed last before it counts again', async () => {
  const { store, waiting } = storeWith()
  store.getState().setText('a')
  const typed = store.getState().ask()
  const again = [store.getState().askAgain(), store.getState().askAgain()]
  expect(waiting).toHaveLength(1)
  waiting[0]?.(answer)
  expect(await typed).toEqual(answer)
  await expect.poll(() => waiting.length).toBe(2)
  waiting[1]?.({ ...answer, total: 7, counts: [2, 1, 4] })
  await Promise.all(again)
  expect(store.getState().answer?.total).toBe(7)
  expect(waiting).toHaveLength(2)
})

it('leads to the match that is gone to though it counts again meanwhile', async () => {
  const { store, key, waiting, places } = storeWith()
  store.getState().setText('a')
  const asked = store.getState().ask()
  waiting[0]?.(answer)
  await asked
  const led = store.getState().goTo({ row: 9, nth: 0 })
  store.getState().foldChanged(key)
  const again = store.getState().askAgain()
  waiting[1]?.(answer)
  await again
  const place = { ...someLine, part: 'content', nth: 0, start: 0, end: 1, text: 'a', before: 0 }
  places[0]?.(place as FoundPlace)
  expect(await led).toEqual(place)
})

it('gives no answer of a way that was left', async () => {
  const { store, key, waiting } = storeWith()
  store.getState().setText('a')
  const asked = store.getState().ask()
  store.getState().follow(key, 'another' as never)
  waiting[0]?.(answer)
  expect(await asked).toBeUndefined()
  expect(store.getState().answer).toBeUndefined()
})

it('ends with another conversation, and lets the texts go', () => {
  const { store, forgotten } = storeWith()
  store.getState().follow(LibraryKey.parse('ebb'), undefined)
  expect(store.getState().isOpen).toBe(false)
  expect(forgotten()).toBe(1)
})
