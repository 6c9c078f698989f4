import { wellFormed } from './well-formed'

/**
 * What search compares: texts and queries are folded in the same way, and one contains the other or does not.
 *
 * `fold(x)` is lower case code point by code point (ς becomes σ), then what people type for what programs write (the i
 * without a dot and the one with a second dot are i; the dashes U+2010 to U+2015 are "-"; typographic quotes are plain
 * ones), then NFKC, again until nothing changes. ß stays ß; a lone surrogate becomes U+FFFD.
 *
 * Case and composition come from the engine's Unicode tables, and those grow. A text of characters that were there
 * long ago folds the same everywhere; for others two engines may differ. `isTimeless` says which is which, so that
 * what one engine kept on the disk is not trusted by another where they could disagree.
 */

const nonAscii = /[^\0-\x7f]/

/** Folds a text. Never fails. Costs little more than toLowerCase where NFKC has nothing to do. */
export function fold(text: string): string {
  if (!nonAscii.test(text)) return text.toLowerCase()
  let folded = wellFormed(text)
  for (;;) {
    // Lower case of a whole string differs from code point by code point in one way: a final Σ becomes ς.
    const lower = asTyped(folded.toLowerCase().replaceAll('ς', 'σ'))
    const next = lower.normalize('NFKC')
    // Lower case of lower case changes nothing, so what NFKC leaves alone is the fixed point.
    if (next === lower) return lower
    folded = next
  }
}

const untyped = /ı|i\u0307+|[\u2010-\u2015]|[\u2018-\u201b\u2039\u203a]|[\u201c-\u201f«»]/g

/** Writes characters that keyboards do not have as people type them. */
function asTyped(lower: string): string {
  if (!nonAscii.test(lower)) return lower
  return lower.replace(untyped, (found) => {
    const unit = found.charCodeAt(0)
    if (unit === 0x69 || unit === 0x131) return 'i'
    if (unit >= 0x2010 && unit <= 0x2015) return '-'
    return (unit >= 0x2018 && unit <= 0x201b) || unit === 0x2039 || unit === 0x203a ? "'" : '"'
  })
}

/** A folded text that knows where each of its units came from. */
export interface FoldedText {
  readonly folded: string
  /** The UTF-16 units of the unfolded text that `folded.slice(start, end)` came from; whole characters with their marks. */
  rangeOf(start: number, end: number): readonly [start: number, end: number]
}

/** Folds a text and keeps the way back. Reads every character once more than `fold`. */
export function foldWithRanges(text: string): FoldedText {
  const folded = fold(text)
  if (!nonAscii.test(text))
    return { folded, rangeOf: (start, end) => [start, Math.max(start, end)] }
  const pieces = piecesOf(text, folded)
  return {
    folded,
    rangeOf(start, end) {
      const from = originOf(pieces, start).start
      return [from, end <= start ? from : originOf(pieces, end - 1).end]
    },
  }
}

/**
 * Returns true where a text folds the same under every version of Unicode from 15.0 on; false may be a text that is
 * not listed.
 */
export function isTimeless(text: string): boolean {
  return !nonAscii.test(text) || timeless.test(text)
}

/**
 * Returns true where one UTF-16 unit alone is timeless. Halves of pairs never are, though `isTimeless` knows emoji.
 */
export function isTimelessUnit(unit: number): boolean {
  return unit < 0x80 || timeless.test(String.fromCharCode(unit))
}

/**
 * Folds one UTF-16 unit, as it folds wherever no joiner (a mark, a final of Hangul) follows it. Undefined where the
 * result depends on the units around it: joiners themselves, halves of pairs, and units that are not timeless.
 */
export function foldUnit(unit: number): string | undefined {
  if (!isTimelessUnit(unit)) return undefined
  const char = String.fromCharCode(unit)
  if ((unit & 0xf800) === 0xd800 || joiner.test(char)) return undefined
  const folded = fold(char)
  // A text that begins with a joiner would join the unit before it.
  return folded === '' || joiner.test(folded.charAt(0)) ? undefined : folded
}

/** A stretch of a text that folds by itself. */
interface Piece {
  /** Its span in the unfolded text, and its start in the folded one. */
  readonly start: number
  readonly end: number
  readonly foldedStart: number
  /** Unit n of it comes from unit n; else every unit comes from the whole of it. */
  readonly unitByUnit: boolean
}

