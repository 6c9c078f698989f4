import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOut } from '../../../../src/shared/model/map/layout'
import {
  change,
  crossings,
  familyChange,
  GrowingFamily,
  laidOut,
  layoutInput,
  seededFamily,
} from '../../../support/map-families'

const changes = fc.array(familyChange, { minLength: 1, maxLength: 40 })

/** A family after changes, and the leaf that is open in it. */
function grown(all: readonly Parameters<typeof change>[1][], open: number) {
  const family = new GrowingFamily()
  for (const one of all) change(family, one)
  const leaf = family.leaves[open % family.leaves.length]
  return { family, leaf }
}

describe('the layout of a map', () => {
  it('finds a lane for each of very many branches from one message', () => {
    const count = 150_000
    const ids = Array.from({ length: count }, (_, i) => `b${i}`)
    const { lane } = layOut({
      ids,
      ends: ids,
      parents: Int32Array.from(ids, (_, i) => (i === 0 ? -1 : 0)),
      entries: new Float64Array(count).fill(2),
      labels: new Float32Array(count).fill(40),
      aside: new Uint8Array(count),
      open: 1,
    })
    // The open branch goes straight on; every other one has a lane for itself.
    expect(new Set(lane).size).toBe(count - 1)
  })

  it.each([
    ['entries', false],
    ['time', true],
  ])(
    'by %s lets no line cross another, and keeps the open path straight, for any family',
    (_, byTime) => {
      fc.assert(
        fc.property(changes, fc.nat(1000), (all, open) => {
          const { family, leaf } = grown(all, open)
          const { input, layout } = laidOut(family.family(leaf), undefined, byTime)
          expect(crossings(input, layout)).toEqual([])
          for (let at = input.open; at >= 0; at = input.parents[at] ?? -1)
            expect(layout.lane[at]).toBe(0)
        }),
      )
    },
  )

  it.each([
    ['entries', false],
    ['time', true],
  ])(
    'by %s lets no line cross another after any changes either, and takes nothing back inwards',
    (_, byTime) => {
      fc.assert(
        fc.property(changes, changes, fc.nat(1000), (all, later, open) => {
          const { family, leaf } = grown(all, open)
          let before = laidOut(family.family(leaf), undefined, byTime)
          for (const one of later) {
            change(family, one)
            // The open conversation's path leads to its end, which may have a new part of its own.
            const end = family.leaves.find(
              ({ conversation }) => conversation === leaf?.conversation,
            )
            const after = laidOut(family.family(end ?? leaf), before.memory, byTime)
            expect(crossings(after.input, after.layout)).toEqual([])
            after.input.ids.forEach((id, i) => {
              const was = before.memory.lanes.get(id)
              const now = after.layout.lane[i] ?? 0
              if (was === undefined || was === 0) return
              expect(now * Math.sign(was)).toBeGreaterThanOrEqual(Math.abs(was))
            })
            before = after
          }
        }),
        { numRuns: 60 },
      )
    },
  )

  it('moves nothing when an entry arrives, but the end of the line that has it', () => {
    fc.assert(
      fc.property(
        changes,
        fc.array(fc.nat(10_000), { maxLength: 30 }),
        fc.nat(1000),
        (all, picks, open) => {
          const { family, leaf } = grown(all, open)
          let before = laidOut(family.family(leaf))
          for (const pick of picks) {
            const grownLeaf = family.grow(pick)
            const after = laidOut(family.family(leaf), before.memory)
            after.input.ids.forEach((id, i) => {
              const places = ({ layout }: typeof after) =>
                id === grownLeaf?.name
                  ? [layout.x0[i], layout.lane[i]]
                  : [layout.x0[i], layout.x1[i], layout.lane[i]]
              expect(places(after)).toEqual(places(before))
            })
            before = after
          }
        },
      ),
    )
  })

  it('is the same again with its own memory', () => {
    fc.assert(
      fc.property(changes, fc.nat(1000), fc.boolean(), (all, open, byTime) => {
        const { family, leaf } = grown(all, open)
        const first = laidOut(family.family(leaf), undefined, byTime)
        const again = laidOut(family.family(leaf), first.memory, byTime)
        const { steps: _, ...places } = again.layout
        expect({ ...places, steps: 0 }).toEqual({ ...first.layout, steps: 0 })
      }),
    )
  })

  it('moves no line but outwards on its side when a branch arrives, and no end at all but where there is no room', () => {
    const family = seededFamily(500)
    const leaf = family.leaves.at(-1)
    let before = laidOut(family.family(leaf))
    let moved = 0
    for (let i = 0; i < 50; i++) {
      family.branch(i * 7919, i * 104_729, 1 + (i % 30))
      const after = laidOut(family.family(leaf), before.memory)
      after.input.ends.forEach((end, at) => {
        const was = before.memory.ends.get(end)
        if (was !== undefined && was !== after.layout.x1[at]) moved += 1
      })
      before = after
    }
    expect(moved).toBe(0)
  })

  it('puts one time at one place, and later times to the right, by time', () => {
    fc.assert(
      fc.property(changes, fc.nat(1000), (all, open) => {
        const { family, leaf } = grown(all, open)
        const { layout } = laidOut(family.family(leaf), undefined, true)
        const { axis } = layout
        axis.slice(1).forEach(({ ms, x }, i) => {
          expect(ms).toBeGreaterThan(axis[i]?.ms ?? 0)
          expect(x).toBeGreaterThanOrEqual(axis[i]?.x ?? 0)
        })
        const places = new Set(axis.map(({ x }) => x))
        for (const x of [...layout.x1, ...layout.born]) expect(places.has(x)).toBe(true)
        for (const [i, x] of layout.x0.entries()) expect(layout.born[i]).toBeGreaterThanOrEqual(x)
      }),
    )
  })

  it('takes steps in proportion to the segments', () => {
    const stepsOf = (branches: number) => {
      const family = seededFamily(branches)
      const { segments, input } = layoutInput(family.family(family.leaves[0]))
      return layOut(input).steps / segments.length
    }
    const [small, large] = [stepsOf(250), stepsOf(4000)]
    expect(large).toBeLessThan(small * 2)
  })

  it('lays out a chain of forks and a fan of any size', () => {
    const chain = new GrowingFamily(2)
    for (let i = 0; i < 3000; i++) chain.branch(chain.nodes.length - 1, 0, 2)
    const deep = laidOut(chain.family(chain.leaves[0]))
    expect(deep.input.ids.length).toBeGreaterThan(3000)
    const fan = new GrowingFamily(2)
    for (let i = 0; i < 3000; i++) fan.branch(0, 1, 2)
    const wide = laidOut(fan.family(fan.leaves[0]))
    expect(wide.layout.bottom - wide.layout.top).toBeLessThan(32)
  })

  it('takes a family without a single known time by time too', () => {
    const family = seededFamily(10)
    const { input } = layoutInput(family.family(family.leaves[0]), true)
    const unknown = Float64Array.from(input.ids, () => Number.NaN)
    const layout = layOut({ ...input, times: { first: unknown, last: unknown } })
    expect(crossings(input, layout)).toEqual([])
    expect(layout.width).toBeGreaterThan(0)
  })
})
