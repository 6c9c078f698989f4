import type { Api } from '../../shared/ipc/contract'
import { createActions } from './actions'
import { browserStorage } from './base/storage'
import type { AppWindowState } from './context'
import { createStores, followMain } from './stores'

/** All that a window knows and does, over an api; asks for what it shows first. */
export function openAppWindowState(api: Api, storage: Storage): AppWindowState {
  const kept = browserStorage(storage)
  const stores = createStores(api, kept)
  const actions = createActions(stores, kept)
  // Before the first question: what is told meanwhile must not be missed. It ends with the page.
  followMain(api, stores)
  void actions.start()
  return { stores, actions, onCommand: api.app.onCommand }
}
