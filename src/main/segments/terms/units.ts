import { isTimelessUnit } from '../../../shared/model/basics/fold'

/**
 * What of a folded text is looked up in an index. docs/decisions/0010 says why it is these four.
 *
 * - words: runs of letters, or short numbers, as people write them; looked up in a vocabulary, also by a part of them;
 * - random tokens (ids, hashes, long numbers, very long runs): by their 4-grams, and their 3-grams too where they are not
 *   hexadecimal, since words are looked up there as well;
 * - grams: what is not written in spaced words (Han, kana, Hangul, Thai, emoji, symbols), unit by unit and in pairs;
 * - joints: where two words are joined, as in `snake_case`, `a.b`, `a/b`, `a::b`: two letters of both sides.
 *
 * Everything is counted in UTF-16 units of the folded text.
 */

/**
 * The kind of a unit that belongs to no token. Kinds are the low bits of `unitKindOf`; 0 in the table means not asked
 * yet.
 */
export const separator = 1
/** The kind of a unit that belongs to a word or a random token. */
export const wordUnit = 2
/** The kind of a unit that is looked up by itself and in pairs. */
export const gramUnit = 3
/** The bits of `unitKindOf` that hold the kind. */
export const kindMask = 3
/** A bit of a word unit: it is a digit. A token has the bits of all its units. */
export const digitBit = 4
/** A bit of a word unit: it is a letter that no hexadecimal number has. */
export const beyondHexBit = 8
const letterBit = 16

/**
 * Length of the longest run of letters that counts as a word: longer ones are encoded data, or would be looked up by
 * parts anyway.
 */
export const longestWord = 40

/**
 * Kinds by unit, filled by `unitKindOf` as they are asked for: 65,536 regular expressions would take longer than a search.
 * Hot loops read it first, and call only for a 0.
 */
const kinds = new Uint8Array(0x10000)

/** Returns the kind of a unit with its bits. */
export function unitKindOf(unit: number): number {
  const known = kinds[unit]
  if (known) return known
  const kind = findKind(unit)
  kinds[unit] = kind
  return kind
}

const spacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Yi}]/u

function findKind(unit: number): number {
  const char = String.fromCharCode(unit)
  if (unit < 0x80) {
    if (/[0-9]/.test(char)) return wordUnit | digitBit
    if (/[a-f]/.test(char)) return wordUnit | letterBit
    return /[a-z]/.test(char) ? wordUnit | letterBit | beyondHexBit : separator
  }
  // Characters that other versions of Unicode know otherwise are grams in every one of them.
  if (!isTimelessUnit(unit)) return gramUnit
  if (/[\p{Z}\p{Cc}]/u.test(char)) return separator
  if (/[\p{L}\p{M}\p{N}]/u.test(char) && !spacedScript.test(char))
    return wordUnit | letterBit | beyondHexBit
  return gramUnit
}

/**
 * Returns true where a word token is looked up by its grams: it is long, hexadecimal, a number of more than four
 * digits, or mixes letters and digits as no word does. `utf8`, `x86`, `uint8array` and `120px` are words.
 *
 * @param bits of its units together
 *  *
 * @param turns how often letters follow digits or digits follow letters in it
 */
export function isRandomToken(
  length: number,
  bits: number,
  digits: number,
  turns: number,
): boolean {
  if (length < 4) return false
  if (length > longestWord || turns > 2 || digits > 4) return true
  // Numbers of four digits are years and ports; there are few of them.
  return digits > 0 && turns > 0 && (bits & beyondHexBit) === 0
}

/** Computes the arguments of `isRandomToken` for the token `units[start..end)`. */
export function tokenFacts(
  units: Uint16Array,
  start: number,
  end: number,
): { readonly bits: number; readonly digits: number; readonly turns: number } {
  let bits = 0
  let digits = 0
  let turns = 0
  for (let i = start, before = 0; i < end; i++) {
    const kind = unitKindOf(units[i] ?? 0)
    const digit = kind & digitBit
    bits |= kind
    if (digit !== 0) digits++
    if (i > start && digit !== before) turns++
    before = digit
  }
  return { bits, digits, turns }
}

/** Mixes an integer so that all its bits depend on all of them. */
function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return hash ^ (hash >>> 15)
}

const step = 0x01000193

/** Adds a unit to the sum from which a gram's hash is made. */
export function nextSum(sum: number, unit: number): number {
  return (Math.imul(sum, step) + unit) | 0
}

/** Computes the sum of three units. */
export function sumOfThree(units: Uint16Array, start: number): number {
  return nextSum(nextSum(units[start] ?? 0, units[start + 1] ?? 0), units[start + 2] ?? 0)
}

/** Hashes a gram of `length` units from its sum. */
export function hashGram(sum: number, length: number): number {
  return mix(sum ^ (length << 28))
}

/** Hashes the few units from `start` to `end`. */
export function hashUnits(units: Uint16Array, start: number, end: number): number {
  let sum = 0
  for (let i = start; i < end; i++) sum = nextSum(sum, units[i] ?? 0)
  return hashGram(sum, end - start)
}

/**
 * Hashes the joint between a word that ends at `left` and one that begins at `right`; undefined where they are not
 * joined.
 *
 * A joint is two letters of both sides and the units between, so a part of a text has the same joints.
 */
export function hashJoint(
  units: Uint16Array,
  left: number,
  right: number,
  end: number,
): number | undefined {
  if (left < 2 || right + 2 > end || !isJoiner(units, left, right)) return undefined
  for (const at of [left - 2, left - 1, right, right + 1])
    if (!isLetter(units[at])) return undefined
  return hashUnits(units, left - 2, right + 2)
}

function isJoiner(units: Uint16Array, left: number, right: number): boolean {
  const first = units[left]
  if (right - left === 1)
    return first === 0x5f || first === 0x2e || first === 0x2f || first === 0x3a || first === 0x2d
  if (right - left !== 2) return false
  const second = units[left + 1]
  return (first === 0x3a && second === 0x3a) || (first === 0x2d && second === 0x3e)
}

function isLetter(unit: number | undefined): boolean {
  return unit !== undefined && unit >= 0x61 && unit <= 0x7a
}
