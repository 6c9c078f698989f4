import type { Contract } from '../../../shared/ipc/contract'
import type { CompactionEnd } from '../../../shared/ipc/runs/compaction'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { CompactionResult } from '../../llm/compaction'
import type { CurrentHome } from '../current/current-home'
import { contextNameOf } from '../current/our-context'

/** Serves the compactions that a person asks for. */
export function compactionHandlers(
  home: CurrentHome<'compactions'>,
): Handlers<Contract['compaction']> {
  return {
    compact: async ({ key, mode }) =>
      endOf(await home().compactions.compact({ context: contextNameOf(key), mode })),
    cancel: async ({ key }) => home().compactions.cancel(contextNameOf(key)),
    running: async () => [...home().compactions.running()],
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
