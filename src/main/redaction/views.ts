import { blankStyles, mayHaveStyles, terminalStyles } from './ansi'
import { firstAbove } from './rising'

/** A text, or what it says once escapes are undone or its lines are joined, with the places of that in the text. */
export interface TextView {
  readonly text: string
  /**
   * The same with blanks for the escapes of line ends and tabs, which are no letters of the words beside them. Paths of Windows
   * have such escapes that are none.
   */
  readonly words: string
  /** Returns the place in the whole text at which a part that begins here begins. */
  rawStart(at: number): number
  /** Returns the place in the whole text at which a part that ends here ends. */
  rawEnd(at: number): number
  /** Places in the view at which something was left out between two characters, in order: line breaks that were joined. */
  readonly joins: readonly number[]
}

/** Texts inside of JSON inside of JSON: so many times escapes are undone. */
const mostLevels = 4
/** URLs inside of URLs. */
const mostDecoded = 2

const jsonEscape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/g
const percentEscape = /%[0-7][0-9A-Fa-f]/g
/** A break in a run of characters as tokens have them, with the margin of the next line. */
const lineBreak = /(?<=[A-Za-z0-9+/=_.-])[ \t]{0,8}\\?\r?\n[ \t>|│]{0,40}(?=[A-Za-z0-9+/=_.-])/g

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Makes the view of a text that is the text itself. */
function plainView(text: string): TextView {
  return { text, words: text, rawStart: (at) => at, rawEnd: (at) => at, joins: [] }
}

/**
 * Lists the text itself, and what it says as JSON inside of JSON and as part of a URL, as far as it has such escapes. The styles of
 * terminals are blanks; where there are any, the same once more without them.
 */
export function readableViews(text: string): readonly TextView[] {
  const plain = plainView(text)
  // A terminal shows the words beside a style as if it were not there: `grep` marks a part of a token.
  const unstyled = mayHaveStyles(text) ? replacedView(plain, terminalStyles, () => '') : undefined
  const views = withEscapesUndone({ ...plain, ...withWords(text) })
  return unstyled === undefined ? views : [...views, ...withEscapesUndone(unstyled)]
}

function withEscapesUndone(view: TextView): readonly TextView[] {
  const views = [view]
  let last: TextView | undefined = view
  for (let level = 0; level < mostLevels && last !== undefined; level++) {
    last = replacedView(last, jsonEscape, unescaped)
    if (last !== undefined) views.push(last)
  }
  for (const one of [...views]) {
    let decoded: TextView | undefined = one
    for (let level = 0; level < mostDecoded && decoded !== undefined; level++) {
      decoded = replacedView(decoded, percentEscape, decodedPercent)
      if (decoded !== undefined) views.push(decoded)
    }
  }
  return views
}

/** Returns the view with broken runs of characters joined; undefined where there are none. */
export function joinedView(view: TextView): TextView | undefined {
  return view.text.includes('\n') ? replacedView(view, lineBreak, () => '') : undefined
}

function decodedPercent(found: string): string {
  return String.fromCharCode(Number.parseInt(found.slice(1), 16))
}

function unescaped(found: string): string {
  const sign = found.charAt(1)
  if (sign === 'u') return String.fromCharCode(Number.parseInt(found.slice(2), 16))
  return controls[sign] ?? sign
}

/** Returns a view in which each match has become what `replace` gives for it: one character, or none. */
function replacedView(
  below: TextView,
  pattern: RegExp,
  replace: (match: string) => string,
): TextView | undefined {
  const pieces: string[] = []
  // From each of these places in the view on, the text below goes on at the one of the same number.
  const own: number[] = [0]
  const lower: number[] = [0]
  const joins: number[] = []
  let length = 0
  let done = 0
  for (const { 0: match, index } of below.text.matchAll(pattern)) {
    const now = replace(match)
    const before = below.text.slice(done, index)
    pieces.push(before, now)
    length += before.length
    if (now === '') joins.push(length)
    else {
      own.push(length)
      lower.push(index)
    }
    length += now.length
    done = index + match.length
    own.push(length)
    lower.push(done)
  }
  if (done === 0) return undefined
  pieces.push(below.text.slice(done))
  const isJoin = (at: number) => joins[firstAbove(joins, at - 1)] === at
  const lowerOf = (at: number, place: number) => (lower[place] ?? 0) + at - (own[place] ?? 0)
  return {
    ...withWords(pieces.join('')),
    rawStart: (at) => below.rawStart(lowerOf(at, firstAbove(own, at) - 1)),
    rawEnd(at) {
      const place = firstAbove(own, at) - 1
      // What was left out belongs to neither side.
      return below.rawEnd(lowerOf(at, isJoin(at) ? place - 1 : place))
    },
    joins,
  }
}

const lineEscape = /\\{1,16}[nrt]/g

function withWords(plain: string): Pick<TextView, 'text' | 'words'> {
  const text = blankStyles(plain)
  const words = text.includes('\\')
    ? text.replace(lineEscape, (found) => (found.endsWith('t') ? ' ' : '\n').repeat(found.length))
    : text
  return { text, words }
}
