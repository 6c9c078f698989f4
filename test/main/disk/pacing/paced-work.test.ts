import { expect, it, onTestFinished, vi } from 'vitest'
import { pacedWork } from '../../../../src/main/disk/pacing/paced-work'

/** Work that lasts until it is told to end. */
function heldWork() {
  let begun = 0
  let end = () => {}
  let heard = () => {}
  return {
    begun: () => begun,
    end: () => end(),
    untilBegun: async (count: number) => {
      while (begun < count)
        await new Promise<void>((resolve) => {
          heard = resolve
        })
    },
    work: () =>
      new Promise<void>((resolve) => {
        begun += 1
        end = resolve
        heard()
      }),
  }
}

it('does once, afterwards, what is asked for while it works', async () => {
  const { work, begun, end, untilBegun } = heldWork()
  const pace = pacedWork(work)
  pace.ask()
  pace.ask()
  pace.ask()
  expect(begun()).toBe(1)
  end()
  await untilBegun(2)
  end()
  pace.ask()
  await untilBegun(3)
  expect(begun()).toBe(3)
})

it('is quiet for a multiple of the time that it worked', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { work, begun, end } = heldWork()
  const pace = pacedWork(work)
  pace.ask()
  await vi.advanceTimersByTimeAsync(50)
  end()
  pace.ask()
  await vi.advanceTimersByTimeAsync(199)
  expect(begun()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(begun()).toBe(2)
})

it('does nothing more once it is stopped', () => {
  const { work, begun } = heldWork()
  const pace = pacedWork(work)
  pace.stop()
  pace.ask()
  expect(begun()).toBe(0)
})
