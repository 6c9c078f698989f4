import type { Api } from '../../shared/ipc/contract'
import { createActions } from './actions'
import { browserStorage } from './base/storage'
import type { AppWindowState, Stores } from './context'
import { createStores, followMain } from './stores'

/**
 * Opens the state of an app window over a client and the browser's storage, follows main's events and starts
 * loading. It lasts as long as the page.
 *
 * @param whenFree resolves when nothing is open that Settings must not cover
 */
export function openAppWindowState(
  api: Api,
  storage: Storage,
  whenFree: (stores: Stores) => Promise<void>,
): AppWindowState {
  const kept = browserStorage(storage)
  const stores = createStores(api, kept)
  const actions = createActions(stores, kept, () => whenFree(stores))
  // Before the first call, so that no event is missed. It ends with the page.
  followMain(api, stores)
  api.app.onLinkCame(() => void actions.openLinked())
  api.sources.onFilesCame(() => void actions.openFiles())
  void actions.start()
  return { stores, actions, onCommand: api.app.onCommand }
}
