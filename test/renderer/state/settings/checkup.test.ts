import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createCheckupStore } from '../../../../src/renderer/state/settings/checkup'
import type { CheckupRepair } from '../../../../src/shared/ipc/app/checkup'
import { AppError } from '../../../../src/shared/model/basics/errors'
import type { Checkup, HomeFinding } from '../../../../src/shared/model/checkup'
import { createMemoryApi } from '../../../support/memory-api'

const finding: HomeFinding = {
  kind: 'titles-damaged',
  place: 'titles.skein.json',
  context: null,
  happened: 'It is cut off.',
  lost: 'Nothing.',
  byItself: 'Shows names.',
  repair: 'Keeps it, and writes a new one.',
}
const checkup: Checkup = { home: '~/.chibi', contexts: 2, findings: [finding] }
const after: Checkup = { ...checkup, findings: [] }
const repair: CheckupRepair = {
  copy: '~/a.zip',
  repaired: [finding],
  failed: [],
  stopped: null,
  after,
}

function storeOver(more: {
  readonly check?: () => Promise<Checkup>
  readonly repair?: () => Promise<CheckupRepair | null>
}) {
  const { transport, calls } = createMemoryApi({
    checkup: {
      check: async () => checkup,
      repair: async () => repair,
      stop: async () => undefined,
      ...more,
    },
  })
  return { store: createCheckupStore(createApi(transport)), calls }
}

it('has what was found, and behind a repair what is left', async () => {
  const { store } = storeOver({})
  await store.getState().check()
  expect(store.getState()).toMatchObject({ running: undefined, checkup, repair: undefined })
  await store.getState().repairAll()
  expect(store.getState()).toMatchObject({ running: undefined, checkup: after, repair })
  await store.getState().check()
  expect(store.getState().repair).toBeUndefined()
})

it('keeps what was found where the question for a folder was cancelled', async () => {
  const { store } = storeOver({ repair: async () => null })
  await store.getState().check()
  await store.getState().repairAll()
  expect(store.getState()).toMatchObject({ checkup, repair: undefined, refusal: undefined })
})

it('goes on one at a time, shows how far it is, and can be stopped', async () => {
  let end: (error: AppError) => void = () => undefined
  const { store, calls } = storeOver({
    check: () =>
      new Promise((_, reject) => {
        end = reject
      }),
  })
  const checking = store.getState().check()
  await store.getState().repairAll()
  store.getState().fold({ done: 1, all: 2 })
  expect(store.getState()).toMatchObject({ running: 'check', step: { done: 1, all: 2 } })
  await store.getState().stop()
  end(new AppError('cancelled', 'It was stopped.'))
  await checking
  expect(store.getState()).toMatchObject({
    running: undefined,
    step: undefined,
    refusal: undefined,
  })
  expect(calls.map(({ channel }) => channel)).toEqual(['checkup.check', 'checkup.stop'])
  store.getState().fold({ done: 2, all: 2 })
  expect(store.getState().step).toBeUndefined()
})

it('says why it was not checked or repaired', async () => {
  const { store } = storeOver({
    repair: async () => {
      throw new AppError('disk-full', 'The disk is full.')
    },
  })
  await store.getState().check()
  await store.getState().repairAll()
  expect(store.getState()).toMatchObject({ checkup, refusal: { code: 'disk-full' } })
})
