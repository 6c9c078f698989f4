import { createApi } from '../../../../src/renderer/api'
import { createActions } from '../../../../src/renderer/state/actions'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { quiet } from '../../../support/quiet'
import { createMemoryHome, type MemoryHomeOptions } from '../../harness/memory-home'
import { keptInMap } from './map-storage'
import { quietHome } from './quiet-home'

/** The window's state over a home in memory, started and at rest. */
export async function openWindow(
  options: MemoryHomeOptions = quietHome(),
  kept = keptInMap(),
  whenFree: () => Promise<void> = async () => {},
) {
  const home = createMemoryHome(options)
  const api = createApi(home.api.transport)
  const stores = createStores(api, kept)
  followMain(api, stores)
  const actions = createActions(stores, kept, whenFree)
  await actions.start()
  await quiet()
  return { home, stores, actions, kept }
}
