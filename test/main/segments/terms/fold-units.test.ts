import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/support/random'
import {
  beyondAsciiBit,
  type TokenSink,
  UnitFolder,
} from '../../../../src/main/segments/terms/fold-units'
import { hazardsOf } from '../../../../src/main/segments/terms/hazards'
import {
  digitBit,
  kindMask,
  separator,
  unitKindOf,
} from '../../../../src/main/segments/terms/units'
import { fold, isTimeless } from '../../../../src/shared/model/basics/fold'
import { anyScript } from '../../../support/any-script'

const folder = new UnitFolder()

function textOf(units: Uint16Array): string {
  return Array.from(units, (unit) => String.fromCharCode(unit)).join('')
}

class Tokens implements TokenSink {
  readonly found: string[] = []
  readonly keys: (readonly [string, number, number, number])[] = []

  addToken(
    units: Uint16Array,
    start: number,
    end: number,
    kinds: number,
    low: number,
    high: number,
  ) {
    const token = textOf(units.subarray(start, end))
    this.found.push(token)
    this.keys.push([token, kinds, low, high])
  }
}

/** The tokens of a folded text as they are defined: runs of one kind, without separators. */
function tokensOf(text: string): readonly string[] {
  const kinds = Array.from(
    { length: text.length },
    (_, i) => unitKindOf(text.charCodeAt(i)) & kindMask,
  )
  const starts = kinds.flatMap((kind, i) => (kind === kinds[i - 1] ? [] : [i]))
  return starts.flatMap((start, n) =>
    kinds[start] === separator ? [] : [text.slice(start, starts[n + 1])],
  )
}

/** Folded, with its tokens. */
function folded(text: string) {
  const sink = new Tokens()
  const how = folder.fold(text, sink)
  const result = folder.units.subarray(0, folder.length)
  return how === 'not-folded'
    ? { how, tokens: sink.found }
    : { how, tokens: sink.found, text: textOf(result) }
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

  it('finds the tokens of the folded text, and before it gives up none that is not there', () => {
    const random = createRandom(14)
    const writer = anyScript(random)
    let whole = 0
    const check = (text: string) => {
      const { how, tokens } = folded(text)
      const all = tokensOf(fold(text))
      if (how === 'not-folded')
        expect(all.slice(0, tokens.length), JSON.stringify(text)).toEqual(tokens)
      else expect(tokens, JSON.stringify(text)).toEqual(all)
      if (how === 'plain') whole++
      const sink = new Tokens()
      folder.take(fold(text), sink)
      expect(sink.found, JSON.stringify(text)).toEqual(all)
    }
    for (let n = 0; n < 5_000; n++) check(writer.text(1 + random.below(8)))
    for (let n = 0; n < 5_000; n++) {
      const unit = () => String.fromCharCode(random.below(random.below(4) === 0 ? 0x10000 : 0x250))
      check(Array.from({ length: 1 + random.below(30) }, unit).join(''))
    }
    // Else nothing but the slow way would have been looked at.
    expect(whole).toBeGreaterThan(2_000)
  })

  it('gives words of up to twelve letters a key that is theirs alone', () => {
    const random = createRandom(15)
    const sink = new Tokens()
    const letters = () =>
      Array.from({ length: 1 + random.below(12) }, () => 'abyzAZé1ｚ'.charAt(random.below(9))).join(
        '',
      )
    for (let n = 0; n < 20_000; n++) folder.fold(letters(), sink)
    const keys = new Map<string, string>()
    for (const [token, kinds, low, high] of sink.keys) {
      const ofLetters = /^[a-z]+$/.test(token)
      expect((kinds & (beyondAsciiBit | digitBit)) === 0).toBe(ofLetters)
      if (!ofLetters) continue
      expect(high).toBeGreaterThanOrEqual(0)
      const key = `${low} ${high}`
      expect(keys.get(key) ?? token).toBe(token)
      keys.set(key, token)
    }
    expect(keys.size).toBeGreaterThan(1_000)
  })

  it('sees every hazard that the bytes of a text show', () => {
    const letters = /[a-z0-9]/g
    const any = /[\x20-\x7e]/g
    const missed = [...everyUnit()].filter((text) => {
      const { how } = folded(text)
      if (how === 'plain') return isMadeIn(text, any)
      return how === 'with-signs' && isMadeIn(text, letters)
    })
    expect(missed).toEqual([])
    const sure = [...everyUnit()].filter((text) => {
      const { how } = folded(text)
      const shown = hazardsOf(Buffer.from(text).toString('latin1'))
      // Bytes may say more than is so, and never less.
      return (
        (how === 'with-hazards' && shown !== 'any') || (how === 'with-signs' && shown === 'none')
      )
    })
    expect(sure).toEqual([])
    expect(folded('Ａx').how).toBe('with-hazards')
    expect(folded('ünlü — 漢字').how).toBe('with-signs')
    expect(folded('a\u00a0b').how).toBe('with-signs')
    expect(folded('ünlü → 漢字').how).toBe('plain')
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

/** Whether folding made ASCII of a kind that did not stand there. */
function isMadeIn(text: string, kind: RegExp): boolean {
  const count = (from: string) => from.match(kind)?.length ?? 0
  return count(fold(text)) > count(text.toLowerCase().replace(/[^\0-\x7f]/g, ''))
}
