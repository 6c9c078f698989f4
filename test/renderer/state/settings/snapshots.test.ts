import { expect, it } from 'vitest'
import { createApi } from '../../../../src/renderer/api'
import { createSnapshotsStore } from '../../../../src/renderer/state/settings/snapshots'
import type { SnapshotDone } from '../../../../src/shared/ipc/app/snapshots'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { createMemoryApi } from '../../../support/memory-api'

const done: SnapshotDone = { act: 'take', files: 1, bytes: 2, shown: '~/a.zip', leftOut: [] }
const step = { act: 'take', phase: 'copying', bytes: 1, totalBytes: 2 } as const

it('shows what goes on until it has ended, and then what was written', async () => {
  let end: (value: SnapshotDone | null) => void = () => undefined
  const { transport, calls } = createMemoryApi({
    snapshots: {
      take: () =>
        new Promise((resolve) => {
          end = resolve
        }),
      restore: async () => null,
      stop: async () => undefined,
    },
  })
  const store = createSnapshotsStore(createApi(transport))
  const taking = store.getState().begin('take')
  await store.getState().begin('restore')
  store.getState().fold(step)
  expect(store.getState()).toMatchObject({ running: 'take', step })
  await store.getState().stop()
  end(done)
  await taking
  expect(store.getState()).toMatchObject({ running: undefined, step: undefined, done })
  expect(calls.map(({ channel }) => channel)).toEqual(['snapshots.take', 'snapshots.stop'])
  await store.getState().begin('restore')
  expect(store.getState()).toMatchObject({
    running: undefined,
    done: undefined,
    refusal: undefined,
  })
})

it('keeps why none was written', async () => {
  const { transport } = createMemoryApi({
    snapshots: {
      take: async () => {
        throw new AppError('disk-full', 'The disk is full.')
      },
      restore: async () => null,
      stop: async () => undefined,
    },
  })
  const store = createSnapshotsStore(createApi(transport))
  await store.getState().begin('take')
  expect(store.getState()).toMatchObject({
    running: undefined,
    refusal: { act: 'take', error: { code: 'disk-full' } },
  })
})

it('shows what was begun before the page was loaded anew, with its end', async () => {
  const { transport } = createMemoryApi({
    snapshots: { take: async () => null, restore: async () => null, stop: async () => undefined },
  })
  const store = createSnapshotsStore(createApi(transport))
  store.getState().fold(step)
  expect(store.getState()).toMatchObject({ running: 'take', step })
  store.getState().end(done)
  expect(store.getState()).toMatchObject({ running: undefined, step: undefined, done })
  const taking = store.getState().begin('take')
  store.getState().end(undefined)
  expect(store.getState().running).toBe('take')
  await taking
  expect(store.getState().running).toBeUndefined()
})

it('asks for the passphrase of what is encrypted, hands it on, and keeps it nowhere', async () => {
  const given: unknown[] = []
  const { transport } = createMemoryApi({
    snapshots: {
      take: async () => null,
      restore: async (wanted) => {
        given.push(wanted)
        if (wanted.passphrase === 'tulips') return { ...done, act: 'restore' as const }
        throw new AppError('passphrase', 'a.zip.age is encrypted. It needs its passphrase.')
      },
      stop: async () => undefined,
    },
  })
  const store = createSnapshotsStore(createApi(transport))
  await store.getState().begin('restore')
  expect(store.getState()).toMatchObject({
    locked: expect.stringContaining('is encrypted'),
    refusal: undefined,
  })
  store.getState().giveUpPassphrase()
  expect(store.getState()).toMatchObject({ locked: undefined, refusal: undefined })
  await store.getState().begin('restore')
  await store.getState().begin('restore', 'roses')
  expect(store.getState()).toMatchObject({
    locked: expect.stringContaining('is encrypted'),
    refusal: { act: 'restore', error: { code: 'passphrase' } },
  })
  // Taking one meanwhile leaves it waiting.
  await store.getState().begin('take')
  expect(store.getState().locked).toContain('is encrypted')
  await store.getState().begin('restore', 'tulips')
  expect(store.getState()).toMatchObject({ locked: undefined, refusal: undefined })
  expect(given).toEqual([{}, {}, { passphrase: 'roses' }, { passphrase: 'tulips' }])
  expect(JSON.stringify(store.getState())).not.toContain('tulips')
})
