import { diffLines, diffWordsWithSpace } from 'diff'

/** A stretch of two texts: in both, or in one of them alone. */
export interface DiffPiece {
  readonly type: 'same' | 'removed' | 'added'
  readonly text: string
}

export interface TextChange {
  readonly pieces: readonly DiffPiece[]
  /** `whole`: too different, or too long, to be told apart in less than a blink; all of it stands as replaced. */
  readonly by: 'words' | 'lines' | 'whole'
}

/** Characters of both texts together that are cut into words; longer ones into lines. */
const wordCharacters = 80_000
const lineCharacters = 1_000_000
/** Comparing takes the square of what differs, so it is given up after a while: a window that stands still is worse. */
export const compareTimeoutMs = 40
const maxEditLength = 4_000

/**
 * What of a text became what: the pieces but the added ones give `before`, those but the removed ones `after`. Takes little
 * more than `timeout` milliseconds.
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

/** A value that became another one, whole: half a number tells nothing. */
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
  // One of them alone has something here: there is nothing to compare.
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

/** Without empty ones, and neighbours of a kind as one. */
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

/** Characters that two texts share at their ends. */
interface Around {
  readonly start: number
  readonly end: number
}

function sameAround(before: string, after: string): Around {
  const start = sameStart(before, after)
  return { start, end: sameEnd(before.slice(start), after.slice(start)) }
}

/** Less of both ends, so that what is between them is whole lines. */
function toLines(text: string, { start, end }: Around): Around {
  const feed = text.indexOf('\n', text.length - end)
  return {
    start: start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1,
    end: feed < 0 ? 0 : text.length - feed - 1,
  }
}

/** Characters at the start that both have, to the end of a word. */
function sameStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++
  for (let at = length; at > Math.max(0, length - wordReach); at--)
    if (isSpace(a, at - 1) || (isSpaceOrEnd(a, at) && isSpaceOrEnd(b, at))) return at
  return length > wordReach ? withoutHalf(a, length) : 0
}

/** Characters at the end that both have, from the start of a word. */
function sameEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (
    length < most &&
    a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)
  )
    length++
  for (let at = length; at > Math.max(0, length - wordReach); at--)
    if (isSpace(a, a.length - at)) return at
  if (length <= wordReach) return 0
  return isLow(a.charCodeAt(a.length - length)) ? length - 1 : length
}

/** What has no space for so long is no word, but code, or a language that has none. */
const wordReach = 200

function isSpace(text: string, at: number): boolean {
  return /^\s$/.test(text.charAt(at))
}

function isSpaceOrEnd(text: string, at: number): boolean {
  return at >= text.length || isSpace(text, at)
}

/** A character of two code units stays whole. */
function withoutHalf(text: string, length: number): number {
  return isLow(text.charCodeAt(length)) ? length - 1 : length
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
