import { expect, it } from 'vitest'
import { goToWanted } from '../../../../src/renderer/state/landmarks/go-to'
import { createLandmarksStore } from '../../../../src/renderer/state/landmarks/landmarks'
import type { Api } from '../../../../src/shared/ipc/contract'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { NumberedPlace, PlaceWanted } from '../../../../src/shared/model/landmarks/landmarks'

const place: NumberedPlace = { number: 3, file: 'f', offset: 30, at: null, bytes: 30 }

/** An open outline whose places are given by the test, one after the other. */
function openedOutline() {
  const asked: PlaceWanted[] = []
  const waiting: ((found: readonly (NumberedPlace | null)[]) => void)[] = []
  const api = {
    landmarks: {
      list: () => new Promise(() => undefined),
      places({ wanted }: { readonly wanted: readonly PlaceWanted[] }) {
        asked.push(...wanted)
        return new Promise((resolve) => waiting.push(resolve))
      },
    },
  } as unknown as Api
  const landmarks = createLandmarksStore(api)
  landmarks.getState().follow(LibraryKey.parse('tide'), undefined)
  landmarks.getState().open('end')
  const gone: unknown[] = []
  const stores = { landmarks } as unknown as Parameters<typeof goToWanted>[0]
  const actions = {
    async openAt(_: LibraryKey, target: unknown) {
      gone.push(target)
      return true
    },
  }
  const go = (wanted: PlaceWanted) => goToWanted(stores, actions, wanted, () => gone.push('before'))
  return { landmarks, asked, gone, go, give: (at: number) => waiting[at]?.([place]) }
}

it('goes to what was looked for while the outline is open, and says so right before', async () => {
  const { landmarks, gone, go, give } = openedOutline()
  const going = go({ number: 3 })
  expect(gone).toEqual([])
  give(0)
  expect(await going).toBeUndefined()
  expect(gone).toEqual(['before', { file: 'f', offset: 30 }])
  expect(landmarks.getState().isOpen).toBe(false)
})

it('goes nowhere once the outline was closed, also where it is open again', async () => {
  const { landmarks, gone, go, give } = openedOutline()
  const going = go({ number: 3 })
  landmarks.getState().close()
  landmarks.getState().open('end')
  give(0)
  expect(await going).toBeUndefined()
  expect(gone).toEqual([])
  expect(landmarks.getState().isOpen).toBe(true)
})

it('looks for the same once at a time, and goes where it was asked to last', async () => {
  const { asked, gone, go, give } = openedOutline()
  const first = go({ number: 3 })
  expect(await go({ number: 3 })).toBeUndefined()
  expect(asked).toEqual([{ number: 3 }])
  const second = go({ number: 4 })
  give(0)
  await first
  expect(gone).toEqual([])
  give(1)
  await second
  expect(gone).toHaveLength(2)
})
