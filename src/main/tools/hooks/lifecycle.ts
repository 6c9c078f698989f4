import { anySignal } from '../../async/any-signal'
import type { HookData, Hooks } from './hooks'

/** The lifecycle of a program that opens a home, as plugins learn of it: it starts, switches contexts, and ends. */
export interface Lifecycle {
  /** Calls `on_start`, only once. Never rejects. */
  start(signal?: AbortSignal): Promise<void>
  /**
   * Calls `on_context_switch` where the program was in another context before, and `on_start` before that where it
   * was not called. Never rejects.
   */
  enter(context: string, signal?: AbortSignal): Promise<void>
  /** Calls `on_end` where `on_start` was called, once. Resolves after five seconds at the latest. Never rejects. */
  end(): Promise<void>
}

interface LifecycleDeps {
  readonly hooks: Hooks
  /** The payload of `on_start`. */
  readonly facts: (context: string | undefined, signal?: AbortSignal) => Promise<HookData>
  /** The context that a program before this one was in last. */
  readonly before?: (() => Promise<string | undefined>) | undefined
}

/** A program that closes is not kept open by a plugin for longer. */
const longestEndMs = 5000

/** Returns the lifecycle of a program that has not started yet. */
export function openLifecycle({ hooks, facts, before: last }: LifecycleDeps): Lifecycle {
  /** Ends the hooks that still run when the program ends. */
  const ending = new AbortController()
  let started: Promise<string | undefined> | undefined
  let ended: Promise<void> | undefined
  /** The context where the program is: the hook of each switch is called after that of the one before. */
  let place: Promise<string | undefined> = Promise.resolve(undefined)

  /** Calls `on_start`; resolves to the context of the program before. */
  function begin(context: string | undefined, signal: AbortSignal | undefined) {
    return until([ending.signal, signal], async (halt) => {
      // A caller that needs the facts reports a failure; plugins learn of the program all the same.
      const data = await facts(context, halt).catch(() => ({}))
      await hooks.call('on_start', data, halt)
      return last?.().catch(() => undefined)
    })
  }

  async function tellEnd(): Promise<void> {
    if (started === undefined) return
    const late = AbortSignal.timeout(longestEndMs)
    late.addEventListener('abort', () => ending.abort(), { once: true })
    await started
    await place
    await hooks.call('on_end', {}, late)
  }

  return {
    async start(signal) {
      started ??= begin(undefined, signal)
      await started
    },
    async enter(context, signal) {
      started ??= begin(context, signal)
      const first = started
      const move = place.then(async (now) => {
        const from = now ?? (await first)
        if (from !== undefined && from !== context) {
          const change = { from_context: from, to_context: context, is_transient: false }
          await until([ending.signal, signal], (halt) =>
            hooks.call('on_context_switch', change, halt),
          )
        }
        return context
      })
      place = move
      await move
      await first
    },
    end() {
      ended ??= tellEnd()
      return ended
    },
  }
}

/** Does something with a signal that aborts when one of these does. */
async function until<T>(
  signals: readonly (AbortSignal | undefined)[],
  act: (halt: AbortSignal) => Promise<T>,
): Promise<T> {
  const halt = anySignal(signals)
  try {
    return await act(halt.signal)
  } finally {
    halt.release()
  }
}
