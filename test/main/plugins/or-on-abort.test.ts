import { expect, it } from 'vitest'
import { orOnAbort } from '../../../src/main/plugins/or-on-abort'

const never = new Promise<string>(() => undefined)

it('waits for what comes, and not longer than anybody wants it', async () => {
  const controller = new AbortController()
  expect(await orOnAbort(Promise.resolve('said'), 'nothing', controller.signal)).toBe('said')
  const waiting = orOnAbort(never, 'nothing', controller.signal)
  controller.abort()
  expect(await waiting).toBe('nothing')
  expect(await orOnAbort(never, 'nothing', controller.signal)).toBe('nothing')
  expect(await orOnAbort(Promise.resolve('said'), 'nothing', undefined)).toBe('said')
})

it('tells what failed', async () => {
  const work = Promise.reject(new Error('broken'))
  await expect(orOnAbort(work, 'nothing', new AbortController().signal)).rejects.toThrow('broken')
})
