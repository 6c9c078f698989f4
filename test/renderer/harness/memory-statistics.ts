import { machineClock } from '../../../src/shared/model/basics/time-spec'
import { isGeneratedName } from '../../../src/shared/model/basics/title'
import { LibraryKey, parseLibraryKey } from '../../../src/shared/model/conversation/conversation'
import type { StatisticsAnswer } from '../../../src/shared/model/statistics/answer'
import type { StatisticsFacts } from '../../../src/shared/model/statistics/conversation-facts'
import { EntriesFold } from '../../../src/shared/model/statistics/entries-fold'
import { conversationsOfMark } from '../../../src/shared/model/statistics/marks'
import { type SelectedFacts, selectFacts } from '../../../src/shared/model/statistics/selection'
import { sumStatistics } from '../../../src/shared/model/statistics/statistics'
import type { AllHandlers } from '../../support/memory-api'
import type { MemoryContext } from './memory-home'

/** Statistics of a home in memory, summed as main does. */
export function createMemoryStatistics(deps: {
  readonly contexts: ReadonlyMap<string, MemoryContext>
  /** Waits while the test holds answers back, then throws what it refuses with. */
  readonly gate: () => Promise<void>
  /** Conversations that are never read. */
  readonly unread: number
}): AllHandlers['statistics'] {
  const { contexts, gate, unread } = deps
  const allFacts = () => [...contexts.values()].map(factsOf)

  return {
    async read({ filter, step }): Promise<StatisticsAnswer> {
      await gate()
      const facts = allFacts()
      const selected = selectFacts(facts, filter)
      const statistics = sumStatistics(selected, familiesOf(selected), step)
      const { longest } = statistics
      const names = (namesOf: (one: StatisticsFacts) => readonly (string | null)[]) =>
        counted(facts.flatMap((one) => [...new Set(namesOf(one))]))
      return {
        statistics,
        longest: longest === null ? null : keyOf(longest),
        choices: {
          sources: names(({ source }) => [source]),
          projects: names(({ project }) => [project]),
          models: names(({ lengths }) => lengths.flatMap(({ model }) => model ?? [])),
        },
        reading: { read: facts.length, total: facts.length + unread, isDone: unread === 0 },
        unread: [],
        unreadTotal: 0,
      }
    },
    async conversations({ filter, mark }) {
      await gate()
      const selected = selectFacts(allFacts(), filter)
      const found = conversationsOfMark(selected, familiesOf(selected), mark)
      const keys = found.flatMap((at) => selected[at]?.facts ?? []).map(keyOf)
      const read = contexts.size
      return { keys, reading: { read, total: read + unread, isDone: unread === 0 }, unread: 0 }
    },
  }

  /** By the families that the contexts name; one without is a family alone. */
  function familiesOf(selected: readonly SelectedFacts[]): readonly (readonly number[])[] {
    const families = new Map<string, number[]>()
    selected.forEach(({ facts, length }, at) => {
      if (length === 0) return
      const key = keyOf(facts)
      const family = contexts.get(key)?.family ?? key
      families.set(family, [...(families.get(family) ?? []), at])
    })
    return [...families.values()]
  }
}

function factsOf({ summary, rows }: MemoryContext): StatisticsFacts {
  const fold = new EntriesFold(machineClock(0))
  for (const row of rows) if (row.type === 'entry') fold.add(row.entry, 'own')
  const { source, key } = parseLibraryKey(summary.key)
  const { title, project = null, created } = summary
  return fold.end({
    source,
    key,
    title,
    project,
    created,
    leaves: 1,
    isTitled: !isGeneratedName(key),
  })
}

function keyOf({ source, key }: { readonly source: string; readonly key: string }): LibraryKey {
  return LibraryKey.parse(source === 'chibi' ? key : `${source}:${key}`)
}

function counted(names: readonly (string | null)[]): StatisticsAnswer['choices']['models'] {
  const counts = new Map<string | null, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, conversations]) => ({ name, conversations }))
}
