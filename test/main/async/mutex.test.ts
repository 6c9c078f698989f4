import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { joinCalls, Mutex } from '../../../src/main/async/mutex'

/** Work that ends when it is told to. */
function heldWork() {
  const { log, ends } = { log: [] as string[], ends: new Map<string, (error?: Error) => void>() }
  return {
    log,
    end: (name: string, error?: Error) => ends.get(name)?.(error),
    work: (name: string) => () =>
      new Promise<string>((resolve, reject) => {
        log.push(`${name} begins`)
        ends.set(name, (error) => {
          log.push(`${name} ends`)
          if (error === undefined) resolve(name)
          else reject(error)
        })
      }),
  }
}

describe('work behind a mutex', () => {
  it('begins when all before it has ended, in the order in which it was given', async () => {
    const { log, end, work } = heldWork()
    const mutex = new Mutex()
    const results = ['a', 'b', 'c'].map((name) => mutex.run(work(name)))
    for (const name of ['a', 'b', 'c']) {
      await expect.poll(() => log.at(-1)).toBe(`${name} begins`)
      end(name)
    }
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c'])
    expect(log).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  })

  it('fails alone: who gave it is told, and what waits goes on', async () => {
    const mutex = new Mutex()
    const failed = mutex.run(() => Promise.reject(new Error('full')))
    const thrown = mutex.run(() => {
      throw new Error('wrong')
    })
    const after = mutex.run(async () => 'done')
    await expect(failed).rejects.toThrow('full')
    await expect(thrown).rejects.toThrow('wrong')
    expect(await after).toBe('done')
  })

  it('is idle once all that was given has ended, also by an error', async () => {
    const { log, end, work } = heldWork()
    const mutex = new Mutex()
    await mutex.idle()
    const result = mutex.run(work('a')).catch(() => 'failed')
    const idle = mutex.idle().then(() => log.push('idle'))
    await setImmediate()
    end('a', new Error('full'))
    await idle
    expect(log).toEqual(['a begins', 'a ends', 'idle'])
    expect(await result).toBe('failed')
  })
})

describe('joined calls', () => {
  it('share the run that waits, and each is followed by a run that began after it', async () => {
    const { log, end, work } = heldWork()
    let runs = 0
    const call = joinCalls(() => work(String(++runs))())
    const first = call()
    await setImmediate()
    const late = [call(), call(), call()]
    end('1')
    expect(await first).toBe('1')
    await expect.poll(() => log.at(-1)).toBe('2 begins')
    const last = call()
    end('2')
    expect(await Promise.all(late)).toEqual(['2', '2', '2'])
    await expect.poll(() => log.at(-1)).toBe('3 begins')
    end('3')
    expect(await last).toBe('3')
    expect(log.filter((line) => line.endsWith('begins'))).toHaveLength(3)
  })
})
