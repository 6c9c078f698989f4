import { fold } from '../../shared/model/fold'
import { largestFilterBits, setBits, shrink } from './bits'
import { UnitFolder } from './fold-units'
import {
  beyondHexBit,
  digitBit,
  gramHash,
  gramUnit,
  hashUnits,
  isRandomToken,
  jointHash,
  kindMask,
  kindOf,
  kinds,
  longestWord,
  nextSum,
  threeSum,
  tokenFacts,
  wordUnit,
} from './terms'
import { areTimeless } from './timeless'
import type { WordTable } from './words'

/** How full a filter may be before it gets twice the size: a random token is asked for by many grams, CJK by few. */
const fullest = { plain: 0.4, hex: 0.45, grams: 0.36, joints: 0.45 } as const

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

/** Takes the texts of one segment after the other: words go to the table, all else to filters. */
export class TermCollector {
  private readonly words: WordTable
  private readonly folder = new UnitFolder()
  private readonly plain = new Uint8Array(largestFilterBits / 8)
  private readonly hex = new Uint8Array(largestFilterBits / 8)
  private readonly grams = new Uint8Array(largestFilterBits / 8)
  private readonly joints = new Uint8Array(largestFilterBits / 16)
  private timeless = true
  private buffer = Buffer.allocUnsafeSlow(256 * 1024)
  private units = new Uint16Array(this.buffer.buffer)

  constructor(words: WordTable) {
    this.words = words
  }

  /** Adds a text. Tells what is known of ASCII that its bytes do not show. */
  add(text: string): 'hazards' | 'no-hazards' | 'unknown' {
    this.copyUnits(text)
    const how = this.folder.fold(this.units, text.length)
    if (how !== 'not-folded') {
      this.collect(this.folder.units, this.folder.length)
      return how === 'plain' ? 'no-hazards' : 'hazards'
    }
    this.timeless &&= areTimeless(this.units, text.length)
    const folded = fold(text)
    this.copyUnits(folded)
    this.collect(this.units, folded.length)
    return 'unknown'
  }

  /** The filters of what was added since the last call. */
  endSegment(): SegmentFilters {
    const filters = {
      plain: shrink(this.plain, fullest.plain),
      hex: shrink(this.hex, fullest.hex),
      grams: shrink(this.grams, fullest.grams),
      joints: shrink(this.joints, fullest.joints),
      timeless: this.timeless,
    }
    for (const bits of [this.plain, this.hex, this.grams, this.joints]) bits.fill(0)
    this.timeless = true
    this.words.endSegment()
    return filters
  }

  /** Copies a text, so that what follows reads an array of numbers whatever the engine keeps strings in. */
  private copyUnits(text: string): void {
    if (text.length * 2 > this.buffer.length) {
      this.buffer = Buffer.allocUnsafeSlow(text.length * 4)
      this.units = new Uint16Array(this.buffer.buffer)
    }
    this.buffer.write(text, 'utf16le')
  }

  private collect(units: Uint16Array, length: number): void {
    let lastWordEnd = -3
    const table = kinds
    for (let i = 0; i < length; ) {
      const unit = units[i] ?? 0
      const kind = table[unit] || kindOf(unit)
      const start = i
      if ((kind & kindMask) === wordUnit) {
        let bits = kind
        let hash = Math.imul(0x811c9dc5 ^ unit, 0x01000193)
        for (i++; i < length; i++) {
          const unit = units[i] ?? 0
          const next = table[unit] || kindOf(unit)
          if ((next & kindMask) !== wordUnit) break
          bits |= next
          hash = Math.imul(hash ^ unit, 0x01000193)
        }
        if (start - lastWordEnd <= 2) this.addJoint(units, lastWordEnd, start, length)
        lastWordEnd = i
        if (isRandom(units, start, i, bits))
          this.addRandom(units, start, i, (bits & beyondHexBit) === 0)
        else this.words.add(units, start, i, hash)
      } else if ((kind & kindMask) === gramUnit) {
        for (; i < length && (kindOf(units[i] ?? 0) & kindMask) === gramUnit; i++) {
          setBits(this.grams, hashUnits(units, i, i + 1), 2)
          if (i > start) setBits(this.grams, hashUnits(units, i - 1, i + 1), 2)
        }
      } else i++
    }
  }

  private addJoint(units: Uint16Array, left: number, right: number, end: number): void {
    const hash = jointHash(units, left, right, end)
    if (hash !== undefined) setBits(this.joints, hash, 1)
  }

  private addRandom(units: Uint16Array, start: number, end: number, isHex: boolean): void {
    const bits = isHex ? this.hex : this.plain
    for (let i = start; i + 3 <= end; i++) {
      // Grams of three and of four share their beginning: see `threeSum`.
      const sum = threeSum(units, i)
      if (!isHex) setBits(bits, gramHash(sum, 3), 1)
      if (i + 4 > end) return
      setBits(bits, gramHash(nextSum(sum, units[i + 3] ?? 0), 4), 1)
    }
  }
}

function isRandom(units: Uint16Array, start: number, end: number, bits: number): boolean {
  const length = end - start
  if (length < 4 || ((bits & digitBit) === 0 && length <= longestWord)) return false
  const { digits, turns } = tokenFacts(units, start, end)
  return isRandomToken(length, bits, digits, turns)
}
