import { diffLines, diffWordsWithSpace } from 'diff'

/** Piece of two texts: in both, or in one of them only. */
export interface DiffPiece {
  readonly type: 'same' | 'removed' | 'added'
  readonly text: string
}

/**
 * Difference of two texts as pieces in order: those not added make up the earlier text, those not removed the later
 * one.
 */
export interface TextChange {
  readonly pieces: readonly DiffPiece[]
  /** `whole`: too different or too long to compare within the timeout; all text is shown as replaced. */
  readonly by: 'words' | 'lines' | 'whole'
}

/** Most characters of both texts together for a comparison by words; longer ones are compared by lines. */
const wordCharacters = 80_000
const lineCharacters = 1_000_000
/**
 * Longest time for one comparison, in ms: its cost grows with the square of what differs, and the window waits for
 * it.
 */
export const compareTimeoutMs = 40
const maxEditLength = 4_000

/**
 * Compares two texts by words, or by lines above 80,000 characters. Takes little more than `timeout` ms; then the
 * change is `whole`.
 */
export function compareTexts(
  before: string,
  after: string,
  timeout = compareTimeoutMs,
): TextChange {
  if (before === after) return { pieces: piecesOf([['same', before]]), by: 'words' }
  const around = sameAround(before, after)
  const isLong = before.length + after.length - 2 * (around.start + around.end) > wordCharacters
  const { start, end } = isLong ? toLines(before, around) : around
  const last = before.length - end
  const middles = [before.slice(start, last), after.slice(start, after.length - end)] as const
  const found = compareMiddles(...middles, timeout)
  const pieces = piecesOf([
    ['same', before.slice(0, start)],
    ...found.pieces,
    ['same', before.slice(last)],
  ])
  return { pieces, by: found.by }
}

/** Returns one text as replaced by the other, without comparing: a part of a number means nothing. */
export function replacedText(before: string, after: string): TextChange {
  const pieces = piecesOf([
    ['removed', before],
    ['added', after],
  ])
  return { pieces, by: 'words' }
}

type Raw = readonly [type: DiffPiece['type'], text: string]

function compareMiddles(
  removed: string,
  added: string,
  timeout: number,
): { readonly pieces: readonly Raw[]; readonly by: TextChange['by'] } {
  const length = removed.length + added.length
  const replaced: readonly Raw[] = [
    ['removed', removed],
    ['added', added],
  ]
  // With one side empty there is nothing to compare.
  if (removed === '' || added === '') return { pieces: replaced, by: 'words' }
  if (length > lineCharacters) return { pieces: replaced, by: 'whole' }
  const isLong = length > wordCharacters
  const bound = { maxEditLength, timeout }
  const found = isLong
    ? diffLines(removed, added, bound)
    : diffWordsWithSpace(removed, added, bound)
  if (found === undefined) return { pieces: replaced, by: 'whole' }
  return {
    by: isLong ? 'lines' : 'words',
    pieces: found.map(({ value, ...one }): Raw => [kindOf(one), value]),
  }
}

function kindOf(one: { readonly added: boolean; readonly removed: boolean }): DiffPiece['type'] {
  return one.added ? 'added' : one.removed ? 'removed' : 'same'
}

/** Drops empty pieces and joins neighbours of one type. */
function piecesOf(raw: readonly Raw[]): readonly DiffPiece[] {
  const pieces: { type: DiffPiece['type']; text: string }[] = []
  for (const [type, text] of raw) {
    const last = pieces.at(-1)
    if (text === '') continue
    if (last?.type === type) last.text += text
    else pieces.push({ type, text })
  }
  return pieces
}

/** Numbers of characters that two texts share at their ends. */
interface Around {
  readonly start: number
  readonly end: number
}

function sameAround(before: string, after: string): Around {
  const start = sameStart(before, after)
  return { start, end: sameEnd(before.slice(start), after.slice(start)) }
}

/** Shortens both ends to whole lines. */
function toLines(text: string, { start, end }: Around): Around {
  const feed = text.indexOf('\n', text.length - end)
  return {
    start: start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1,
    end: feed < 0 ? 0 : text.length - feed - 1,
  }
}

/** Counts the characters that both texts start with, up to a place between two words of both. */
function sameStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++
  for (let at = length; at > Math.max(0, length - wordReach); at--)
    if (isBetweenWords(a, at) && isBetweenWords(b, at)) return at
  return length > wordReach ? withoutHalf(a, length) : 0
}

/** Counts the characters that both texts end with, from a place between two words of both. */
function sameEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (
    length < most &&
    a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)
  )
    length++
  for (let at = length; at > Math.max(0, length - wordReach); at--)
    if (isBetweenWords(a, a.length - at) && isBetweenWords(b, b.length - at)) return at
  if (length <= wordReach) return 0
  return isLow(a.charCodeAt(a.length - length)) ? length - 1 : length
}

/** Longest word, in characters: longer runs without a space are code, or a language without spaces. */
const wordReach = 200

/**
 * Returns true where a run of spaces or a line begins or ends, so that no word, and no run of spaces, lies on both sides: a
 * comparison by words of what is between such places marks what one of the whole texts marks.
 */
function isBetweenWords(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true
  const [before, after] = [text.charAt(at - 1), text.charAt(at)]
  if (before === '\n' || (after === '\n' && before !== '\r')) return true
  return isSpace(before) !== isSpace(after)
}

function isSpace(character: string): boolean {
  return /^\s$/.test(character)
}

/** Shortens a length that would split a surrogate pair. */
function withoutHalf(text: string, length: number): number {
  return isLow(text.charCodeAt(length)) ? length - 1 : length
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
