import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { groupRelatives } from '../../../shared/model/family/blocking-keys'
import type {
  MarkQuestion,
  StatisticsAnswer,
  StatisticsQuestion,
} from '../../../shared/model/statistics/answer'
import type { StatisticsFacts } from '../../../shared/model/statistics/conversation-facts'
import { addCount } from '../../../shared/model/statistics/counts'
import { conversationsOfMark, type SelectedFamilies } from '../../../shared/model/statistics/marks'
import {
  type SelectedFacts,
  type StatisticsFilter,
  selectFacts,
} from '../../../shared/model/statistics/selection'
import { sumStatistics } from '../../../shared/model/statistics/statistics'
import type { KnownFacts } from './statistics-cache'

/** Sentences of an answer on what could not be read; the others are counted. */
const mostUnread = 100

type AllKnown = ReadonlyMap<LibraryKey, KnownFacts>

/** The part of an answer that the scans tell. */
export interface ScanState {
  readonly reading: StatisticsAnswer['reading']
  /** Roots that could not be listed, a sentence each. */
  readonly faults: readonly string[]
}

/** Sums what is known. Linear in it. */
export function answerOf(
  known: AllKnown,
  { filter, step }: StatisticsQuestion,
  { reading, faults }: ScanState,
): StatisticsAnswer {
  const { selected, keys, families } = selectKnown(known, filter)
  const statistics = sumStatistics(selected, families, step)
  const longest = selected.reduce<{ at: number; length: number } | undefined>(
    (most, { length }, at) => (length > (most?.length ?? 0) ? { at, length } : most),
    undefined,
  )
  const unread = [...faults, ...[...known.values()].flatMap((one) => one.unread)]
  return {
    statistics,
    longest: longest === undefined ? null : (keys[longest.at] ?? null),
    choices: choicesIn([...known.values()].flatMap(({ facts }) => facts ?? [])),
    reading,
    unread: unread.slice(0, mostUnread),
    unreadTotal: unread.length,
  }
}

/** Lists the conversations that a mark stands for. Linear in what is known. */
export function conversationsFor(
  known: AllKnown,
  { filter, mark }: MarkQuestion,
): readonly LibraryKey[] {
  const { selected, keys, families } = selectKnown(known, filter)
  return conversationsOfMark(selected, families, mark).flatMap((at) => keys[at] ?? [])
}

function selectKnown(
  known: AllKnown,
  filter: StatisticsFilter,
): {
  readonly selected: readonly SelectedFacts[]
  readonly keys: readonly (LibraryKey | undefined)[]
  readonly families: SelectedFamilies
} {
  const byFacts = new Map<StatisticsFacts, { key: LibraryKey; signs: readonly string[] }>()
  for (const [key, { facts, signs }] of known)
    if (facts !== undefined) byFacts.set(facts, { key, signs })
  const selected = selectFacts([...byFacts.keys()], filter)
  const found = selected.map(({ facts }) => byFacts.get(facts))
  const families = groupRelatives(found.map((one) => one?.signs ?? [])).filter((group) =>
    group.some((at) => (selected[at]?.facts.lengths.length ?? 0) > 0),
  )
  return { selected, keys: found.map((one) => one?.key), families }
}

function choicesIn(all: readonly StatisticsFacts[]): StatisticsAnswer['choices'] {
  const [sources, projects, models] = [counter(), counter(), counter()]
  for (const { source, project, lengths } of all) {
    addCount(sources, JSON.stringify(source))
    addCount(projects, JSON.stringify(project))
    const named = new Set(lengths.flatMap(({ model }) => (model ? [model] : [])))
    for (const model of named) addCount(models, JSON.stringify(model))
  }
  return { sources: rows(sources), projects: rows(projects), models: rows(models) }
}

/** Names as JSON, so that none is not taken for a name. */
function rows(counts: ReadonlyMap<string, number>) {
  return [...counts]
    .map(([name, conversations]) => ({
      name: JSON.parse(name) as string | null, // written above
      conversations,
    }))
    .sort((a, b) => b.conversations - a.conversations || ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
}

function counter(): Map<string, number> {
  return new Map()
}
