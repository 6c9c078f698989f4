import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { searchDelayMs } from '../../../../src/renderer/state/search/search'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { quiet } from '../../../support/quiet'
import { createMemoryHome, type MemoryContext, summaryOf } from '../../harness/memory-home'
import { answered, rowsOf, said } from '../../harness/rows'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const gardens: readonly MemoryContext[] = [
  {
    summary: summaryOf('garden'),
    rows: rowsOf([said('bean one'), answered('bean two'), said('bean three'), said('rain')]),
  },
]

async function windowOf(kept = keptInMap()) {
  const home = createMemoryHome({ ...quietHome(), contexts: gardens })
  const api = createApi(home.api.transport)
  const stores = createStores(api, kept)
  followMain(api, stores)
  await stores.library.getState().load()
  const { search, facets } = stores
  search.getState().open('query')
  return {
    home,
    search,
    facets,
    kept,
    counted: () =>
      home.api.calls
        .filter(({ channel }) => channel === 'search.facets')
        .map(({ args }) => (args as { query: string }).query),
    valuesOf: (name: string) =>
      facets.getState().facets.find(({ facet }) => facet === name)?.values,
    async type(text: string) {
      search.getState().setText(text)
      vi.advanceTimersByTime(searchDelayMs)
      await quiet()
    },
  }
}

it('counts behind the hits, and never while they are searched', async () => {
  const { home, type, counted, facets, valuesOf } = await windowOf()
  home.search.hold()
  await type('bean')
  expect(counted()).toEqual([])
  home.search.finish()
  await quiet()
  expect(counted()).toEqual(['bean'])
  expect(facets.getState().phase).toBe('done')
  expect(valuesOf('role')).toEqual([
    { value: 'user', count: 2, isChosen: false },
    { value: 'agent', count: 1, isChosen: false },
  ])
})

it('keeps values that a choice elsewhere leaves without hits, with none, until other words are asked for', async () => {
  const { type, valuesOf } = await windowOf()
  await type('bean')
  await type('bean type:tool_call')
  expect(valuesOf('role')).toEqual([
    { value: 'user', count: 0, isChosen: false },
    { value: 'agent', count: 0, isChosen: false },
  ])
  expect(valuesOf('type')).toEqual([
    { value: 'message', count: 3, isChosen: false },
    { value: 'tool_call', count: 0, isChosen: true },
  ])
  await type('rain')
  expect(valuesOf('role')).toEqual([{ value: 'user', count: 1, isChosen: false }])
})

it('counts nothing while its panel is closed, and is as it was at the next start', async () => {
  const { type, counted, facets, kept } = await windowOf()
  facets.getState().setOpen(false)
  await type('bean')
  expect(counted()).toEqual([])
  const again = await windowOf(kept)
  expect(again.facets.getState().isOpen).toBe(false)
  await again.type('bean')
  again.facets.getState().setOpen(true)
  await quiet()
  expect(again.counted()).toEqual(['bean'])
})

it('takes choices back one by one, and not where the query was changed since', async () => {
  const { facets } = await windowOf()
  const { keepChoice, takeBack } = facets.getState()
  keepChoice('bean', 'bean role:user')
  keepChoice('bean role:user', 'bean role:user tool:x')
  expect(takeBack('bean role:user tool')).toBeUndefined()
  expect(takeBack('bean role:user tool:x')).toBe('bean role:user')
  expect(takeBack('bean role:user')).toBe('bean')
  expect(takeBack('bean')).toBeUndefined()
})

it('drops the answer for words that nobody asks for any more', async () => {
  const { facets, type, valuesOf } = await windowOf()
  await type('bean')
  facets.getState().count('rain')
  facets.getState().count('bean')
  facets
    .getState()
    .foldCounted('another', [
      { facet: 'role', values: [{ value: 'system', count: 9 }], others: 0, complete: false },
    ])
  await quiet()
  expect(facets.getState().query).toBe('bean')
  expect(valuesOf('role')?.map(({ value }) => value)).toEqual(['user', 'agent'])
})
