import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createStores, followMain } from '../../../../src/renderer/state/stores'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { quiet } from '../../../support/quiet'
import { createMemoryHome, type MemoryContext, summaryOf } from '../../harness/memory-home'
import { answered, rowsOf, said } from '../../harness/rows'
import { keptInMap } from '../support/map-storage'
import { quietHome } from '../support/quiet-home'

const gardens: readonly MemoryContext[] = [
  {
    summary: summaryOf('garden'),
    rows: rowsOf([said('bean one'), answered('bean two'), said('bean three')]),
  },
]

async function windowOf(contexts = gardens, kept = keptInMap()) {
  const home = createMemoryHome({ ...quietHome(), contexts })
  const stores = createStores(createApi(home.api.transport), kept)
  followMain(createApi(home.api.transport), stores)
  await stores.library.getState().load()
  const { search, preview } = stores
  search.getState().open('query')
  search.getState().setText('bean')
  search.getState().searchNow()
  await quiet()
  return {
    search,
    preview,
    stores,
    kept,
    ids: search.getState().shown.hits.map(({ id }) => id),
    calls: () =>
      home.api.calls.filter(({ channel }) => channel === 'search.preview').map(({ args }) => args),
  }
}

it('shows the hit that is selected, and none where none is', async () => {
  const { search, preview, ids } = await windowOf()
  expect(preview.getState().shown).toBeUndefined()
  search.getState().select(ids[1])
  await quiet()
  const { shown, pieces } = preview.getState()
  expect(shown?.of.id).toBe(ids[1])
  expect(shown?.rows?.rows.length).toBe(3)
  expect(shown?.rows?.hit).toBe(1)
  expect(pieces.transcript.getState().run.rows).toEqual(shown?.rows?.rows)
  search.getState().select(undefined)
  expect(preview.getState().shown).toBeUndefined()
})

it('reads the last of the hits that the cursor ran over, and never two at once', async () => {
  const { search, preview, ids, calls } = await windowOf()
  for (const id of ids) search.getState().select(id)
  await quiet()
  expect(preview.getState().shown?.of.id).toBe(ids.at(-1))
  expect(preview.getState().isLoading).toBe(false)
  expect(calls().length).toBe(2)
})

it('reads nothing while it is closed, and is as it was at the next start', async () => {
  const { search, preview, ids, calls, kept } = await windowOf()
  preview.getState().setOpen(false)
  search.getState().select(ids[0])
  await quiet()
  expect(calls()).toEqual([])
  const again = await windowOf(gardens, kept)
  expect(again.preview.getState().isOpen).toBe(false)
  again.search.getState().select(again.ids[2])
  again.preview.getState().setOpen(true)
  await quiet()
  expect(again.preview.getState().shown?.of.id).toBe(again.ids[2])
})

it('says why a hit cannot be read, and reads it again when it is asked to', async () => {
  const failure = new AppError('unreadable', 'The file cannot be read.')
  const contexts: MemoryContext[] = gardens.map((context) => ({ ...context }))
  const { search, preview, ids } = await windowOf(contexts)
  const context = contexts[0] as { failure?: AppError }
  context.failure = failure
  search.getState().select(ids[0])
  await quiet()
  expect(preview.getState().shown?.failure?.message).toBe('The file cannot be read.')
  delete context.failure
  preview.getState().readAgain()
  await quiet()
  expect(preview.getState().shown?.failure).toBeUndefined()
  expect(preview.getState().shown?.rows?.hit).toBe(2)
})

it('leaves the open transcript as it is', async () => {
  const { search, stores, ids } = await windowOf()
  const before = stores.transcript.getState()
  search.getState().select(ids[0])
  await quiet()
  expect(stores.transcript.getState()).toBe(before)
})
