import { foldUnit } from '../../../shared/model/basics/fold'
import { kindMask, separator, unitKindOf } from './units'

/**
 * Facts of each unit; 0 until they are asked for. One number holds all of them, so that a unit costs one memory access:
 * what it folds to in the low 16 bits, how, and of what kind that is. What folds to more than one has no kind.
 * Signed, since then no number is too large for the engine's small integers.
 */
const known = new Int32Array(0x10000)
/** It folds to more than one. */
const moreBit = 1 << 16
/** Only `fold` knows what it folds to. Its kind is the one it has in a folded text. */
const wholeBit = 1 << 17
/** It is no ASCII, and folds to ASCII letters or digits: bytes do not show them. */
const hazardBit = 1 << 18
/** It is no ASCII, and folds to a space or a sign, or to letters or digits. */
const signBit = 1 << 25
/** The position of `unitKindOf` in a fact. */
const kindShift = 19
const kindBits = kindMask << kindShift
/** All bits of a kind, those of `unitKindOf` and `beyondAsciiBit`. */
const allKindBits = 0x3f
const separatorKind = separator << kindShift

/** Of units that fold to more than one. */
const longer = new Map<number, string>()
/** The longest has 18 units. */
const longest = 32

/** A bit of a token's kinds, beside the bits of `unitKindOf`: the token has a unit that is not ASCII. */
export const beyondAsciiBit = 32

/**
 * The outcome of folding a text: `with-hazards` where a character beyond ASCII folded to ASCII letters or digits, `with-signs`
 * where one folded to a space or a sign and none to those, `not-folded` where only the model's `fold` can fold it.
 */
export type UnitFold = 'plain' | 'with-signs' | 'with-hazards' | 'not-folded'

/** A consumer of a text's tokens, in order: runs of word units and runs of gram units. */
export interface TokenSink {
  /**
   * @param units folded ones: the token is `units[start..end)`, and what stands before it is the text before it
   * @param kinds of its units together, as `unitKindOf` gives them, and `beyondAsciiBit`
   * @param low @param high the low five bits of each of its units, one after the other, in 64 bits
   */
  addToken(
    units: Uint16Array,
    start: number,
    end: number,
    kinds: number,
    low: number,
    high: number,
  ): void
}

/**
 * A folder of texts that works unit by unit from a table, several times faster than `fold` and with the same result,
 * and cuts them into tokens in the same pass. It folds timeless texts alone, in which nothing joins; for others it
 * returns `not-folded`, and `fold` must do it. Tokens that it added until then are tokens of the folded text too: a
 * unit that joins affects only its neighbours.
 */
export class UnitFolder {
  /** The folded units, `length` of them; true until the next call. */
  units = new Uint16Array(0)
  length = 0
  /** The text, after room for what one unit of it folds to. */
  private source = new Uint16Array(0)
  private bytes = Buffer.alloc(0)

  /** Folds a text, and tells which ASCII came of characters beyond it. */
  fold(text: string, tokens: TokenSink): UnitFold {
    return this.cut(text, tokens, wholeBit)
  }

  /** Cuts a text that `fold` of the model has folded. */
  take(folded: string, tokens: TokenSink): void {
    this.cut(folded, tokens, 0)
  }

  /** @param stop the bit of units that only `fold` can fold, or none */
  private cut(text: string, tokens: TokenSink, stop: number): UnitFold {
    this.copy(text)
    const { source, units } = this
    const end = longest + text.length
    source[end] = 0 // A separator: no token is open after it.
    let at = 0
    let all = 0
    for (let i = longest; i <= end; ) {
      let fact = factOf(source[i] ?? 0)
      if ((fact & stop) !== 0) return 'not-folded'
      const kind = fact & kindBits
      if (kind === separatorKind) {
        all |= fact
        units[at++] = fact
        i++
        continue
      }
      if (kind === 0) {
        all |= fact
        i = this.unfold(i, end - i + at)
        if (i < 0) return 'not-folded'
        continue
      }
      const start = at
      let bits = 0
      let low = 0
      let high = 0
      do {
        do {
          bits |= fact
          high = (high << 5) | (low >>> 27)
          low = (low << 5) | (fact & 31)
          units[at++] = fact
          fact = factOf(source[++i] ?? 0)
        } while ((fact & (kindBits | stop)) === kind)
        if ((fact & kindBits) !== 0) break
        all |= fact
        i = this.unfold(i, end - i + at)
        if (i < 0) return 'not-folded'
        fact = factOf(source[i] ?? 0)
      } while ((fact & (kindBits | stop)) === kind)
      if ((fact & stop) !== 0) return 'not-folded'
      all |= bits
      tokens.addToken(units, start, at, (bits >>> kindShift) & allKindBits, low, high)
    }
    this.length = at - 1
    if ((all & hazardBit) !== 0) return 'with-hazards'
    return (all & signBit) === 0 ? 'plain' : 'with-signs'
  }

  /**
   * Writes what a unit folds to over itself and the units before it, which were read. Returns where that begins; -1 where
   * there may be no room for it: a text of nothing but such units is no usual one.
   */
  private unfold(at: number, wanted: number): number {
    const { source } = this
    const text = longer.get(source[at] ?? 0) ?? ''
    const from = at + 1 - text.length
    for (let n = 0; n < text.length; n++) source[from + n] = text.charCodeAt(n)
    return wanted + longest > this.units.length ? -1 : from
  }

  /** Copies a text, so that what follows reads an array of numbers whatever the engine keeps strings in. */
  private copy(text: string): void {
    if (longest + text.length >= this.source.length) {
      this.source = new Uint16Array(longest + Math.max(64 * 1024, 2 * text.length))
      this.bytes = Buffer.from(this.source.buffer)
      this.units = new Uint16Array(2 * this.source.length)
    }
    this.bytes.write(text, 2 * longest, 'utf16le')
  }
}

function factOf(unit: number): number {
  // Without a sign that `ask` returns an integer, the engine would take every fact out of a box.
  return known[unit] || ask(unit) | 0
}

function ask(unit: number): number {
  const folded = foldUnit(unit)
  if (folded !== undefined && folded.length > 1) longer.set(unit, folded)
  const fact = findFact(unit, folded)
  known[unit] = fact
  return fact
}

function findFact(unit: number, folded: string | undefined): number {
  if (folded === undefined) return wholeBit | asIs(unit)
  if (unit < 0x80) return asIs(folded.charCodeAt(0))
  const hazard = /[a-z0-9]/.test(folded) ? hazardBit : 0
  const sign = /[\x20-\x7e]/.test(folded) ? signBit : 0
  return hazard | sign | (folded.length > 1 ? moreBit : asIs(folded.charCodeAt(0)))
}

function asIs(unit: number): number {
  return unit | ((unitKindOf(unit) | (unit < 0x80 ? 0 : beyondAsciiBit)) << kindShift)
}
