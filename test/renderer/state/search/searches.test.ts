import { expect, it } from 'vitest'
import {
  createSearchesStore,
  mostRecent,
  mostSaved,
} from '../../../../src/renderer/state/search/searches'
import type { Api } from '../../../../src/shared/ipc/contract'
import { ConversationKey } from '../../../../src/shared/model/conversation/conversation'

const key = ConversationKey.parse('garden')

/** A search that finds one entry, which another conversation has too. */
const api = {
  search: {
    query: async () => ({
      hits: [{ source: 'cycod', key, also: [{ source: 'chibi', key }] }],
      total: 1,
      complete: true,
    }),
  },
} as unknown as Api

/** Storage in a map; `isFull` refuses to write. */
function storage(isFull = false) {
  const kept = new Map<string, string>()
  return {
    kept,
    get: (name: string) => kept.get(name),
    set(name: string, value: string) {
      if (!isFull) kept.set(name, value)
      return !isFull
    },
    remove: (name: string) => void kept.delete(name),
  }
}

it('keeps the last fifty searches, the newest first and each once, for the next start', () => {
  const kept = storage()
  const store = createSearchesStore(api, kept)
  for (let n = 0; n < 60; n++) store.getState().note(`search ${n}`)
  store.getState().note(' search 30 ')
  store.getState().note('   ')
  const { recent } = createSearchesStore(api, kept).getState()
  expect(recent).toHaveLength(mostRecent)
  expect(recent.slice(0, 2)).toEqual(['search 30', 'search 59'])
  expect(new Set(recent).size).toBe(mostRecent)
})

it('keeps none where that is turned off, and forgets those that it had', () => {
  const kept = storage()
  const store = createSearchesStore(api, kept)
  store.getState().note('secret plans')
  store.getState().setKeepsRecent(false)
  store.getState().note('more of them')
  expect(store.getState().recent).toEqual([])
  expect([...kept.kept.values()].join()).not.toMatch(/secret|more/)
  expect(createSearchesStore(api, kept).getState().keepsRecent).toBe(false)
})

it('saves a search once, renames it, removes it and puts it back where it was', () => {
  const kept = storage()
  const store = createSearchesStore(api, kept)
  for (const query of ['tide', 'ebb after:2026', 'flood', 'tide']) store.getState().save(query)
  const names = () => store.getState().saved.map(({ name }) => name)
  expect(names()).toEqual(['tide', 'ebb after:2026', 'flood'])
  const [, ebb] = store.getState().saved
  store.getState().rename(ebb?.id ?? '', '  Low \n water ')
  store.getState().rename(ebb?.id ?? '', '   ')
  expect(names()).toEqual(['tide', 'Low water', 'flood'])
  store.getState().remove(ebb?.id ?? '')
  expect(names()).toEqual(['tide', 'flood'])
  store.getState().note('something else')
  store.getState().undoRemove()
  expect(names()).toEqual(['tide', 'Low water', 'flood'])
  store.getState().undoRemove()
  expect(createSearchesStore(api, kept).getState().saved).toEqual(store.getState().saved)
  expect(new Set(store.getState().saved.map(({ id }) => id)).size).toBe(3)
})

it('takes nothing from a storage that holds something else, and says where it cannot write', () => {
  for (const text of [
    '',
    'null',
    '[]',
    '{"recent":7,"saved":[null,{"id":1},{"id":"a"}]}',
    '{"recent":[1,"",{}]}',
  ]) {
    const kept = storage()
    kept.set('skein.searches', text)
    expect(createSearchesStore(api, kept).getState()).toMatchObject({
      recent: [],
      saved: [],
      keepsRecent: true,
    })
  }
  const store = createSearchesStore(api, storage(true))
  store.getState().save('tide')
  expect(store.getState()).toMatchObject({ isWritten: false, saved: [{ query: 'tide' }] })
})

it('finds the conversations of a saved search, those that have a copy of a hit too', async () => {
  const store = createSearchesStore(api, storage())
  store.getState().save('tide')
  const found = await store.getState().find(store.getState().saved[0]?.id ?? '')
  expect([...(found?.keys ?? [])]).toEqual(['cycod:garden', 'garden'])
  expect(found?.isAll).toBe(true)
  expect(await store.getState().find('gone')).toBeUndefined()
})

it('says which search it does not save where there are as many as it keeps, and drops none that were kept', () => {
  const kept = storage()
  const many = Array.from({ length: mostSaved + 3 }, (_, n) => ({
    id: `${n}`,
    name: `n${n}`,
    query: `q${n}`,
  }))
  kept.set('skein.searches', JSON.stringify({ saved: many }))
  const store = createSearchesStore(api, kept)
  expect(store.getState().saved).toEqual(many)
  store.getState().save(' tide ')
  expect(store.getState()).toMatchObject({ saved: many, refused: 'tide' })
  // One that is saved already is.
  store.getState().save('q7')
  expect(store.getState().refused).toBe('tide')
  for (const { id } of many.slice(0, 4)) store.getState().remove(id)
  expect(store.getState().refused).toBeUndefined()
  store.getState().save('tide')
  expect(store.getState().saved.at(-1)?.query).toBe('tide')
  expect(createSearchesStore(api, kept).getState().saved).toHaveLength(mostSaved)
})
