import fc from 'fast-check'
import { expect, it } from 'vitest'
import { displayRows, rowsIn, stepDifference } from '../../../src/renderer/compare/display-rows'
import type { RowKind } from '../../../src/shared/model/comparison/comparison-view'

const runs = fc.array(
  fc.record({
    kind: fc.constantFrom<RowKind>('same', 'changed', 'removed', 'added'),
    rows: fc.integer({ min: 1, max: 5 }),
  }),
  { maxLength: 12 },
)
const layouts = ['split', 'unified'] as const

it('shows every row once, in order within each side, whatever the layout', () => {
  fc.assert(
    fc.property(runs, fc.constantFrom(...layouts), (all, layout) => {
      const kinds = all.flatMap(({ kind, rows }) => Array<RowKind>(rows).fill(kind))
      const shown = displayRows(all, { layout, onlyDiffering: false })
      const numbers = shown.rows.flatMap(rowsIn)
      expect([...numbers].sort((a, b) => a - b)).toEqual(kinds.map((_, at) => at))
      for (const side of ['removed', 'added'] as const) {
        const own = numbers.filter((row) => kinds[row] === side)
        expect(own).toEqual([...own].sort((a, b) => a - b))
      }
      // A line differs where one of its rows does.
      shown.rows.forEach((line, at) => {
        const differs = rowsIn(line).some((row) => kinds[row] !== 'same')
        expect(shown.differences.includes(at)).toBe(differs)
      })
    }),
  )
})

it('folds equal rows where only differences are wanted, and says how many', () => {
  const all = [
    { kind: 'same', rows: 3 },
    { kind: 'changed', rows: 1 },
  ] as const
  expect(displayRows([...all], { layout: 'split', onlyDiffering: true })).toEqual({
    rows: [
      { type: 'folded', row: 0, count: 3 },
      { type: 'both', kind: 'changed', row: 3 },
    ],
    differences: [1],
  })
})

it('puts what stands in the same place side by side, and one below the other where it is unified', () => {
  const all = [
    { kind: 'removed', rows: 1 },
    { kind: 'added', rows: 2 },
  ] as const
  const lines = (layout: 'split' | 'unified') =>
    displayRows([...all], { layout, onlyDiffering: false }).rows.map((line) =>
      line.type === 'alone' ? [line.left, line.right] : [],
    )
  expect(lines('split')).toEqual([
    [0, 1],
    [undefined, 2],
  ])
  expect(lines('unified')).toEqual([
    [0, undefined],
    [undefined, 1],
    [undefined, 2],
  ])
})

it('steps to the next and the previous difference, around the ends', () => {
  const step = (from: number | undefined, by: 1 | -1) => stepDifference([2, 5, 9], from, by)
  expect([step(undefined, 1), step(2, 1), step(3, 1), step(9, 1)]).toEqual([2, 5, 5, 2])
  expect([step(undefined, -1), step(5, -1), step(4, -1), step(2, -1)]).toEqual([9, 2, 2, 9])
  expect(stepDifference([], 3, 1)).toBeUndefined()
})
