import { expect, it } from 'vitest'
import {
  isTyping,
  rowStartingWith,
  treeRowForKey,
  typed,
} from '../../../src/renderer/family-tree/tree-keys'
import { treeRows } from '../../../src/renderer/family-tree/tree-rows'
import { GrowingFamily } from '../../support/map-families'

const family = new GrowingFamily(4)
family.branch(0, 1, 2)
family.branch(0, 1, 3)
const rows = treeRows(family.family(family.leaves[0]).nodes, family.leaves[0]?.name)
const titled = rows.map((row, i) => ({
  ...row,
  node: { ...row.node, title: ['Begin', 'read', 'Rename', 'Report'][i] ?? '' },
}))

it('goes by rows, to the parent and the first child, and to the ends of branches round and round', () => {
  expect(rows.map(({ isLeaf }) => isLeaf)).toEqual([false, true, true, true])
  const from = (key: string, cursor: number) => treeRowForKey(key, rows, cursor)
  expect([from('ArrowDown', 3), from('ArrowUp', 0), from('Home', 2), from('End', 0)]).toEqual([
    3, 0, 0, 3,
  ])
  expect([from('ArrowLeft', 2), from('ArrowRight', 0), from('ArrowRight', 3)]).toEqual([
    0,
    1,
    undefined,
  ])
  expect([from(']', 1), from(']', 3), from('[', 1), from('[', 0)]).toEqual([2, 1, 3, 3])
  expect(from('x', 0)).toBe(undefined)
  expect(treeRowForKey(']', [], 0)).toBe(undefined)
})

it('finds titles by what was typed, one letter after the other, and begins anew after a pause', () => {
  const first = typed(undefined, 'R', 1000)
  const second = typed(first, 'e', 1200)
  expect([first.letters, second.letters, typed(second, 'b', 9000).letters]).toEqual([
    'r',
    're',
    'b',
  ])
  expect([isTyping(second, 1900), isTyping(second, 9000), isTyping(undefined, 1)]).toEqual([
    true,
    false,
    false,
  ])
  // One letter goes on from row to row; more stay where they fit.
  expect(rowStartingWith(titled, 0, 'r')).toBe(1)
  expect(rowStartingWith(titled, 1, 'r')).toBe(2)
  expect(rowStartingWith(titled, 2, 'ren')).toBe(2)
  expect(rowStartingWith(titled, 3, 'r')).toBe(1)
  expect(rowStartingWith(titled, 0, 'zz')).toBe(undefined)
})
