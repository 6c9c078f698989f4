import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { anySignal } from '../../../src/main/async/any-signal'
import { systemClock } from '../../../src/main/llm/timing/clock'
import { withTimeout } from '../../../src/main/llm/timing/with-timeout'

/** Names of the warnings that the process gives. */
function warnings(): readonly string[] {
  const names: string[] = []
  const take = ({ name }: Error) => void names.push(name)
  process.on('warning', take)
  onTestFinished(() => void process.off('warning', take))
  return names
}

it('any number of calls at once may listen to the signal of a run, and nobody is warned', async () => {
  const seen = warnings()
  const run = new AbortController()
  const halt = anySignal([run.signal])
  const call = () =>
    withTimeout(
      (signal) =>
        Promise.all(
          Array.from(
            { length: 15 },
            () => new Promise((resolve) => signal.addEventListener('abort', resolve)),
          ),
        ),
      { graceMs: 1000 },
      systemClock,
      halt.signal,
    )
  const calls = Array.from({ length: 15 }, call)
  await setImmediate()
  run.abort()
  expect((await Promise.all(calls)).map(({ type }) => type)).toEqual(Array(15).fill('done'))
  await setImmediate()
  expect(seen).toEqual([])
})

it('a signal of several aborts with the first of them, and one that is over aborts it at once', () => {
  const [a, b] = [new AbortController(), new AbortController()]
  const halt = anySignal([a.signal, undefined, b.signal])
  expect(halt.signal.aborted).toBe(false)
  b.abort()
  expect(halt.signal.aborted).toBe(true)
  expect(anySignal([a.signal, b.signal]).signal.aborted).toBe(true)
})

it('a signal that was released aborts, and hears nothing more', () => {
  const listened = new Map<string, number>()
  const { signal } = new AbortController()
  const count = (by: number) => (type: string) => listened.set(type, (listened.get(type) ?? 0) + by)
  Object.assign(signal, { addEventListener: count(1), removeEventListener: count(-1) })
  const halt = anySignal([signal])
  expect(listened).toEqual(new Map([['abort', 1]]))
  halt.release()
  expect(halt.signal.aborted).toBe(true)
  expect(listened).toEqual(new Map([['abort', 0]]))
})

it('any number of calls may join one signal, as lists of many roots do, and nobody is warned', async () => {
  const seen = warnings()
  const { signal } = new AbortController()
  const joined = Array.from({ length: 40 }, () => anySignal([signal, undefined]))
  await setImmediate()
  for (const { release } of joined) release()
  expect(seen).toEqual([])
})
