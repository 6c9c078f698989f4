import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { createMemoryHome } from '../../harness/memory-home'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

function opened(kept: ReturnType<typeof keptInMap>) {
  const home = createMemoryHome(quietHome())
  const api = createApi(home.api.transport)
  const stores = createStores(api, kept)
  return { stores, stop: followMain(api, stores), home }
}

it('source, tag, project and list last over a restart; words and picks do not', async () => {
  const kept = keptInMap()
  const before = opened(kept)
  const library = before.stores.library.getState
  library().setFilter('tulips')
  library().setSource('cycod')
  library().setTag('spring')
  library().setProject('/home/mira/ferry')
  library().setList('long')
  before.stop()
  const after = opened(kept)
  const { filter, source, tag, project, list, picked } = after.stores.library.getState()
  expect({ filter, source, tag, project, list, picked }).toEqual({
    filter: '',
    source: 'cycod',
    tag: 'spring',
    project: '/home/mira/ferry',
    list: 'long',
    picked: undefined,
  })
  // The first status is of no other home.
  await after.stores.app.getState().load()
  expect(after.stores.library.getState().list).toBe('long')
  after.stop()
})

it('damaged ones leave nothing out', () => {
  const kept = keptInMap()
  for (const text of ['no JSON', '{"source":7,"list":"lost","tag":""}', '[]', 'null']) {
    kept.set('skein.library-filters', text)
    const { stores, stop } = opened(kept)
    const { source, tag, project, list } = stores.library.getState()
    expect([text, source, tag, project, list]).toEqual([text, ...Array(4).fill(undefined)])
    stop()
  }
})

it('a list for which conversations have to be read is read once the list is there', async () => {
  const { stores, stop } = opened(keptInMap())
  stores.library.getState().setList('untitled')
  expect(stores.readList.getState().list).toBe(undefined)
  await stores.library.getState().load()
  await expect.poll(() => stores.readList.getState().keys).toBeDefined()
  expect(stores.readList.getState().reading).toBe(undefined)
  stores.library.getState().setList(undefined)
  expect(stores.readList.getState().keys).toBe(undefined)
  stop()
})
