import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { buildItems } from '../../../../src/renderer/transcript/items/build-items'
import { copiesFold, foldsAround } from '../../../../src/renderer/transcript/items/folds'
import { type Item, sourceLinesOf } from '../../../../src/renderer/transcript/items/items'
import { answered, called, type RowDraft, returned, rowsOf, said } from '../../harness/rows'

const at = 1_770_000_600
const anchor = (entry_type: string, more: RowDraft = {}): RowDraft => ({
  from: 'system',
  entry_type,
  timestamp: at,
  ...more,
})
const again = (draft: RowDraft, more: RowDraft = {}): RowDraft => ({
  ...draft,
  timestamp: at,
  ...more,
})

function itemsOf(drafts: readonly RowDraft[], pageStarts: readonly number[] = []): Item[] {
  return buildItems(rowsOf(drafts), { hasBefore: false, shownAs: new Map(), pageStarts })
}

function short(items: readonly Item[]): string[] {
  return items.flatMap((item) => {
    if (item.type === 'day') return []
    if (item.type === 'user' || item.type === 'agent') return [item.text]
    if (item.type === 'seam')
      return [`seam ${item.entries.length}${item.copies ? `, ${item.copies.length} copies` : ''}`]
    return [item.type]
  })
}

const talk = [
  said('q1', { from: 'mira', timestamp: at - 90 }),
  answered('a1', { timestamp: at - 80 }),
  said('q2', { from: 'mira', timestamp: at - 70 }),
  answered('a2', { timestamp: at - 60 }),
]
const copies = [again(said('q2'), { from: 'user' }), again(answered('a2'))]
const saved = [anchor('compaction'), anchor('context_created')]

it('folds what chibi wrote a second time into the seam', () => {
  const items = itemsOf([...talk, ...saved, ...copies, said('q3', { timestamp: at + 60 })])
  expect(short(items)).toEqual(['q1', 'a1', 'q2', 'a2', 'seam 2, 2 copies', 'q3'])
  const seam = items.find(({ type }) => type === 'seam') as Item
  expect(sourceLinesOf(seam).map(({ line }) => line)).toEqual([5, 6, 7, 8])
})

it('opens the fold for whoever goes to a copy', () => {
  const items = itemsOf([...talk, ...saved, ...copies])
  const seam = items.at(-1) as Item
  const place = sourceLinesOf(seam)[2] as { file: string; offset: number }
  expect(foldsAround(seam, place, () => false)).toEqual([copiesFold(seam.key)])
})

it('folds the copies of real files of chibi', () => {
  const file = path.resolve(
    import.meta.dirname,
    '../../../fixtures/chibi/home-v09/contexts/compacted/transcript/active.jsonl',
  )
  const drafts = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RowDraft)
  expect(short(itemsOf(drafts)).slice(-3)).toEqual(['question 2', 'answer 2', 'seam 2, 2 copies'])
})

it('looks past the calls of tools, which chibi does not repeat', () => {
  const drafts = [
    ...talk.slice(0, 3),
    called('read', {}, '1', { timestamp: at - 65 }),
    returned('read', 'text', '1', { timestamp: at - 64 }),
    answered('a2', { timestamp: at - 60 }),
    ...saved,
    ...copies,
  ]
  expect(short(itemsOf(drafts)).at(-1)).toBe('seam 2, 2 copies')
})

it('leaves messages that are not the last ones, or not at the time of the anchors', () => {
  const shown = (...drafts: readonly RowDraft[]) =>
    short(itemsOf([...talk, ...saved, ...drafts])).slice(4)
  expect(shown(again(said('q1')), again(answered('a1')))).toEqual(['seam 2', 'q1', 'a1'])
  expect(shown(again(said('q2')))).toEqual(['seam 2', 'q2'])
  expect(shown(again(said('q2'), { timestamp: at + 30 }), again(answered('a2')))).toEqual([
    'seam 2',
    'q2',
    'a2',
  ])
  expect(shown(again(said('q2'), { from: 'otto' }), again(answered('a2')))).toEqual([
    'seam 2',
    'q2',
    'a2',
  ])
})

it('leaves what follows one anchor alone: chibi repeats behind a second one', () => {
  const items = itemsOf([...talk, anchor('context_created'), ...copies])
  expect(short(items)).toEqual(['q1', 'a1', 'q2', 'a2', 'seam 1', 'q2', 'a2'])
})

it('knows the copies of a second time by the messages, not by the copies of the first', () => {
  const later = at + 1000
  const items = itemsOf([
    ...talk,
    ...saved,
    ...copies,
    said('q3', { from: 'mira', timestamp: at + 900 }),
    anchor('compaction', { timestamp: later }),
    anchor('context_created', { timestamp: later }),
    again(answered('a2'), { timestamp: later }),
    again(said('q3'), { from: 'user', timestamp: later }),
  ])
  expect(short(items).slice(4)).toEqual(['seam 2, 2 copies', 'q3', 'seam 2, 2 copies'])
})

it('changes nothing of a page when the page before it arrives, wherever that ends', () => {
  const drafts = [...talk, ...saved, ...copies, said('q3', { timestamp: at + 60 })]
  const rows = rowsOf(drafts)
  const shownAs = new Map<string, string>()
  for (let cut = 1; cut < rows.length; cut++) {
    const whole = buildItems(rows, { hasBefore: false, shownAs, pageStarts: [0, cut] })
    const items = buildItems(rows.slice(cut), { hasBefore: true, shownAs, pageStarts: [0] })
    expect(whole.slice(whole.length - items.length), `cut before row ${cut}`).toEqual(items)
  }
})

it('is quick with a flood of equal messages', () => {
  const rows = rowsOf([
    ...Array.from({ length: 3000 }, () => said('x', { timestamp: at })),
    ...saved,
    ...Array.from({ length: 2999 }, () => said('x', { timestamp: at })),
    said('y', { timestamp: at }),
  ])
  expect(buildItems(rows, { hasBefore: false, shownAs: new Map() }).length).toBeGreaterThan(3000)
})
