import { describe, expect, it } from 'vitest'
import { buildItems } from '../../../../src/renderer/transcript/items/build-items'
import { contextWindowBorder } from '../../../../src/renderer/transcript/items/context-window-border'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { answered, called, type RowDraft, returned, rowsOf, said } from '../../harness/rows'

const border = (id: string): RowDraft => ({ id, from: 'system', entry_type: 'compaction' })

/** The words of what is no longer sent to the model. */
function outOf(
  drafts: readonly RowDraft[],
  start: { anchor: string; bytesBefore?: number; kept?: readonly string[] } | null | undefined,
  bytesBefore = 0,
): string[] {
  const items = buildItems(rowsOf(drafts), { hasBefore: false, shownAs: new Map() })
  const { isOut } = contextWindowBorder(
    items,
    { bytesBefore },
    start && {
      anchor: EntryId.parse(start.anchor),
      bytesBefore: start.bytesBefore ?? 0,
      kept: (start.kept ?? []).map((id) => EntryId.parse(id)),
    },
  )
  return items
    .filter((item, index) => isOut(item, index) && item.type !== 'day')
    .map((item) => {
      if (item.type === 'user' || item.type === 'agent') return item.text
      return item.type === 'tool' ? `tool ${item.call?.to}` : item.type
    })
}

describe('what is no longer sent to the model', () => {
  const talk = [said('One'), answered('Two'), border('a'), said('Three'), border('b'), said('Four')]

  it('is all above the last border, those before it among them', () => {
    expect(outOf(talk, { anchor: 'b' })).toEqual(['One', 'Two', 'seam', 'Three'])
    expect(outOf(talk, { anchor: 'a' })).toEqual(['One', 'Two'])
  })

  it('is not what the border keeps; a call stays with its result', () => {
    const kept = [
      said('One', { id: 'one' }),
      called('read', {}, 'c1', { id: 'call' }),
      returned('read', 'words', 'c1'),
      answered('Two', { id: 'two' }),
      border('a'),
      said('Three'),
    ]
    expect(outOf(kept, { anchor: 'a', kept: ['two', 'call'] })).toEqual(['One'])
  })

  it('is everything or nothing where the border is not among the rows', () => {
    const some = [said('One'), answered('Two')]
    expect(outOf(some, { anchor: 'far', bytesBefore: 900 }, 400)).toEqual(['One', 'Two'])
    expect(outOf(some, { anchor: 'far', bytesBefore: 900 }, 901)).toEqual([])
  })

  it('is nothing where there is no border, or none is known', () => {
    expect(outOf(talk, null)).toEqual([])
    expect(outOf(talk, undefined)).toEqual([])
  })
})
