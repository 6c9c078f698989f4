import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeFilter, encodeFilter, isOurFilter } from '../../../src/main/bloom/file-format'
import { GramFilter } from '../../../src/main/bloom/gram-filter'
import { addGrams } from '../../../src/main/bloom/grams'

function gramsOf(text: string): Set<number> {
  const grams = new Set<number>()
  addGrams(text, grams)
  return grams
}

describe('grams', () => {
  it('of a part of a text are among those of the whole, whatever the case', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, part, after) => {
        // Lower case of some letters depends on what stands beside them; such pairs are for the search to settle.
        fc.pre(
          (before + part + after).toLowerCase() ===
            before.toLowerCase() + part.toLowerCase() + after.toLowerCase(),
        )
        const all = gramsOf(before + part.toUpperCase().toLowerCase() + after)
        for (const gram of gramsOf(part.toUpperCase())) expect(all.has(gram)).toBe(true)
      }),
    )
  })

  it('of a short text are none', () => {
    expect([
      gramsOf('').size,
      gramsOf('ab').size,
      gramsOf('abc').size,
      gramsOf('aaaa').size,
    ]).toEqual([0, 0, 1, 1])
  })
})

describe('a filter', () => {
  it('holds everything that was put in, before and after it was a file', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(2 ** 32 - 1), { maxLength: 500 }),
        fc.nat(),
        (list, covers) => {
          const filter = GramFilter.ofGrams(new Set(list))
          const stored = decodeFilter(encodeFilter({ filter, covers }))
          expect(stored?.covers).toBe(covers)
          for (const gram of list)
            expect([filter.mightHold(gram), stored?.filter.mightHold(gram)]).toEqual([true, true])
        },
      ),
    )
  })

  it('seems to hold about half of what was not put in, and takes a bit and a half for what was', () => {
    // Grams of ASCII lie close together: the mixes must spread them.
    const filter = GramFilter.ofGrams(
      new Set(Array.from({ length: 20_000 }, (_, i) => 0x616161 + i)),
    )
    let wrong = 0
    for (let i = 0; i < 20_000; i++) if (filter.mightHold(0x626161 + 40_000 + i)) wrong += 1
    expect(wrong).toBeGreaterThan(7_000)
    expect(wrong).toBeLessThan(13_000)
    expect((filter.bits.length * 8) / 20_000).toBeLessThan(1.5)
  })
})

describe('a filter file', () => {
  const bytes = Buffer.from(
    encodeFilter({ filter: GramFilter.ofGrams(gramsOf('spring tide')), covers: 7 }),
  )

  it('of chibi is known not to be ours, and is not trusted', () => {
    const sample = fs.readFileSync(path.join(__dirname, '../../fixtures/chibi/bloom/sample.bloom'))
    expect([isOurFilter(sample), decodeFilter(sample)]).toEqual([false, undefined])
  })

  it('is no JSON as a whole, so that chibi scans the partition', () => {
    expect(() => JSON.parse(bytes.toString('utf8'))).toThrow()
  })

  it('is not trusted when it is cut anywhere, changed anywhere, or of another version or content', () => {
    for (let end = 0; end < bytes.length; end++)
      expect(decodeFilter(bytes.subarray(0, end))).toBeUndefined()
    const bitsAt = bytes.indexOf(0x0a) + 1
    for (let at = bitsAt; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(decodeFilter(changed)).toBeUndefined()
    }
    for (const [from, to] of [
      ['"version":1', '"version":2'],
      ['trigrams', 'quagrams'],
    ] as const) {
      const other = Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1')
      expect([isOurFilter(other), decodeFilter(other)]).toEqual([true, undefined])
    }
  })
})
