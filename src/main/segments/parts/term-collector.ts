import { fold } from '../../../shared/model/basics/fold'
import { beyondAsciiBit, type TokenSink, type UnitFold, UnitFolder } from '../terms/fold-units'
import { areTimeless } from '../terms/timeless'
import {
  beyondHexBit,
  digitBit,
  gramUnit,
  hashGram,
  hashJoint,
  hashUnits,
  isRandomToken,
  kindMask,
  longestWord,
  nextSum,
  sumOfThree,
} from '../terms/units'
import { largestFilterBits, setBits, shrinkFilter } from './filter-bits'
import type { WordTable } from './word-table'

/** How full a filter may be before it gets twice the size: a random token is asked for by many grams, CJK by few. */
const fullest = { plain: 0.4, hex: 0.45, grams: 0.36, joints: 0.45 } as const

/** Where a word before the first would end: too far away for a joint. */
const noWord = -3

/** The filters of one segment, each as small as its contents allow. */
export interface SegmentFilters {
  /** 3- and 4-grams of random tokens that are not hexadecimal. */
  readonly plain: Uint8Array
  /** 4-grams of hexadecimal ones. */
  readonly hex: Uint8Array
  readonly grams: Uint8Array
  readonly joints: Uint8Array
  /** Every character folds the same under all versions of Unicode: the filters are true for all of them. */
  readonly timeless: boolean
}

/** ASCII of a text that the bytes of its line do not show: none; signs alone; any; or only bytes can tell. */
export type HiddenAscii = 'none' | 'signs' | 'any' | 'unknown'

const hidden: Readonly<Record<UnitFold, HiddenAscii>> = {
  plain: 'none',
  'with-signs': 'signs',
  'with-hazards': 'any',
  'not-folded': 'unknown',
}

/** A collector of the texts of one segment after the other: words go to the table, all else to filters. */
export class TermCollector implements TokenSink {
  private readonly words: WordTable
  private readonly folder = new UnitFolder()
  private readonly plain = new Uint8Array(largestFilterBits / 8)
  private readonly hex = new Uint8Array(largestFilterBits / 8)
  private readonly grams = new Uint8Array(largestFilterBits / 8)
  private readonly joints = new Uint8Array(largestFilterBits / 16)
  private timeless = true
  private lastWordEnd = noWord

  constructor(words: WordTable) {
    this.words = words
  }

  /** Adds a text. Returns what of its ASCII its bytes do not show. */
  add(text: string): HiddenAscii {
    this.lastWordEnd = noWord
    const how = this.folder.fold(text, this)
    if (how === 'not-folded') {
      this.timeless &&= areTimeless(text)
      this.lastWordEnd = noWord
      this.folder.take(fold(text), this)
    }
    return hidden[how]
  }

  /** The filters of what was added since the last call. */
  endSegment(): SegmentFilters {
    const filters = {
      plain: shrinkFilter(this.plain, fullest.plain),
      hex: shrinkFilter(this.hex, fullest.hex),
      grams: shrinkFilter(this.grams, fullest.grams),
      joints: shrinkFilter(this.joints, fullest.joints),
      timeless: this.timeless,
    }
    for (const bits of [this.plain, this.hex, this.grams, this.joints]) bits.fill(0)
    this.timeless = true
    this.words.endSegment()
    return filters
  }

  /** Takes a token from the folder. */
  addToken(
    units: Uint16Array,
    start: number,
    end: number,
    kinds: number,
    low: number,
    high: number,
  ): void {
    if ((kinds & kindMask) === gramUnit) {
      this.addGrams(units, start, end)
      return
    }
    if (start - this.lastWordEnd <= 2) this.addJoint(units, this.lastWordEnd, start, end)
    this.lastWordEnd = end
    if (isRandom(units, start, end, kinds))
      this.addRandom(units, start, end, (kinds & beyondHexBit) === 0)
    else this.words.add(units, start, end, low, high, (kinds & (beyondAsciiBit | digitBit)) === 0)
  }

  private addGrams(units: Uint16Array, start: number, end: number): void {
    for (let i = start; i < end; i++) {
      setBits(this.grams, hashUnits(units, i, i + 1), 2)
      if (i > start) setBits(this.grams, hashUnits(units, i - 1, i + 1), 2)
    }
  }

  private addJoint(units: Uint16Array, left: number, right: number, end: number): void {
    const hash = hashJoint(units, left, right, end)
    if (hash !== undefined) setBits(this.joints, hash, 1)
  }

  private addRandom(units: Uint16Array, start: number, end: number, isHex: boolean): void {
    const bits = isHex ? this.hex : this.plain
    for (let i = start; i + 3 <= end; i++) {
      // Grams of three and of four share their beginning: see `sumOfThree`.
      const sum = sumOfThree(units, i)
      if (!isHex) setBits(bits, hashGram(sum, 3), 1)
      if (i + 4 > end) return
      setBits(bits, hashGram(nextSum(sum, units[i + 3] ?? 0), 4), 1)
    }
  }
}

function isRandom(units: Uint16Array, start: number, end: number, kinds: number): boolean {
  const length = end - start
  if (length < 4 || ((kinds & digitBit) === 0 && length <= longestWord)) return false
  // The same as `tokenFacts`, without asking for kinds: no unit of a word is below the digits.
  let before = isDigit(units[start])
  let digits = before
  let turns = 0
  for (let i = start + 1; i < end; i++) {
    const digit = isDigit(units[i])
    digits += digit
    turns += digit ^ before
    before = digit
  }
  return isRandomToken(length, kinds, digits, turns)
}

/** 1 for a digit, 0 for any other unit of a word. */
function isDigit(unit: number | undefined): number {
  return unit !== undefined && unit <= 0x39 ? 1 : 0
}
