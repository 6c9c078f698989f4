import type { Contract } from '../../../shared/ipc/contract'
import type { CompactionEnd, CompactionState } from '../../../shared/ipc/runs/compaction'
import type { Emitters, Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import type { CompactionResult, CompactionStep, ManualCompaction } from '../../llm/compaction'
import { ourContext } from '../current/our-context'
import type { CurrentHome } from '../open-home'

/** What of the outside the calls need. */
export interface CompactionOutside {
  /** Makes room in a context of the home that is open. */
  compact(
    wish: ManualCompaction,
    signal: AbortSignal,
  ): AsyncGenerator<CompactionStep, CompactionResult, void>
  /** Has the transcript on the screen read on. */
  poke(key: string): Promise<void>
}

/** The compactions that a person asks for: one at a time in a context. */
export interface CompactionDomain {
  readonly handlers: Handlers<Contract['compaction']>
  /** Stops all of them and resolves when their locks are given back. */
  close(): Promise<void>
}

interface Going {
  state: CompactionState
  readonly controller: AbortController
  ended: Promise<unknown>
}

export function compactionDomain(
  home: CurrentHome,
  tell: Emitters<Contract['compaction']>,
  outside: CompactionOutside,
): CompactionDomain {
  const going = new Map<string, Going>()

  async function carryOut(one: Going, wish: ManualCompaction): Promise<CompactionResult> {
    const steps = outside.compact(wish, one.controller.signal)
    let step = await steps.next()
    for (; !step.done; step = await steps.next()) {
      one.state = { ...one.state, phase: step.value.phase }
      tell.state(one.state)
    }
    return step.value
  }

  return {
    handlers: {
      async compact({ key, mode }) {
        const context = ourContext(key)
        const { runs, library } = home()
        if (going.has(context) || runs.isRunning(context))
          throw new AppError('busy', `"${context}" is being written. Stop that first.`)
        const one: Going = {
          state: { key, mode, phase: mode === 'rolling' ? 'choosing' : 'summarizing' },
          controller: new AbortController(),
          ended: Promise.resolve(),
        }
        going.set(context, one)
        const ending = carryOut(one, { context, mode })
        one.ended = ending.catch(() => undefined)
        try {
          return endOf(await ending)
        } finally {
          going.delete(context)
          tell.state({ ...one.state, phase: 'ended' })
          // Also where it failed: a writer that opened the context may have mended it.
          await outside.poke(key)
          void library.refresh(key)
        }
      },
      cancel: async ({ key }) => going.get(ourContext(key))?.controller.abort(),
      running: async () => [...going.values()].map(({ state }) => state),
    },
    async close() {
      const all = [...going.values()]
      for (const one of all) one.controller.abort()
      await Promise.all(all.map((one) => one.ended))
    },
  }
}

function endOf(end: CompactionResult): CompactionEnd {
  switch (end.type) {
    case 'compacted': {
      const { archived, kept, tokensBefore, tokensAfter, notes } = end
      return { outcome: 'compacted', archived, kept, tokensBefore, tokensAfter, notes: [...notes] }
    }
    case 'nothing':
      return { outcome: 'nothing', messages: end.messages }
    case 'failed':
      return { outcome: 'failed', words: end.words }
    case 'stopped':
      return { outcome: 'stopped' }
  }
}
