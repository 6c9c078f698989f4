import type { RunFailure } from '../../../shared/model/run/run'
import {
  ProviderError,
  type ProviderEvent,
  type ProviderRequest,
  type ProviderStream,
} from '../chat/provider'
import type { Clock } from '../timing/clock'

/**
 * An event of a request and its retries. `failed` or the provider's `finish` is the last; an aborted one ends with
 * neither.
 */
export type AttemptEvent =
  | ProviderEvent
  /** A request goes out now. Attempts count from 1. */
  | { readonly type: 'requesting'; readonly attempt: number }
  /** `attempt` is the one that follows after the wait. */
  | {
      readonly type: 'retrying'
      readonly attempt: number
      readonly waitMs: number
      readonly failure: RunFailure
    }
  | { readonly type: 'failed'; readonly failure: RunFailure }

// A person waits for this: after some 7 s without an answer it is better to say so.
const mostAttempts = 4
const firstWaitMs = 1000
// A provider that asks for longer is not waited for: a person decides.
const longestWaitMs = 60_000

/**
 * Makes a request, and repeats it while nothing of its answer came and the failure is transient: 408, 409, 429, 5xx,
 * and connections that fail. At most four requests, with 1, 2 and 4 s between them (up to half of it less, at
 * random, so that many clients do not come back at once), or what Retry-After asks for, up to 60 s.
 *
 * Once a part of the answer came, nothing is repeated: it would come twice, and be paid twice.
 */
export async function* requestWithRetry(
  provider: ProviderStream,
  request: ProviderRequest,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<AttemptEvent, void, void> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    yield { type: 'requesting', attempt }
    let answered = false
    try {
      for await (const event of provider(request, signal)) {
        if (isAnswer(event)) answered = true
        yield event
      }
      return
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error // A mistake of ours: not to be repeated.
      const waitMs = answered ? undefined : waitBefore(attempt + 1, error, clock)
      if (waitMs === undefined) {
        yield { type: 'failed', failure: lastFailure(error, attempt, answered) }
        return
      }
      yield { type: 'retrying', attempt: attempt + 1, waitMs, failure: error.failure(attempt) }
      await clock.sleep(waitMs, signal)
    }
  }
}

function isAnswer({ type }: ProviderEvent): boolean {
  return type === 'content' || type === 'reasoning' || type === 'calls' || type === 'media'
}

/** Returns the ms to wait before an attempt; undefined when there is to be none. */
function waitBefore(attempt: number, error: ProviderError, clock: Clock): number | undefined {
  const { transient, retryAfterMs } = error.fault
  if (!transient || attempt > mostAttempts) return undefined
  if (retryAfterMs !== undefined && retryAfterMs > longestWaitMs) return undefined
  const backoffMs = firstWaitMs * 2 ** (attempt - 2) * (1 - clock.random() / 2)
  return Math.ceil(Math.max(backoffMs, retryAfterMs ?? 0))
}

/** Says also how long the provider wants to be left alone, where that is why nothing is tried again. */
function lastFailure(error: ProviderError, attempts: number, answered: boolean): RunFailure {
  const failure = error.failure(attempts)
  const waitMs = error.fault.retryAfterMs
  if (answered || waitMs === undefined || waitMs <= longestWaitMs) return failure
  return {
    ...failure,
    advice: `It accepts no requests for the next ${inWords(waitMs)}. ${failure.advice}`,
  }
}

function inWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000)
  if (minutes < 120) return `${minutes} minutes`
  return `${Math.ceil(minutes / 60)} hours`
}
