import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BranchNode, Family } from '../../../../src/shared/model/family/family'
import { type LaneRow, lanesOf, layLanes } from '../../../../src/shared/model/family/lanes'
import { id, key } from '../../../support/outlined'

/** A node of its own conversation, born on a day. */
function node(name: string, parent: string | null, day: number, more: Partial<BranchNode> = {}) {
  return {
    id: name,
    source: 'chibi',
    key: key(name),
    keys: [key(name)],
    holders: [{ source: 'chibi', key: key(name) }],
    kind: 'run' as const,
    parent,
    fromEntry: id(name),
    toEntry: id(name),
    entries: 1,
    title: name,
    created: new Date(Date.UTC(2026, 0, day)).toISOString(),
    active: false,
    ...more,
  }
}
const family = (...nodes: readonly BranchNode[]): Family => ({ root: 'R0', nodes: [...nodes] })
const open = { active: true }

function placeOf({ node: _, ...place }: LaneRow) {
  return place
}

describe('lanes', () => {
  // The family of the mock's main window.
  const mock = family(
    node('R0', null, 1, open),
    node('R1', 'R0', 2),
    node('R2', 'R0', 3, open),
    node('R3', 'R2', 4),
    node('R3b', 'R3', 5),
    node('R4', 'R2', 6, open),
    node('R5', 'R4', 7, open),
    node('R9', 'R5', 20),
    node('R6', 'R4', 8),
    node('R6b', 'R6', 9),
    node('R7', 'R4', 10),
  )

  it('lays the columns and colours of the mock', () => {
    expect(
      layLanes(mock).map(({ node, column, lane, parentRow }) => [node.id, column, lane, parentRow]),
    ).toEqual([
      ['R0', 1, 1, undefined],
      ['R1', 2, 2, 0],
      ['R2', 1, 1, 0],
      ['R3', 2, 3, 2],
      ['R3b', 3, 3, 3],
      ['R4', 1, 1, 2],
      ['R5', 1, 1, 5],
      ['R9', 2, 6, 6],
      ['R6', 3, 4, 5],
      ['R6b', 2, 4, 8],
      ['R7', 4, 5, 5],
    ])
  })

  it('tells each row what passes it and what leaves it, so that it can be drawn alone', () => {
    const rows = layLanes(mock)
    expect(rows[7]?.passing).toEqual([
      { column: 3, lane: 4 },
      { column: 4, lane: 5 },
    ])
    expect(rows[5]?.leaving).toEqual([
      { column: 1, lane: 1 },
      { column: 3, lane: 4 },
      { column: 4, lane: 5 },
    ])
    expect(rows.filter((row) => row.isCurrent).map((row) => row.node.id)).toEqual(['R5'])
    expect(rows.filter((row) => row.isLeaf).map((row) => row.node.id)).toEqual([
      'R1',
      'R3b',
      'R9',
      'R6b',
      'R7',
    ])
  })

  it('runs a conversation straight on after a fork off the open path', () => {
    const rows = layLanes(
      family(
        node('R0', null, 1, open),
        node('A', 'R0', 2),
        node('A2', 'A', 3, { key: key('A') }),
        node('B', 'A', 4),
        node('P', 'R0', 5, open),
      ),
    )
    expect(rows.map((row) => row.column)).toEqual([1, 2, 2, 3, 1])
  })

  it('shares the last column when there are more lines than columns, and draws it once', () => {
    const rows = layLanes(
      family(
        node('R0', null, 1, open),
        ...Array.from({ length: 20 }, (_, i) => node(`c${i}`, 'R0', i + 2)),
      ),
      4,
    )
    expect(Math.max(...rows.map((row) => row.column))).toBe(4)
    expect(rows[2]?.passing.map((line) => line.column)).toEqual([4])
    expect(rows.every((row) => row.passing.length <= 3)).toBe(true)
    // The one that reaches furthest, of however many.
    expect(rows[0]?.leaving).toEqual(
      [1, 2, 20].map((row) => ({ column: rows[row]?.column, lane: rows[row]?.lane })),
    )
  })

  it('uses colours 2 to 6 round again, and none for sub-agents', () => {
    const rows = layLanes(
      family(
        node('R0', null, 1, open),
        ...Array.from({ length: 6 }, (_, i) => node(`c${i}`, 'R0', i + 2)),
        node('S', 'R0', 1, { kind: 'subagent' }),
      ),
    )
    expect(rows.map((row) => row.lane)).toEqual([1, 2, 3, 4, 5, 6, 2, 0])
  })

  it('never runs one line through another or through a foreign node, for any tree with room', () => {
    const trees = fc
      .array(fc.nat(1000), { minLength: 1, maxLength: 25 })
      .chain((picks) => fc.nat(1000).map((leaf) => ({ picks, leaf: leaf % (picks.length + 1) })))
    fc.assert(
      fc.property(trees, ({ picks, leaf }) => {
        const parents = [null, ...picks.map((pick, i) => `n${pick % (i + 1)}`)]
        const onPath = new Set<string>()
        for (
          let at: string | null | undefined = `n${leaf}`;
          at != null;
          at = parents[Number(at.slice(1))]
        )
          onPath.add(at)
        const children = (parent: string | null): readonly BranchNode[] =>
          parents.flatMap((other, i) =>
            other === parent
              ? [
                  node(`n${i}`, parent, i + 1, { active: onPath.has(`n${i}`) }),
                  ...children(`n${i}`),
                ]
              : [],
          )
        const rows = layLanes(family(...children(null)), 100)
        expect(rows.map((row) => row.column === 1)).toEqual(rows.map((row) => row.node.active))
        expect(lanesOf(rows.map((row) => row.node))).toEqual(rows.map((row) => row.lane))
        // Which path is open may be told from outside.
        const nodes = rows.map((row) => ({ ...row.node, active: false }))
        const told = layLanes({ nodes }, 100, ({ id }) => onPath.has(id))
        expect(told.map(placeOf)).toEqual(rows.map(placeOf))
        rows.forEach((row, at) => {
          const columns = row.passing.map((line) => line.column)
          expect(new Set([...columns, row.column]).size).toBe(columns.length + 1)
          // What passes a row has left a node above it and ends below it.
          const through = rows.filter(
            (other, below) => other.parentRow !== undefined && other.parentRow < at && at < below,
          )
          expect(columns.length).toBe(new Set(through.map((other) => other.column)).size)
        })
      }),
      { numRuns: 300 },
    )
  })
})
