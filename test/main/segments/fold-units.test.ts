import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/support/random'
import { UnitFolder } from '../../../src/main/segments/fold-units'
import { hasAsciiHazards } from '../../../src/main/segments/hazards'
import { fold, isTimeless } from '../../../src/shared/model/fold'
import { anyScript } from '../../support/any-script'

const folder = new UnitFolder()

function folded(text: string) {
  const units = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
  const how = folder.fold(units, units.length)
  const result = folder.units.subarray(0, folder.length)
  return how === 'not-folded'
    ? { how }
    : { how, text: Array.from(result, (unit) => String.fromCharCode(unit)).join('') }
}

/** Every unit beside letters, at both ends and beside itself; as many texts as there are units. */
function* everyUnit(): Generator<string> {
  for (let unit = 0; unit < 0x10000; unit++) {
    const char = String.fromCharCode(unit)
    yield `a${char}Z${char}${char}`
  }
}

describe('folding by units', () => {
  it('folds to what fold does, or says that it does not', () => {
    const random = createRandom(11)
    const writer = anyScript(random)
    const wrong: string[] = []
    let plain = 0
    const check = (text: string) => {
      const found = folded(text)
      if (found.text !== undefined) plain++
      if (found.text !== undefined && (found.text !== fold(text) || !isTimeless(text)))
        wrong.push(JSON.stringify(text))
    }
    for (const text of everyUnit()) check(text)
    for (let n = 0; n < 20_000; n++) check(writer.text(1 + random.below(4)))
    expect(wrong).toEqual([])
    // Else it would be right, and of no use.
    expect(plain).toBeGreaterThan(40_000)
  })

  it('sees every hazard that the bytes of a text show', () => {
    const missed = [...everyUnit()].filter(
      (text) => folded(text).how === 'plain' && hasAsciiHazards(bytesOf(text)) && isAsciiIn(text),
    )
    expect(missed).toEqual([])
    expect(folded('Ａx').how).toBe('with-hazards')
    expect(folded('ünlü — 漢字').how).toBe('plain')
  })

  it('leaves marks, finals of Hangul, pairs and newer characters to fold', () => {
    for (const text of ['e\u0301', 'か\u3099', 'ｶﾞ', '가\u11a8', '😀', '\ud800', '\u0378'])
      expect([text, folded(text).how]).toEqual([text, 'not-folded'])
  })

  it('folds what becomes longer than it was, of any length', () => {
    for (const length of [1, 1000, 40_000, 100_000]) {
      const text = `${'…x'.repeat(length)}Σ`
      const found = folded(text)
      expect(found.text ?? fold(text)).toBe(fold(text))
    }
    expect(folded('\ufdfa'.repeat(50_000)).how).toBe('not-folded')
    expect(folded('Some words … and more').text).toBe('some words ... and more')
  })
})

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** Whether folding made ASCII letters or digits that did not stand there. */
function isAsciiIn(text: string): boolean {
  const letters = (from: string) => from.match(/[a-z0-9]/g)?.length ?? 0
  return letters(fold(text)) > letters(text.toLowerCase().replace(/[^\0-\x7f]/g, ''))
}
