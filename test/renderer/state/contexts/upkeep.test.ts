import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createActions } from '../../../../src/renderer/state/actions'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'
import { createMemoryHome } from '../../harness/memory-home'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

const garden = LibraryKey.parse('garden')
const kitchen = LibraryKey.parse('kitchen')

/** A window in which the summary of "garden" is being written. */
async function windowWhileWriting() {
  const home = createMemoryHome(quietHome())
  const api = createApi(home.api.transport)
  const stores = createStores(api, keptInMap())
  followMain(api, stores)
  await createActions(stores, keptInMap()).start()
  await quiet()
  const upkeep = () => stores.upkeep.getState()
  await upkeep().load(garden)
  await upkeep().editSummary()
  upkeep().change('They grow roses.')
  return { home, stores, upkeep, written: () => upkeep().edit?.text }
}

it('a summary that is being written is found again after a look at another conversation', async () => {
  const { upkeep, written } = await windowWhileWriting()
  await upkeep().load(kitchen)
  expect(written()).toBe(undefined)
  await upkeep().editSummary()
  upkeep().change('Soup on Fridays.')
  await upkeep().load(garden)
  expect(written()).toBe('They grow roses.')
  await upkeep().load(kitchen)
  expect(written()).toBe('Soup on Fridays.')
})

it('a summary that is saved is not being written any more, wherever one has gone meanwhile', async () => {
  const { home, upkeep, written } = await windowWhileWriting()
  const saving = upkeep().saveSummary('They grow roses.')
  await upkeep().load(kitchen)
  await saving
  await upkeep().load(garden)
  expect([home.upkeep.summaryOf(garden), written()]).toEqual(['They grow roses.', undefined])
})

it('what is being written beside a context goes along with its new name, and away with the context', async () => {
  const { stores, upkeep, written } = await windowWhileWriting()
  const rename = async (from: LibraryKey, to: string) => {
    stores.contexts.getState().ask('rename', from)
    expect(await stores.contexts.getState().rename(to)).toBe(true)
    await quiet()
    return LibraryKey.parse(to)
  }
  const allotment = await rename(garden, 'allotment')
  expect([upkeep().key, written()]).toEqual([allotment, 'They grow roses.'])
  await upkeep().load(kitchen)
  const orchard = await rename(allotment, 'orchard')
  await upkeep().load(orchard)
  expect(written()).toBe('They grow roses.')
  stores.contexts.getState().ask('destroy', orchard)
  expect(await stores.contexts.getState().destroy()).toBe(true)
  await quiet()
  await upkeep().load(orchard)
  expect(written()).toBe(undefined)
})
