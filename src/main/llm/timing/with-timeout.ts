import { setMaxListeners } from 'node:events'
import type { Clock } from './clock'

/** The outcome of work that may hang. */
export type TimedOutcome<T> =
  | { readonly type: 'done'; readonly value: T }
  | { readonly type: 'threw'; readonly message: string }
  /** It was aborted when its time was over, and had no value even then. */
  | { readonly type: 'late' }
  /** The same, because the signal aborted. */
  | { readonly type: 'stopped' }

/**
 * Waits for work, at most `timeoutMs` (undefined: without a limit) or until the signal aborts; then aborts the work
 * and waits `graceMs` more. A value that comes in that time counts; an error in that time is the effect of the
 * abort. Never rejects.
 */
export async function withTimeout<T>(
  work: (signal: AbortSignal) => Promise<T>,
  limits: { readonly timeoutMs?: number | undefined; readonly graceMs: number },
  clock: Clock,
  signal: AbortSignal,
): Promise<TimedOutcome<T>> {
  const own = new AbortController()
  // What works may ask many others at once, each of which listens.
  setMaxListeners(0, own.signal)
  const timers = new AbortController()
  let stop: () => void = () => undefined
  const stopped = new Promise<TimedOutcome<T>>((resolve) => {
    stop = () => resolve({ type: 'stopped' })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  const ran = outcomeOf(work, own.signal)
  const late = async (ms: number, as: TimedOutcome<T>): Promise<TimedOutcome<T>> => {
    await clock.sleep(ms, timers.signal)
    return as
  }
  try {
    const ends = [ran, stopped]
    if (limits.timeoutMs !== undefined) ends.push(late(limits.timeoutMs, { type: 'late' }))
    const first = await Promise.race(ends)
    if (first.type === 'done' || first.type === 'threw') return first
    own.abort()
    const then = await Promise.race([ran, late(limits.graceMs, first)])
    return then.type === 'threw' ? first : then
  } finally {
    signal.removeEventListener('abort', stop)
    timers.abort()
  }
}

async function outcomeOf<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<TimedOutcome<T>> {
  try {
    return { type: 'done', value: await work(signal) }
  } catch (error) {
    return { type: 'threw', message: error instanceof Error ? error.message : String(error) }
  }
}
