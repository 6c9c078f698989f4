import { AppError } from '../../../src/shared/model/basics/errors'
import { type EntryLabel, indexLabels } from '../../../src/shared/model/conversation/entry-labels'
import { checkedLabel } from '../../../src/shared/model/conversation/label'
import type { AllHandlers, MemoryApi } from '../../support/memory-api'
import type { MemoryContext } from './memory-home'

/** Labels of a home in memory. */
export function createMemoryLabels(deps: {
  readonly contexts: Map<string, MemoryContext>
  readonly tell: () => MemoryApi['tell']
  /** Throws what the next act is refused with. */
  readonly mayRefuse: () => void
}): AllHandlers['labels'] {
  let labels: readonly EntryLabel[] = []
  return {
    list: async () => [...labels],
    async set({ key, at: { entry }, label }) {
      deps.mayRefuse()
      if (!deps.contexts.has(key)) throw new AppError('not-found', `There is no "${key}".`)
      const before = indexLabels(labels).of(key, entry)
      const others = labels.filter((one) => one !== before)
      const given = label === null ? [] : [{ ...checkedLabel(label), key, entry, at: 1 }]
      labels = [...others, ...given]
      deps.tell().labels.changed({})
      return before ?? null
    },
  }
}
