import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { filterByPick } from '../../../../src/renderer/conversations/filters/filters'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { createMemoryHome, summaryOf } from '../../harness/memory-home'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

it('picked conversations take the place of the other filters, and keep a context that is renamed', () => {
  const home = createMemoryHome(quietHome())
  const stores = createStores(createApi(home.api.transport), keptInMap())
  const stop = followMain(createApi(home.api.transport), stores)
  const library = stores.library.getState
  library().setFilter('tulips')
  library().setSource('cycod')
  library().setTag('spring')
  library().setPicked({ label: 'Monday, 09:00', keys: new Set(['garden', 'gone']) })
  expect([library().filter, library().source, library().tag]).toEqual(['', undefined, undefined])
  const [from, to] = [LibraryKey.parse('garden'), LibraryKey.parse('allotment')]
  home.api.tell.contexts.renamed({ from, to })
  expect([...(library().picked?.keys ?? [])]).toEqual(['gone', 'allotment'])
  stop()
})

it('picked conversations are those of the list that have one of the keys', () => {
  const rows = ['a', 'b', 'c'].map((key) => summaryOf(key))
  expect(filterByPick(rows, new Set(['c', 'a', 'z'])).map(({ key }) => key)).toEqual(['a', 'c'])
  expect(filterByPick(rows, undefined)).toBe(rows)
})
