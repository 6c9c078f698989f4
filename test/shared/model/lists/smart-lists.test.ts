import { expect, it } from 'vitest'
import {
  isInSmartList,
  longFrom,
  smartListIds,
} from '../../../../src/shared/model/lists/smart-lists'
import { summaryOf } from '../../../renderer/harness/memory-home'

const now = new Date(2026, 10, 28, 9, 30).getTime()

it('Today holds what changed on the local day, Pinned what is pinned, Long what has many entries', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString()
  const isToday = (updated: string | null) =>
    isInSmartList(summaryOf('a', { updated }), 'today', now)
  expect([at(28, 0), at(28, 23), at(27, 23), null].map(isToday)).toEqual([true, true, false, false])
  expect(isInSmartList(summaryOf('a', { pinned: true }), 'pinned', now)).toBe(true)
  expect(isInSmartList(summaryOf('a'), 'pinned', now)).toBe(false)
  const isLong = (entries: number | undefined) =>
    isInSmartList({ ...summaryOf('a'), entries }, 'long', now)
  expect([longFrom, longFrom - 1, undefined].map(isLong)).toEqual([true, false, false])
})

it('lists that reading finds hold what it found, and Untitled not what was given a title since', () => {
  const found = new Set(['a'])
  for (const list of ['failed', 'unfinished', 'untitled'] as const) {
    expect(isInSmartList(summaryOf('a'), list, now, found)).toBe(true)
    expect(isInSmartList(summaryOf('b'), list, now, found)).toBe(false)
    expect(isInSmartList(summaryOf('a'), list, now)).toBe(false)
  }
  const titled = summaryOf('a', { titled: { by: 'person', at: 1 } })
  expect(isInSmartList(titled, 'untitled', now, found)).toBe(false)
})

it('Hidden holds what is hidden, and no other list does', () => {
  const hidden = summaryOf('a', {
    hidden: true,
    pinned: true,
    updated: new Date(now).toISOString(),
  })
  const found = new Set(['a'])
  expect(smartListIds.filter((id) => isInSmartList(hidden, id, now, found))).toEqual(['hidden'])
  expect(isInSmartList(summaryOf('a'), 'hidden', now)).toBe(false)
})
