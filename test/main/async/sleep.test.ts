import { expect, it } from 'vitest'
import { sleep } from '../../../src/main/async/sleep'

const forEver = 2 ** 31 - 1

it('a sleep ends when its signal aborts, before it or during it, without an error', async () => {
  const controller = new AbortController()
  const asleep = sleep(forEver, controller.signal)
  controller.abort()
  expect(await asleep).toBeUndefined()
  expect(await sleep(forEver, controller.signal)).toBeUndefined()
})

it('a sleep without a signal ends by itself', async () => {
  expect(await sleep(0)).toBeUndefined()
})
