import { setTimeout as delay } from 'node:timers/promises'

/** Resolves after `ms`, or as soon as the signal aborts. Never rejects. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  // It rejects for one reason alone, the signal.
  await delay(ms, undefined, { ...(signal && { signal }) }).catch(() => undefined)
}
