import vm from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMatcher } from '../../../../src/main/tools/files/pattern'

/** Stops the next runs of a pattern, each after it has computed for some of its time; gives the limits of all runs. */
function interrupted(...computedMs: readonly number[]): () => readonly unknown[] {
  const real = vm.Script.prototype.runInContext
  const left = [...computedMs]
  const run = vi.spyOn(vm.Script.prototype, 'runInContext').mockImplementation(function (
    this: vm.Script,
    ...args
  ) {
    const ms = left.shift()
    if (ms === undefined) return real.apply(this, args)
    vi.spyOn(process, 'cpuUsage').mockReturnValueOnce({ user: ms * 900, system: ms * 100 })
    throw Object.assign(new Error('stopped'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' })
  })
  return () => run.mock.calls.map(([, options]) => options?.timeout)
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a pattern', () => {
  it('that the machine hardly let compute is tried again, with more time', () => {
    const matching = createMatcher('b')
    const limits = interrupted(3, 249)
    expect(matching(['a', 'b', 'ab'])).toEqual([1, 2])
    expect(limits()).toEqual([250, 1000, 4000])
  })

  it('that computes for a quarter of a second is given up', () => {
    const matching = createMatcher('b')
    const limits = interrupted(3, 250)
    expect(() => matching(['a', 'b'])).toThrow('the pattern takes too long on these lines')
    expect(limits()).toEqual([250, 1000])
  })

  it('is given up as well where the machine lets nothing compute', () => {
    const matching = createMatcher('b')
    const limits = interrupted(0, 0, 0, 0, 0)
    expect(() => matching(['a', 'b'])).toThrow('the pattern takes too long on these lines')
    expect(limits()).toEqual([250, 1000, 4000, 16_000])
  })

  it('is taken for one when it was stopped while it was made', () => {
    interrupted(1)
    expect(createMatcher('^a$')(['a', 'b'])).toEqual([0])
  })
})
