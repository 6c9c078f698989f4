import { describe, expect, it } from 'vitest'
import { rowForKey } from '../../../../src/renderer/ui/behaviour/list-keys'

const keys = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End']
const rowsFrom = (here: number, isInField: boolean, count = 10) =>
  keys.map((key) => rowForKey(key, { count, here, pageRows: 4, isInField }))

describe('the keys of a list', () => {
  it.each<[number, (number | undefined)[]]>([
    [-1, [0, 0, 4, 0, 0, 9]],
    [0, [1, 0, 4, 0, 0, 9]],
    [5, [6, 4, 9, 1, 0, 9]],
    [9, [9, 8, 9, 5, 0, 9]],
  ])('from row %i go by rows and pages, and stop at the ends', (here, rows) => {
    expect(rowsFrom(here, false)).toEqual(rows)
  })

  it.each<[number, (number | undefined)[]]>([
    [0, [1, 9, 4, 0, undefined, undefined]],
    [5, [6, 4, 9, 1, undefined, undefined]],
    [9, [0, 8, 9, 5, undefined, undefined]],
  ])('from row %i below a text field go round, and leave Home and End to it', (here, rows) => {
    expect(rowsFrom(here, true)).toEqual(rows)
  })

  it('lead nowhere in an empty list, and no other key leads anywhere', () => {
    expect(rowsFrom(-1, false, 0)).toEqual(keys.map(() => undefined))
    expect(rowsFrom(-1, true, 0)).toEqual(keys.map(() => undefined))
    for (const key of ['a', 'Enter', ' ', 'ArrowLeft', 'toString'])
      expect(rowForKey(key, { count: 3, here: 1, pageRows: 2 })).toBeUndefined()
  })
})
