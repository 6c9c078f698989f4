import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  closeHere,
  mostVisits,
  noVisits,
  placeHere,
  stepVisits,
  updateHere,
  type Visits,
  visit,
} from '../../../../src/renderer/state/history/visits'

/** What a person does, and the places that are gone meanwhile. */
type Act =
  | { readonly type: 'visit' | 'close' | 'update'; readonly place: number }
  | { readonly type: 'back' | 'forward'; readonly gone: readonly number[] }

const place = fc.nat({ max: 6 })
const gone = fc.uniqueArray(place, { maxLength: 3 })
const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constant('visit' as const), place }) },
    fc.record({ type: fc.constantFrom('close' as const, 'update' as const), place }),
    { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('back', 'forward'), gone }) },
  ),
  { maxLength: 60 },
) as fc.Arbitrary<readonly Act[]>

/** Two stacks and what lies between them. */
class Naive {
  back: number[] = []
  here: number | undefined
  forward: number[] = []
  skipped: number[] = []

  visit(to: number): void {
    if (this.here !== undefined) this.back.push(this.here)
    this.here = to
    this.forward = []
  }
  close(under: number): void {
    if (this.here === undefined || this.back.at(-1) !== under) this.visit(under)
    else {
      this.forward.push(this.here)
      this.here = this.back.pop()
    }
  }
  step(from: number[], to: number[], lost: readonly number[]): void {
    this.skipped = []
    while (lost.includes(from.at(-1) ?? -1)) this.skipped.push(from.pop() ?? -1)
    const next = from.pop()
    if (next === undefined || this.here === undefined) return
    to.push(this.here)
    this.here = next
  }
  get visits(): Visits<number> {
    const before = this.here === undefined ? [] : [...this.back, this.here]
    return { places: [...before, ...[...this.forward].reverse()], here: before.length - 1 }
  }
}

it('goes where two stacks would go, whatever was visited, closed, gone back to, forward to and lost', () => {
  fc.assert(
    fc.property(acts, (all) => {
      const naive = new Naive()
      let visits: Visits<number> = noVisits
      for (const act of all) {
        switch (act.type) {
          case 'visit':
            naive.visit(act.place)
            visits = visit(visits, act.place)
            break
          case 'close':
            naive.close(act.place)
            visits = closeHere(visits, act.place, (a, b) => a === b)
            break
          case 'update':
            if (naive.here === undefined) break
            naive.here = act.place
            visits = updateHere(visits, act.place)
            break
          default: {
            const isBack = act.type === 'back'
            const before = naive.here
            if (isBack) naive.step(naive.back, naive.forward, act.gone)
            else naive.step(naive.forward, naive.back, act.gone)
            const step = stepVisits(visits, isBack ? -1 : 1, (one) => act.gone.includes(one))
            visits = step.visits
            expect(step.skipped).toEqual(naive.skipped)
            if (before === undefined) expect(step.hasMoved).toBe(false)
          }
        }
        expect(visits).toEqual(naive.visits)
        expect(placeHere(visits)).toBe(naive.here)
      }
    }),
    { numRuns: 500 },
  )
})

it('keeps a hundred places and drops the oldest', () => {
  let visits: Visits<number> = noVisits
  for (let n = 0; n < mostVisits + 20; n++) visits = visit(visits, n)
  expect([visits.places.length, visits.places[0], placeHere(visits)]).toEqual([
    mostVisits,
    20,
    mostVisits + 19,
  ])
})

it('leads forward again to a view that was closed', () => {
  const isSame = (a: string, b: string) => a === b
  const open = visit(visit(noVisits, 'garden'), 'map')
  const closed = closeHere(open, 'garden', isSame)
  expect(placeHere(closed)).toBe('garden')
  expect(placeHere(stepVisits(closed, 1, () => false).visits)).toBe('map')
})
