import { clearTimeout, setTimeout } from 'node:timers'

/**
 * Resolves after `ms`, or as soon as the signal aborts. Never rejects. Cheap to abort, unlike Node's own: each piece of an answer
 * ends a wait, and an error with its stack for each took longer than to read it.
 */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
