import { expect, it } from 'vitest'
import { searchDecoders } from '../../../../src/main/library/sources/search-decoders'
import { needlesOf } from '../../../../src/main/search/bytes/needles'
import { hazards } from '../../../../src/main/segments/index-lookup'
import { fold } from '../../../../src/shared/model/basics/fold'
import { decoderNamed } from '../../../../src/shared/model/search'
import { fixtureLines, fixtureRoots } from '../../../support/decoded-fixtures'

/** What of a text's ASCII is not in the line of a decoder that promises that it is. */
function missingIn(line: string, name: string): readonly string[] {
  const decoder = decoderNamed(searchDecoders, name)?.decoder
  if (decoder?.unit !== 'line') return []
  hazards.signs.lastIndex = 0
  const isHazardous = hazards.signs.test(Buffer.from(line).toString('latin1'))
  if (isHazardous) return []
  const bytes = line.toLowerCase()
  return decoder
    .decode(line, 1)
    .flatMap(({ text }) =>
      text.split('\n').flatMap((one) => needlesOf([fold(one)], decoder)?.texts ?? []),
    )
    .filter((needle) => !bytes.includes(needle))
}

it('finds in each line of every system what its decoder makes of it, as far as the decoder says', async () => {
  const missing: unknown[] = []
  const kept = new Map<object, number>()
  for (const root of fixtureRoots())
    for (const { decoder, line } of await fixtureLines(root)) {
      const found = missingIn(line, decoder)
      if (found.length > 0) missing.push([root.name, found.slice(0, 3), line.slice(0, 300)])
      const one = decoderNamed(searchDecoders, decoder)?.decoder
      if (one?.unit === 'line' && one.keepsSigns)
        kept.set(one.decode, (kept.get(one.decode) ?? 0) + 1)
    }
  expect(missing).toEqual([])
  expect(Math.min(...kept.values())).toBeGreaterThan(20)
  expect(kept.size).toBe(5)
})
