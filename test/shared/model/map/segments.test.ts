import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mostSiblings, segmentsOf } from '../../../../src/shared/model/map/segments'
import { change, familyChange, GrowingFamily } from '../../../support/map-families'

/** A family in which one place has so many children. */
function fan(children: number): GrowingFamily {
  const family = new GrowingFamily(3)
  for (let i = 0; i < children; i++) family.branch(0, 2, 1 + (i % 3))
  return family
}

describe('the segments of a map', () => {
  it('have every node under exactly one, and all entries, for any family', () => {
    const families = fc.record({
      changes: fc.array(familyChange, { maxLength: 60 }),
      fanned: fc.nat(40),
      open: fc.nat(1000),
      unfolded: fc.boolean(),
    })
    fc.assert(
      fc.property(families, ({ changes, fanned, open, unfolded }) => {
        const grown = fan(fanned)
        for (const one of changes) change(grown, one)
        const family = grown.family(grown.leaves[open % grown.leaves.length])
        const kept = new Set(family.nodes.filter(({ active }) => active).map(({ id }) => id))
        const options = unfolded ? { kept, unfolded: new Set([family.root]) } : { kept }
        const { list, ofNode } = segmentsOf(family.nodes, options)
        const entries = list.map(() => 0)
        family.nodes.forEach((node, i) => {
          const at = ofNode[i] ?? -1
          entries[at] = (entries[at] ?? 0) + node.entries
          const segment = list[at]
          expect(segment?.kind === 'fold' || segment?.node === i).toBe(true)
          if (node.active) expect(segment?.node).toBe(i)
        })
        expect(list.map((segment) => segment.entries)).toEqual(entries)
        for (const [i, { parent }] of list.entries()) expect(parent).toBeLessThan(i)
        expect(new Set(list.map(({ id }) => id)).size).toBe(list.length)
      }),
    )
  })

  it('fold siblings beyond the first into one that says how many branches it stands for', () => {
    const grown = fan(100)
    const family = grown.family(grown.leaves[99])
    const kept = new Set(family.nodes.filter(({ active }) => active).map(({ id }) => id))
    const { list } = segmentsOf(family.nodes, { kept })
    const fold = list.find(({ kind }) => kind === 'fold')
    // The path's own child is shown, whatever its place in the order.
    expect(list.filter(({ kind }) => kind === 'run')).toHaveLength(1 + mostSiblings + 1)
    expect(fold).toMatchObject({ folded: 100 - mostSiblings - 1, parent: 0 })
    const { list: all } = segmentsOf(family.nodes, { kept, unfolded: new Set([family.root]) })
    expect(all.filter(({ kind }) => kind === 'run')).toHaveLength(101)
  })

  it('change nothing but the fold when one sibling more arrives', () => {
    const grown = fan(40)
    const ids = () => {
      const { list } = segmentsOf(grown.family(undefined).nodes, { kept: new Set() })
      return list.map(({ id }) => id)
    }
    const before = ids()
    grown.branch(0, 2, 1)
    expect(ids()).toEqual(before)
  })

  it('stand under one node where several conversations began with nothing in common', () => {
    const family = new GrowingFamily(2).family(undefined)
    const [root] = family.nodes
    const other = { ...root, id: 'chibi:other/0' } as (typeof family.nodes)[number]
    const { list } = segmentsOf([...family.nodes, other], { kept: new Set() })
    expect(list.map(({ kind, parent }) => [kind, parent])).toEqual([
      ['roots', -1],
      ['run', 0],
      ['run', 0],
    ])
  })
})
