import { expect, it } from 'vitest'
import { runInSlices, type Sliced, yieldWhenDue } from '../../../../src/main/disk/pacing/slices'

function* slices(count: number, bytes: number, work: () => void): Sliced<string> {
  for (let n = 0; n < count; n++) {
    work()
    yield bytes
  }
  return 'done'
}

/** What is told at each way around the event loop, of 100 slices of 10 bytes that take so many milliseconds each. */
async function turnsOf(sliceMs: number): Promise<readonly number[]> {
  let nowMs = 1_000_000
  const told: number[] = []
  const breathe = yieldWhenDue(
    () => nowMs,
    async (bytes) => {
      told.push(bytes)
      // What others take is no part of the next turn.
      nowMs += 500
    },
  )
  const work = slices(100, 10, () => {
    nowMs += sliceMs
  })
  expect(await runInSlices(work, breathe)).toBe('done')
  return told
}

it('slices that are short share a turn of eight milliseconds', async () => {
  const told = await turnsOf(1)
  // The first slice does not know how long the turn has lasted that it came in.
  expect(told[0]).toBe(10)
  expect(told.slice(1)).toEqual(Array(12).fill(80))
})

it('others have their turn after every slice that takes long', async () => {
  expect(await turnsOf(20)).toEqual(Array(100).fill(10))
})

it('two works side by side share a turn, and both come to their end', async () => {
  let nowMs = 0
  let turns = 0
  const breathe = yieldWhenDue(
    () => nowMs,
    async () => {
      turns += 1
      await new Promise((resolve) => setImmediate(resolve))
    },
  )
  const work = () =>
    slices(50, 10, () => {
      nowMs += 1
    })
  expect(await Promise.all([runInSlices(work(), breathe), runInSlices(work(), breathe)])).toEqual([
    'done',
    'done',
  ])
  expect(turns).toBeGreaterThan(5)
  expect(turns).toBeLessThan(50)
})
