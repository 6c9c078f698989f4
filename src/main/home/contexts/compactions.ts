import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { CompactionMode } from '../../../shared/model/run/run'
import { anySignal } from '../../async/any-signal'
import type { CompactionResult, CompactionStep, ManualCompaction } from '../../llm/compaction'

/** A compaction that a person asked for, while it goes on. */
export interface RunningCompaction {
  readonly key: LibraryKey
  readonly mode: CompactionMode
  readonly phase: CompactionStep['phase'] | 'ended'
}

/** Compactions that a person asks for: one at a time in a context, and never during a run. */
export interface Compactions {
  /**
   * Makes room in what a context's model is sent; the transcript stays. Resolves to its end.
   *
   * @param signal stops it, as `cancel` does
   * @throws AppError `busy`, `locked`, `no-model`, `no-key`, `not-found`
   */
  compact(wish: ManualCompaction, signal?: AbortSignal): Promise<CompactionResult>
  /** Stops it: what the model is sent stays as it was. Does nothing when there is none. */
  cancel(context: string): void
  running(): readonly RunningCompaction[]
}

/** The same, for who closes the home. */
export interface OpenCompactions extends Compactions {
  /** Stops all of them; resolves when their locks are given back. */
  close(): Promise<void>
}

interface CompactionsDeps {
  /** Carries one out; see `compactContext`. */
  readonly steps: (
    wish: ManualCompaction,
    signal: AbortSignal,
  ) => AsyncGenerator<CompactionStep, CompactionResult, void>
  readonly isRunning: (context: string) => boolean
  /** Resolves when the last run in a context has given its lock back. */
  readonly released: (context: string) => Promise<void>
  readonly changed: (compaction: RunningCompaction) => void
  /** Entries of this context are on the disk, maybe; resolves when the app window has the event. */
  readonly appended: (key: LibraryKey) => Promise<void>
}

interface Going {
  state: RunningCompaction
  readonly halt: ReturnType<typeof anySignal>
  ended: Promise<unknown>
}

/** Opens the compactions of a home; none is going on. */
export function openCompactions(deps: CompactionsDeps): OpenCompactions {
  const going = new Map<string, Going>()

  async function carryOut(one: Going, wish: ManualCompaction): Promise<CompactionResult> {
    await deps.released(wish.context)
    const steps = deps.steps(wish, one.halt.signal)
    let step = await steps.next()
    for (; !step.done; step = await steps.next()) {
      one.state = { ...one.state, phase: step.value.phase }
      deps.changed(one.state)
    }
    return step.value
  }

  return {
    async compact(wish, signal) {
      const { context, mode } = wish
      const key = libraryKeyOf('chibi', context)
      if (going.has(context) || deps.isRunning(context))
        throw new AppError('busy', `"${context}" is being written. Stop that first.`)
      const halt = anySignal([signal])
      const one: Going = {
        state: { key, mode, phase: mode === 'rolling' ? 'choosing' : 'summarizing' },
        halt,
        ended: Promise.resolve(),
      }
      going.set(context, one)
      const ending = carryOut(one, wish)
      one.ended = ending.catch(() => undefined)
      try {
        return await ending
      } finally {
        halt.release()
        going.delete(context)
        deps.changed({ ...one.state, phase: 'ended' })
        // Also where it failed: a writer that opened the context may have mended it.
        await deps.appended(key)
      }
    },
    cancel: (context) => going.get(context)?.halt.release(),
    running: () => [...going.values()].map(({ state }) => state),
    async close() {
      const all = [...going.values()]
      for (const { halt } of all) halt.release()
      await Promise.all(all.map((one) => one.ended))
    },
  }
}
