import { expect, it } from 'vitest'
import { openWorkToEnd } from '../../../src/main/compose/ending-work'
import { quiet } from '../../support/quiet'

/** Work that goes on until it is ended; resolves to whether it was. */
const untilEnded = (ending: AbortSignal) =>
  new Promise<string>((resolve) => {
    if (ending.aborted) resolve('ended at once')
    ending.addEventListener('abort', () => resolve('ended'))
  })

it('ends work that goes on, and work that begins behind the end at once', async () => {
  const work = openWorkToEnd()
  const before = work.run(untilEnded)
  const ended = work.end()
  const meanwhile = work.run(untilEnded)
  await ended
  expect([await before, await meanwhile, await work.run(untilEnded)]).toEqual([
    ...['ended', 'ended at once', 'ended at once'],
  ])
})

it('waits for what began while it waited', async () => {
  const work = openWorkToEnd()
  const steps: string[] = []
  let finish = () => {}
  const first = work.run(async (ending) => {
    await untilEnded(ending)
    void work.run(async () => {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      steps.push('cleared away')
    })
  })
  const end = work.end().then(() => steps.push('ended'))
  await first
  await quiet()
  expect(steps).toEqual([])
  finish()
  await end
  expect(steps).toEqual(['cleared away', 'ended'])
})

it('stops what runs when all windows are closed, and runs what a window begins that is opened later', async () => {
  const work = openWorkToEnd()
  const before = work.run(untilEnded)
  work.stop()
  expect(await before).toBe('ended')
  expect(await work.run(async ({ aborted }) => aborted)).toBe(false)
})
