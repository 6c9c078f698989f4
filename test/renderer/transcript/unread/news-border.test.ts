import { expect, it } from 'vitest'
import { seenPointOf } from '../../../../src/renderer/state/transcript/unread'
import { buildItems } from '../../../../src/renderer/transcript/items/build-items'
import { isNewsAbove, withNewsBorder } from '../../../../src/renderer/transcript/unread/news-border'
import { answered, called, type RowDraft, returned, rowsOf, said } from '../../harness/rows'

/** The types of the items where so many rows were seen, and the others came. */
function typesOf(drafts: readonly RowDraft[], seen: number): readonly string[] {
  const rows = rowsOf(drafts)
  const items = buildItems(rows, { hasBefore: false, shownAs: new Map(), pageStarts: [0] })
  const last = rows[seen - 1]
  if (last === undefined) throw new Error('No row was seen.')
  return withNewsBorder(items, rows, { after: seenPointOf(last), sinceMs: 0 })
    .map(({ type }) => type)
    .filter((type) => type !== 'day')
}

const call = called('shell_exec', { command: 'ls' }, 'call-1')
const result = returned('shell_exec', 'garden', 'call-1')

it('is before the first item that came as a whole, and not before the tool whose result came first', () => {
  expect(typesOf([said('look'), call, result, answered('one file')], 2)).toEqual([
    'user',
    'tool',
    'news',
    'agent',
  ])
})

it('is before the item that grew where nothing else came', () => {
  expect(typesOf([said('look'), call, result], 2)).toEqual(['user', 'news', 'tool'])
})

it('is not drawn where nothing came', () => {
  expect(typesOf([said('look'), call, result], 3)).toEqual(['user', 'tool'])
})

it('is above what is in view or below, as it stands among the items', () => {
  const news = { type: 'news', key: 'news', sinceMs: 0 } as const
  const day = { type: 'day', key: 'day', atMs: 0 } as const
  const items = [day, day, news, day]
  expect(isNewsAbove(items, 3, true)).toBe(true)
  // Read further up than the border at the end that is loaded, as after a step up by a few turns.
  expect(isNewsAbove(items, 1, true)).toBe(false)
  expect(isNewsAbove(items, 3, false)).toBe(true)
  // Not loaded: above the rows at the end, else below.
  expect(isNewsAbove([day], 0, true)).toBe(true)
  expect(isNewsAbove([day], 0, false)).toBe(false)
})
