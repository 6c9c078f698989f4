import {
  beyondHexBit,
  gramUnit,
  hashJoint,
  hashUnits,
  isRandomToken,
  kindMask,
  longestWord,
  tokenFacts,
  unitKindOf,
  wordUnit,
} from './units'

/**
 * The conditions on a segment that contains a folded text. All of `needs` must hold; without any, every segment may
 * contain it.
 *
 * A word of the text that touches its start or end may be part of a longer word: then the segment has a word that
 * contains it, or a random token that does.
 */
export interface Term {
  readonly needs: readonly TermNeed[]
}

/** One condition of a `Term`, on the vocabulary, the grams or the joints of a segment. */
export type TermNeed =
  /** One of: a word with `part` in it; all `plain` grams; all `hex` grams. An absent list is no way to satisfy it. */
  | {
      readonly type: 'word'
      readonly part: Uint8Array | undefined
      readonly plain: readonly number[] | undefined
      readonly hex: readonly number[] | undefined
    }
  | { readonly type: 'grams'; readonly hashes: readonly number[] }
  | { readonly type: 'joints'; readonly hashes: readonly number[] }

/** Builds the conditions that a segment with the folded text fulfils. */
export function buildTerm(folded: string): Term {
  const units = Uint16Array.from({ length: folded.length }, (_, i) => folded.charCodeAt(i))
  const needs: TermNeed[] = []
  const joints: number[] = []
  const grams: number[] = []
  let lastWordEnd = -3
  for (let i = 0; i < units.length; ) {
    const kind = unitKindOf(units[i] ?? 0) & kindMask
    const start = i
    while (i < units.length && (unitKindOf(units[i] ?? 0) & kindMask) === kind) i++
    if (kind === wordUnit) {
      const joint =
        start - lastWordEnd <= 2 ? hashJoint(units, lastWordEnd, start, units.length) : undefined
      if (joint !== undefined) joints.push(joint)
      lastWordEnd = i
      const need = wordNeed(units, start, i)
      if (need !== undefined) needs.push(need)
    } else if (kind === gramUnit) {
      for (let at = start; at < i; at++) {
        grams.push(hashUnits(units, at, at + 1))
        if (at > start) grams.push(hashUnits(units, at - 1, at + 1))
      }
    }
  }
  if (grams.length > 0) needs.push({ type: 'grams', hashes: grams })
  if (joints.length > 0) needs.push({ type: 'joints', hashes: joints })
  return { needs }
}

/** Shorter parts of words are nearly everywhere, and in random tokens they cannot be looked up. */
const shortestPart = 3

function wordNeed(units: Uint16Array, start: number, end: number): TermNeed | undefined {
  const openLeft = start === 0
  const openRight = end === units.length
  const length = end - start
  const { bits, digits, turns } = tokenFacts(units, start, end)
  const isHex = (bits & beyondHexBit) === 0
  const part = () =>
    Buffer.from(
      `${openLeft ? '' : '\n'}${String.fromCharCode(...units.subarray(start, Math.min(end, start + 256)))}${openRight ? '' : '\n'}`,
    )
  if (!openLeft && !openRight) {
    // The token is whole here, so its kind is known.
    if (!isRandomToken(length, bits, digits, turns))
      return { type: 'word', part: part(), plain: undefined, hex: undefined }
    return isHex
      ? { type: 'word', part: undefined, plain: undefined, hex: gramsOf(units, start, end, true) }
      : { type: 'word', part: undefined, plain: gramsOf(units, start, end, false), hex: undefined }
  }
  if (length < shortestPart || (isHex && length < 4)) return undefined
  return {
    type: 'word',
    part: length <= longestWord ? part() : undefined,
    plain: gramsOf(units, start, end, false),
    hex: isHex ? gramsOf(units, start, end, true) : undefined,
  }
}

function gramsOf(
  units: Uint16Array,
  start: number,
  end: number,
  isHex: boolean,
): readonly number[] {
  const hashes: number[] = []
  for (let i = start; i + 4 <= end; i++) hashes.push(hashUnits(units, i, i + 4))
  if (isHex) return hashes
  for (let i = start; i + 3 <= end; i++) hashes.push(hashUnits(units, i, i + 3))
  return hashes
}
