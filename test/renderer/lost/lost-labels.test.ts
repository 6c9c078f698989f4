import { expect, it } from 'vitest'
import {
  damagedLineTitle,
  emptyListText,
  groupByKind,
  lostItemKey,
  lostItemProblems,
  unscannedText,
} from '../../../src/renderer/lost/lost-labels'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import type { LostItem, LostKind } from '../../../src/shared/model/lost'

const item = (kind: LostKind, more: Partial<LostItem> = {}): LostItem => ({
  kind,
  source: 'chibi',
  title: 'garden',
  lines: 0,
  words: [],
  place: '~/garden',
  ...more,
})

it('groups by kind, the most pressing first, whatever the order, and says how much there is', () => {
  const groups = groupByKind([
    item('noticed'),
    item('gone'),
    item('gone', { title: 'kitchen' }),
    item('damaged', { lines: 8 }),
    item('unplaced', { lines: 1 }),
    item('damaged', { lines: 1500 }),
    item('unreadable'),
  ])
  expect(groups.map(({ title, amount }) => `${title}: ${amount}`)).toEqual([
    'Cannot be read: 1 conversation',
    'Damaged: 1,508 lines in 2 conversations',
    'In no conversation: 1 line in 1 file',
    'Missing from disk: 2 conversations',
    'Warnings: 1 conversation',
  ])
})

it('has no head without items', () => {
  expect(groupByKind([])).toEqual([])
})

it('says what is wrong in sentences', () => {
  expect([
    lostItemProblems(item('damaged', { lines: 1 })),
    lostItemProblems(item('damaged', { lines: 12 })),
    lostItemProblems(item('unplaced', { lines: 1 })),
    lostItemProblems(item('unplaced', { lines: 2, words: ['it is no JSON', 'it names no room'] })),
    lostItemProblems(item('gone', { words: ['Its files are no longer on the disk.'] })),
  ]).toEqual([
    ['1 line could not be read.'],
    ['12 lines could not be read.'],
    ['1 line belongs to none of its conversations.'],
    ['2 lines belong to none of its conversations: it is no JSON; it names no room.'],
    ['Its files are no longer on the disk.'],
  ])
})

it('says how many conversations still wait, and nothing when none does', () => {
  const all = { items: [], counted: 4316, waiting: 2, large: 0 }
  expect(unscannedText(all)).toBe('2 of 4,318 conversations still to check.')
  expect(unscannedText({ ...all, counted: 0, waiting: 1 })).toBe(
    '1 of 1 conversation still to check.',
  )
  expect(unscannedText({ ...all, waiting: 0 })).toBe(undefined)
})

it('says when large ones are looked through, while others wait and after that', () => {
  const all = { items: [], counted: 24, waiting: 1, large: 2 }
  expect([
    unscannedText(all),
    unscannedText({ ...all, waiting: 0 }),
    unscannedText({ ...all, waiting: 0, counted: 1, large: 1 }),
    unscannedText({ ...all, waiting: 0, counted: 0, large: 1200 }),
  ]).toEqual([
    '1 of 27 conversations still to check. 2 large ones are checked when you open them.',
    '24 of 26 conversations checked. 2 large ones are checked when you open them.',
    '1 of 2 conversations checked. 1 large one is checked when you open it.',
    '0 of 1,200 conversations checked. 1,200 large ones are checked when you open them.',
  ])
})

it('is sure that nothing is lost only when all was looked through', () => {
  expect(emptyListText({ items: [], counted: 412, waiting: 0, large: 0 })).toBe(
    'No problems: 412 conversations checked, 0 damaged lines.',
  )
  for (const not of [{ waiting: 3 }, { large: 1 }])
    expect(emptyListText({ items: [], counted: 1, waiting: 0, large: 0, ...not })).toBe(
      'Nothing so far: 1 conversation checked, 0 damaged lines.',
    )
})

it('tells items apart that share a conversation, a file or a title', () => {
  const key = LibraryKey.parse('garden')
  const items = [
    item('damaged', { key }),
    item('noticed', { key }),
    item('unplaced'),
    item('unplaced', { place: '~/other' }),
    item('unplaced', { source: 'fluux' }),
  ]
  expect(new Set(items.map(lostItemKey)).size).toBe(items.length)
})

it('names a line by its number where that is known', () => {
  expect([damagedLineTitle({ line: 8431 }), damagedLineTitle({ line: undefined })]).toEqual([
    'Line 8,431',
    'A line',
  ])
})
