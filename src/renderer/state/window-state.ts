import type { Api } from '../../shared/ipc/contract'
import { createActions } from './actions'
import type { WindowState } from './context'
import { keptInBrowser } from './storage'
import { createStores, followMain } from './stores'

/** All that a window knows and does, over an api; asks for what it shows first. */
export function openWindowState(api: Api, storage: Storage): WindowState {
  const kept = keptInBrowser(storage)
  const stores = createStores(api, kept)
  const actions = createActions(stores, kept)
  // Before the first question: what is told meanwhile must not be missed. It ends with the page.
  followMain(api, stores)
  void actions.start()
  return { stores, actions, onCommand: api.app.onCommand }
}
