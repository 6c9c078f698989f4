import { expect, it } from 'vitest'
import { silenceWatch } from '../../../../src/main/llm/provider/silence-watch'

const never = () => new Promise<never>(() => undefined)

it('lets nobody wait for a connection that was broken, even where the read never hears of it', async () => {
  const connection = new AbortController()
  const silence = silenceWatch(connection)
  const waiting = silence.limit(60_000, never)
  connection.abort()

  await expect(waiting).rejects.toThrow('the connection was broken')
  await expect(silence.limit(60_000, never)).rejects.toThrow('the connection was broken')
  expect(silence.brokenAfterMs).toBe(undefined)
})

it('breaks a connection that says nothing for too long', async () => {
  const connection = new AbortController()
  const silence = silenceWatch(connection)

  await expect(silence.limit(1, never)).rejects.toThrow('the connection was broken')
  expect(silence.brokenAfterMs).toBe(1)
  expect(connection.signal.aborted).toBe(true)
})

it('passes on what came in time', async () => {
  expect(await silenceWatch(new AbortController()).limit(60_000, async () => 'here')).toBe('here')
})

it('makes no error for each wait that ends in time', async () => {
  const reasons: unknown[] = []
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>(() => {
      signal?.addEventListener('abort', () => reasons.push(signal.reason))
    })
  const silence = silenceWatch(new AbortController(), { sleep })
  for (const piece of ['one', 'two'])
    expect(await silence.limit(60_000, async () => piece)).toBe(piece)
  expect(reasons.map((reason) => reason instanceof Error)).toEqual([false, false])
})
