import { describe, expect, it } from 'vitest'
import {
  branchTitle,
  columnCount,
  rowTooltip,
  treeRows,
} from '../../../src/renderer/family-tree/tree-rows'
import { ConversationKey, LibraryKey } from '../../../src/shared/model/conversation/conversation'
import type { FamilyView } from '../../../src/shared/model/family/branching'
import { familyViewOf } from '../harness/family'
import { type MemoryContext, summaryOf } from '../harness/memory-home'
import { answered, type RowDraft, rowsOf, said } from '../harness/rows'

function context(key: string, drafts: readonly RowDraft[]): MemoryContext {
  return { summary: summaryOf(key, { key: LibraryKey.parse(key) }), rows: rowsOf(drafts) }
}

const contexts = [
  context('a', [said('begin'), answered('yes'), said('one'), answered('1')]),
  context('b', [said('begin'), answered('yes'), said('two'), answered('2')]),
  context('c', [said('begin'), answered('yes'), said('one'), answered('other')]),
]

function viewOf(key: string): FamilyView {
  const view = familyViewOf(contexts, key)
  if (view === null) throw new Error('no family')
  return view
}

const rowsIn = ({ family, path }: FamilyView) => treeRows(family.nodes, path.at(-1)?.node)
const shown = (key: string) =>
  rowsIn(viewOf(key)).map(({ node, level, column, lane, isOpenPath, isHere }) =>
    [branchTitle(node), level, column, lane, isOpenPath ? 'open' : '', isHere ? 'here' : '']
      .join(' ')
      .trim(),
  )

describe('the rows of a tree', () => {
  it('put the way of the open conversation into the first lane, whichever it is', () => {
    expect(shown('a')).toEqual([
      'begin 1 1 1 open',
      'one 2 1 1 open',
      'No message from a person 3 1 1 open here',
      'No message from a person 3 2 3',
      'two 2 3 2',
    ])
    expect(shown('b').filter((row) => row.includes('open'))).toEqual([
      'begin 1 1 1 open',
      'two 2 1 1 open here',
    ])
  })

  it('show the characters of a title that would reorder or hide others, in the tooltip too', () => {
    const [row] = rowsIn(viewOf('a'))
    if (row === undefined) throw new Error('no row')
    const node = {
      ...row.node,
      title: 'nothing \u202etxt.exe\u001b[8m',
      key: ConversationKey.parse('k\u2066'),
    }
    expect(branchTitle(node)).toBe('nothing ⟨U+202E⟩txt.exe␛[8m')
    expect(rowTooltip({ ...row, node })).toMatch(/^nothing ⟨U\+202E⟩txt\.exe␛\[8m\n/)
    expect(rowTooltip({ ...row, node })).toContain(': k⟨U+2066⟩')
  })

  it('have the labels of the entries in them', () => {
    const view = viewOf('a')
    const [first = ''] = view.family.nodes.map(({ id }) => id)
    const labels = ['plan', 'better plan'].map((word) => ({
      node: first,
      word,
      color: 'red' as const,
    }))
    const rows = treeRows(view.family.nodes, undefined, labels)
    expect(rows.map((row) => row.labels.map(({ word }) => word))).toEqual([
      ['plan', 'better plan'],
      ...rows.slice(1).map(() => []),
    ])
  })

  it('know their place among their siblings, and where the way goes on', () => {
    const rows = rowsIn(viewOf('a'))
    expect(rows.map(({ position, siblings }) => `${position}/${siblings}`)).toEqual([
      '1/1',
      '1/2',
      '1/2',
      '2/2',
      '2/2',
    ])
    expect(rows.map(({ firstChild, parentRow }) => [parentRow, firstChild])).toEqual([
      [undefined, 1],
      [0, 2],
      [1, undefined],
      [1, undefined],
      [0, undefined],
    ])
  })

  it('take no more than six columns', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      context(`way-${index}`, [said('begin'), said(`way ${index}`)]),
    )
    const view = familyViewOf(many, 'way-0')
    expect(view === null ? 0 : columnCount(rowsIn(view))).toBe(6)
  })

  it('are drawn for a conversation whose own entries are in none of them', () => {
    expect(rowsIn({ ...viewOf('a'), path: [] }).every(({ isOpenPath }) => !isOpenPath)).toBe(true)
  })
})