/** Cuts a text into long runs of characters that fold one to one, and the others with the marks that follow them. */
function piecesOf(text: string, folded: string): readonly Piece[] {
  const pieces: Piece[] = []
  let rebuilt = ''
  let runStart = 0
  let at = 0
  const endRun = () => {
    if (runStart === at) return
    pieces.push({ start: runStart, end: at, foldedStart: rebuilt.length, unitByUnit: true })
    rebuilt += fold(text.slice(runStart, at))
  }
  while (at < text.length) {
    if (text.charCodeAt(at) < 0x80 && !(text.charCodeAt(at + 1) >= 0x300)) {
      at += 1
      continue
    }
    const end = endOfCluster(text, at)
    if (end - at === 1 && isSolo(text.charCodeAt(at))) {
      at = end
      continue
    }
    endRun()
    pieces.push({ start: at, end, foldedStart: rebuilt.length, unitByUnit: false })
    rebuilt += fold(text.slice(at, end))
    at = end
    runStart = end
  }
  endRun()
  if (rebuilt === folded) return pieces
  // Characters of a newer Unicode may join in ways that are not known here: then every range is the whole text.
  return [{ start: 0, end: text.length, foldedStart: 0, unitByUnit: false }]
}

/** Where a unit of the folded text comes from; past the end of it, the end of the text. */
function originOf(pieces: readonly Piece[], unit: number): { start: number; end: number } {
  let low = 0
  let high = pieces.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const piece = pieces[middle]
    if (piece !== undefined && piece.foldedStart <= unit) low = middle + 1
    else high = middle
  }
  const piece = pieces[low - 1]
  if (piece === undefined) return { start: 0, end: 0 }
  if (!piece.unitByUnit) return piece
  const start = Math.min(piece.start + unit - piece.foldedStart, piece.end)
  return { start, end: Math.min(start + 1, piece.end) }
}

// A character that may join the one before it: marks, the vowels and finals of Hangul, halfwidth voicing marks.
const joiner = /[\p{M}\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f]/u

/** The end of a character and of those that join it. */
function endOfCluster(text: string, start: number): number {
  let end = start + (isPair(text, start) ? 2 : 1)
  while (end < text.length && text.charCodeAt(end) >= 0x300) {
    const width = isPair(text, end) ? 2 : 1
    if (!joiner.test(text.slice(end, end + width))) break
    end += width
  }
  return end
}

/** Whether there is a surrogate pair at an index. */
function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}

/** Whether a unit that no joiner follows folds to one unit, whatever the units around it. */
function isSolo(unit: number): boolean {
  const known = soloUnits[unit]
  if (known) return known === 1
  const char = String.fromCharCode(unit)
  const solo = (unit & 0xf800) !== 0xd800 && fold(char).length === 1 && timeless.test(char)
  soloUnits[unit] = solo ? 1 : 2
  return solo
}

/** Answers of `isSolo`, since asking takes a microsecond: 1 it is, 2 it is not, 0 not asked yet. */
const soloUnits = new Uint8Array(0x10000)

/**
 * Assigned in Unicode 15.0 without gaps, or never to be folded by any version: by the stability policies their case
 * and normal forms stay. Lists what occurs in practice; other texts are merely not pruned across versions.
 */
const timeless =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: ranges of code points are meant, not what they look like side by side.
  /^[\0-\u024f\u0250-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u0527\u0531-\u0556\u0561-\u0587\u05d0-\u05ea\u0621-\u063a\u0641-\u0652\u0660-\u06d3\u0904-\u0939\u093c-\u094d\u0958-\u0963\u0e01-\u0e3a\u0e3f-\u0e5b\u10d0-\u10fa\u1100-\u11ff\u1e00-\u1f15\u2000-\u2064\u2070\u2071\u2074-\u208e\u20a0-\u20c0\u2100-\u218b\u2190-\u23ff\u2460-\u2b73\u3000-\u303f\u3041-\u3096\u3099-\u30ff\u3105-\u312f\u3131-\u318e\u3200-\u321e\u3220-\ua48c\uac00-\ud7a3\ue000-\ufa6d\ufe00-\ufe0f\ufe30-\ufe52\uff01-\uffbe\uffe0-\uffe6\ufffd\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6d7}\u{1f900}-\u{1f9ff}]*$/u
