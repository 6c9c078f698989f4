import fc from 'fast-check'
import { outlineOf } from '../../src/shared/model/family/outline'
import type { FamilyMap } from '../../src/shared/model/map/family-map'
import { familyMapOf } from '../../src/shared/model/map/make-family-map'
import { conversation, key, lines, message } from './outlined'

/** Conversations that go on after some messages of an earlier one; ids are of lines, so that copies have others. */
export const relatives = fc
  .array(fc.record({ from: fc.nat(99), shared: fc.nat(99), own: fc.integer({ min: 1, max: 6 }) }), {
    minLength: 1,
    maxLength: 7,
  })
  .map((all) => {
    const files: ReturnType<typeof message>[][] = []
    all.forEach(({ from, shared, own }, c) => {
      const parent = files[from % Math.max(1, c)] ?? [message('user', 'q'), message('agent', 'a')]
      const kept = parent.slice(0, 2 + (shared % (parent.length - 1)))
      const words = Array.from({ length: own }, (_, n) =>
        message(n % 2 === 0 ? 'user' : 'agent', `${c} says ${n}`),
      )
      files.push([...kept, ...words])
    })
    return files.map((entries, c) =>
      // A line of meta data more in each, so that a copy has another id than its original.
      conversation(`c${c}`, lines(entries, 1 + c), { created: new Date(c * 1000).toISOString() }),
    )
  })

/** The map of conversations around the first of them, `c0`. */
export function mapOf(all: readonly ReturnType<typeof conversation>[]): FamilyMap {
  const map = familyMapOf(all.map(outlineOf), { source: 'cycod', key: key('c0') })
  if (map === null) throw new Error('no map')
  return map
}
