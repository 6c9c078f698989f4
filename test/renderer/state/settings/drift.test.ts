import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createDriftStore } from '../../../../src/renderer/state/settings/drift'
import { quiet } from '../../../support/quiet'
import { createMemoryHome } from '../../harness/memory-home'
import { everyRoot } from '../../harness/memory-sources'
import { handClock } from '../support/hand-clock'
import { quietHome } from '../support/quiet-home'

/** The store alone, over a home in memory and a clock that is moved by hand. */
function opened() {
  const home = createMemoryHome({ ...quietHome(), sources: everyRoot() })
  const clock = handClock()
  const store = createDriftStore(createApi(home.api.transport), clock)
  const asked = () => home.api.calls.filter(({ channel }) => channel === 'sources.drift').length
  return { clock, asked, state: store.getState }
}

it('what is new is asked for at once, and after that once a second however much changes', async () => {
  const { clock, asked, state } = opened()
  state().follow()
  expect(asked()).toBe(1)
  await quiet()
  expect(state().found?.map(({ source }) => source)).toEqual(['cycod'])
  for (let change = 0; change < 5; change++) state().follow()
  expect(asked()).toBe(1)
  clock.pass(1000)
  expect(asked()).toBe(2)
  await quiet()
})

it('a change while it is asked for is asked for again', async () => {
  const { clock, asked, state } = opened()
  state().follow()
  state().follow()
  await quiet()
  expect(asked()).toBe(1)
  clock.pass(1000)
  expect(asked()).toBe(2)
  await quiet()
})

it('an answer that comes after somebody left is not kept', async () => {
  const { clock, asked, state } = opened()
  state().follow()
  state().leave()
  await quiet()
  expect(state().found).toBeUndefined()
  state().follow()
  await quiet()
  expect(state().found).toHaveLength(1)
  state().follow()
  state().leave()
  clock.pass(5000)
  expect(asked()).toBe(2)
})
