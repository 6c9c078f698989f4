import { expect, it } from 'vitest'
import { createDraftsStore, type ReadFiles } from '../../../../src/renderer/state/run/drafts'
import { keptInMap } from '../support/map-storage'

const file = { name: 'rain.csv', bytes: new TextEncoder().encode('1;3\n') }

/** A draft that waits for a file; `come` ends its reading. */
function waiting() {
  const store = createDraftsStore(keptInMap())
  store.getState().enter('/home')
  store.getState().set('garden', { text: 'rain.csv' })
  let come: (read: ReadFiles) => void = () => undefined
  const read = new Promise<ReadFiles>((resolve) => {
    come = resolve
  })
  const attached = store.getState().attachRead('garden', read)
  const namesAt = (place: string) =>
    store
      .getState()
      .textsAt(place)
      .map(({ name }) => name)
  return {
    ...{ store, namesAt },
    reading: () => store.getState().reading,
    async end() {
      come({ given: [file] })
      await attached
    },
  }
}

it('waits for a file that is read, and has it then', async () => {
  const { reading, end, namesAt } = waiting()
  expect(reading()).toEqual({ garden: 1 })
  await end()
  expect([reading(), namesAt('garden')]).toEqual([{}, ['rain.csv']])
})

it('drops a file that comes after the draft was cleared, or in another home', async () => {
  const cleared = waiting()
  cleared.store.getState().clear('garden')
  expect(cleared.reading()).toEqual({})
  await cleared.end()
  expect(cleared.namesAt('garden')).toEqual([])
  const left = waiting()
  left.store.getState().enter('/other')
  await left.end()
  expect([left.reading(), left.namesAt('garden')]).toEqual([{}, []])
})

it('takes what is read along to where it is moved', async () => {
  const { store, reading, end, namesAt } = waiting()
  store.getState().move('garden', 'kitchen')
  expect(reading()).toEqual({ kitchen: 1 })
  await end()
  expect([namesAt('garden'), namesAt('kitchen')]).toEqual([[], ['rain.csv']])
})
