import { expect, it } from 'vitest'
import {
  type LayoutRequest,
  layoutSession,
} from '../../../../src/renderer/map/layout/layout-session'
import { mapLayouts } from '../../../../src/renderer/map/layout/layouts'
import { layOut } from '../../../../src/shared/model/map/layout'
import { layoutInput, seededFamily } from '../../../support/map-families'

function inputOf(branches: number) {
  const family = seededFamily(branches)
  return layoutInput(family.family(family.leaves[0])).input
}

/** A worker that answers when the test says so. */
function handWorker() {
  const session = layoutSession()
  const asked: LayoutRequest[] = []
  const worker = {
    onmessage: null as ((event: MessageEvent) => void) | null,
    onerror: null as ((event: ErrorEvent) => void) | null,
    postMessage: (request: LayoutRequest) => void asked.push(request),
    terminate: () => undefined,
  }
  const answer = () => {
    for (const request of asked.splice(0))
      worker.onmessage?.({ data: session(request) } as MessageEvent)
  }
  return { worker: worker as unknown as Worker, raw: worker, answer }
}

it('gives the last of several layouts alone, and undefined for those before', async () => {
  const { worker, answer } = handWorker()
  const layouts = mapLayouts(() => worker)
  const first = layouts.layOut(inputOf(3), true)
  const second = layouts.layOut(inputOf(5), true)
  answer()
  expect(await first).toBe(undefined)
  expect((await second)?.x1).toEqual(layOut(inputOf(5)).x1)
  layouts.close()
})

it('lays out in the window where the worker cannot start, or fails', async () => {
  const without = mapLayouts(() => {
    throw new Error('no worker here')
  })
  expect((await without.layOut(inputOf(4), true))?.lane).toEqual(layOut(inputOf(4)).lane)
  const { worker, raw } = handWorker()
  const failing = mapLayouts(() => worker)
  const asked = failing.layOut(inputOf(4), true)
  raw.onerror?.({} as ErrorEvent)
  expect((await asked)?.lane).toEqual(layOut(inputOf(4)).lane)
})

it('fails with what the layout throws, where the worker failed before it and there is another request after it', async () => {
  const { worker, raw } = handWorker()
  const layouts = mapLayouts(() => worker)
  const broken = new Error('no place for a branch')
  const input = Object.defineProperty({ ...inputOf(4) }, 'parents', {
    get: () => {
      throw broken
    },
  })
  const asked = layouts.layOut(input, true)
  raw.onerror?.({} as ErrorEvent)
  await expect(asked).rejects.toBe(broken)
  await expect(layouts.layOut(input, false)).rejects.toBe(broken)
  expect((await layouts.layOut(inputOf(4), true))?.lane).toEqual(layOut(inputOf(4)).lane)
})

it('ends what is waited for when it is closed', async () => {
  const { worker } = handWorker()
  const layouts = mapLayouts(() => worker)
  const asked = layouts.layOut(inputOf(2), true)
  layouts.close()
  expect(await asked).toBe(undefined)
})
