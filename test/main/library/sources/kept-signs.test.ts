import { expect, it } from 'vitest'
import { createRandom, type Random } from '../../../../bench/support/random'
import { searchDecoders } from '../../../../src/main/library/sources/search-decoders'
import { needlesOf } from '../../../../src/main/search/bytes/needles'
import { hazards } from '../../../../src/main/segments/index-lookup'
import { fold } from '../../../../src/shared/model/basics/fold'
import { decoderNamed } from '../../../../src/shared/model/search'
import { fixtureLines, fixtureRoots } from '../../../support/decoded-fixtures'

/** What of a text's ASCII is not in the line of a decoder that promises that it is. */
function missingIn(line: string, name: string): readonly string[] {
  const decoder = decoderNamed(searchDecoders, name)?.decoder
  if (decoder?.unit !== 'line' || decoder.joinsPieces) return []
  const latin1 = Buffer.from(line).toString('latin1')
  const bytes = line.toLowerCase()
  const missing = (from: Parameters<typeof needlesOf>[1], hazard: RegExp) => {
    hazard.lastIndex = 0
    if (hazard.test(latin1)) return []
    return decoder
      .decode(line, 1)
      .flatMap(({ text }) =>
        text.split('\n').flatMap((one) => needlesOf([[fold(one)]], from)?.groups[0]?.texts ?? []),
      )
      .filter((needle) => !bytes.includes(needle))
  }
  const { keepsSigns: _, ...letters } = decoder
  return [...missing(letters, hazards.ascii), ...missing(decoder, hazards.signs)]
}

const controls = [
  '\\u0008',
  '\\u0009',
  '\\u000A',
  '\\u000c',
  '\\u000D',
  '\\u001b',
  '\\t',
  '\\n',
  '\\\\',
]

const tastes = 5

/** Spells a line's JSON as another writer would: escapes that nobody needs, other numbers, blanks, and controls in texts. */
function respelled(random: Random, taste: number, line: string): string {
  // A field that no reader knows: those that show what they do not know write it anew.
  if (taste === 4) return line.replace(/(?<=[\w"\]}])}/g, ',"portion":1.5e2}')
  const coded = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  const rare = (share: number) => random.next() < share
  return line.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[:,]/g, (token) => {
    if (token === ':' || token === ',') return rare(0.1) ? `${token} ` : token
    if (!token.startsWith('"')) return taste === 1 ? respelledNumber(random, token) : token
    const text = token.slice(1, -1)
    if (taste === 0)
      return `"${text.replace(/ (?=\w)/g, (blank) => (rare(0.2) ? random.pick(controls as [string, ...string[]]) : blank))}"`
    const escaped = taste === 2 ? /\\.|[^\0-\x7f]/g : /\\.|[ '&<>/_.-]/g
    return `"${text.replace(escaped, (char) => (char.length === 1 && rare(0.3) ? coded(char) : char))}"`
  })
}

function respelledNumber(random: Random, token: string): string {
  const same = [`${token}e0`, `${token}${token.includes('.') ? '0' : '.0'}`, token]
  const other = random.pick(same as [string, ...string[]])
  return Number(other) === Number(token) ? other : token
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

it('finds a text in its line however a writer spells the JSON, unless the line shows that it may not', async () => {
  const random = createRandom(9)
  const missing: unknown[] = []
  let lines = 0
  for (const root of fixtureRoots())
    for (const { decoder, line } of await fixtureLines(root)) {
      if (line.length > 20_000) continue
      for (let taste = 0; taste < tastes; taste++) {
        const other = respelled(random, taste, line)
        lines += 1
        const found = missingIn(other, decoder)
        if (found.length > 0) missing.push([root.name, found.slice(0, 3), other.slice(0, 400)])
      }
    }
  expect(missing).toEqual([])
  expect(lines).toBeGreaterThan(1000)
})
