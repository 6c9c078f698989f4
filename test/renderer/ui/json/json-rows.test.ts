import { expect, it } from 'vitest'
import { type JsonBranch, jsonNodes } from '../../../../src/renderer/ui/json/json-nodes'
import { firstFolds, jsonRows } from '../../../../src/renderer/ui/json/json-rows'

function treeOf(value: object): JsonBranch {
  const nodes = jsonNodes(JSON.stringify(value))
  if (nodes === undefined) throw new Error('no tree')
  return nodes
}

it('lists open branches with their members, and what is left of long ones', () => {
  const root = treeOf({ a: { b: 1 }, c: Array.from({ length: 250 }, (_, n) => n) })
  const folds = firstFolds(root)
  const names = () => jsonRows(root, folds).map(({ path, name, depth }) => [path, name, depth])
  expect(names()).toEqual([
    ['', undefined, 0],
    ['0', 'a', 1],
    ['0.0', 'b', 2],
    ['1', 'c', 1],
  ])
  const open = jsonRows(root, { open: new Set(['', '1']), drawn: new Map([['1', 200]]) })
  expect(open).toHaveLength(1 + 2 + 200 + 1)
  expect(open.at(-1)).toMatchObject({ path: '1', left: 50, position: 201, size: 250 })
  expect(open[3]).toMatchObject({ path: '1.0', name: 0, position: 1, size: 250, left: 0 })
})

it('opens at first what fits on a screen', () => {
  const long = Array.from({ length: 30 }, () => ({ a: 1, b: 2 }))
  const rows = jsonRows(treeOf(long), firstFolds(treeOf(long)))
  expect(rows.length).toBeLessThanOrEqual(41)
  expect(rows.filter(({ isOpen }) => isOpen)).toHaveLength(6)
})
