import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { createMemoryHome } from '../../harness/memory-home'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

it('shows one view over the conversation: the one that was opened last, until a conversation is', () => {
  const api = createApi(createMemoryHome(quietHome()).api.transport)
  const stores = createStores(api, keptInMap())
  const stop = followMain(api, stores)
  const { app, search, lost, statistics } = stores
  const open = () => [search, lost, statistics].map((store) => store.getState().isOpen)
  search.getState().open('query')
  lost.getState().open()
  expect(open()).toEqual([false, true, false])
  statistics.getState().open()
  expect([open(), lost.getState().leavesFocus]).toEqual([[false, false, true], true])
  search.getState().open('query')
  expect(open()).toEqual([true, false, false])
  statistics.getState().open()
  app.getState().show({ type: 'conversation', key: LibraryKey.parse('garden') })
  expect([open(), statistics.getState().leavesFocus]).toEqual([[false, false, false], true])
  stop()
})
