import { weekdayOf } from './calendar'
import { countLeaves, type SelectedFamilies } from './marks'
import type { SelectedFacts } from './selection'
import type { Statistics } from './statistics-shape'
import { branchSteps, isInStep, lengthSteps } from './steps'

/** Sums entries by weekday and hour, in that order. */
export function weekHours(selected: readonly SelectedFacts[]): Statistics['hours'] {
  const rows = new Map<number, { entries: number; conversations: number; last: SelectedFacts }>()
  // A conversation of many hours has the same days again and again.
  const weekdays = new Map<string, number>()
  for (const one of selected)
    for (const { day, hour, entries } of one.cells) {
      if (hour < 0 || entries === 0) continue
      const weekday = weekdays.get(day) ?? weekdayOf(day)
      weekdays.set(day, weekday)
      const at = weekday * 24 + hour
      const row = rows.get(at)
      const isNew = row?.last !== one
      rows.set(at, {
        entries: (row?.entries ?? 0) + entries,
        conversations: (row?.conversations ?? 0) + (isNew ? 1 : 0),
        last: one,
      })
    }
  return [...rows]
    .sort(([a], [b]) => a - b)
    .map(([at, { entries, conversations }]) => ({
      weekday: Math.floor(at / 24),
      hour: at % 24,
      entries,
      conversations,
    }))
}

/** Counts conversations by their length, all steps in order. */
export function lengthNumbers(selected: readonly SelectedFacts[]): Statistics['lengths'] {
  return lengthSteps.map((step) => ({
    ...step,
    conversations: selected.filter(({ length }) => isInStep(length, step)).length,
  }))
}

/** Counts families by their branches, all steps in order. */
export function branchNumbers(
  selected: readonly SelectedFacts[],
  families: SelectedFamilies,
): Statistics['branches'] {
  const sizes = families.map((members) => ({
    members: members.length,
    leaves: countLeaves(selected, members),
  }))
  return {
    forked: sizes.filter(({ leaves }) => leaves > 1).length,
    leaves: sizes.reduce((sum, { leaves }) => sum + leaves, 0),
    steps: branchSteps.map((step) => {
      const here = sizes.filter(({ leaves }) => isInStep(leaves, step))
      return {
        ...step,
        families: here.length,
        conversations: here.reduce((sum, { members }) => sum + members, 0),
      }
    }),
  }
}
