/** Takes secrets out of a text. */
export type Scrub = (text: string) => string

/** The same for a text that comes in pieces, wherever it is cut. */
export interface StreamScrub {
  /** Takes a piece; returns the text that is certain. The beginning of a possible secret waits. */
  push(piece: string): string
  /** Ends the text; returns what waited. */
  end(): string
}

const placeholder = '[key]'
// Words such as "none" or "ollama" are no secrets, and taking them out would garble sentences.
const shortestSecret = 8

/** A secret as a pattern: character by character, each in every spelling. */
interface Pattern {
  readonly signs: readonly (readonly string[])[]
  /** Characters that belong to it where they follow. */
  readonly optional: readonly (readonly string[])[]
}

/**
 * Makes the function that takes keys out of any text that people or files get to see: plain, URL-encoded, JSON-escaped
 * and in base64. Of a key in base64 the first sign may stay, which holds some bits of its first letter.
 */
export function scrubber(...keys: readonly (string | undefined)[]): Scrub {
  const pieces = streamScrubber(...keys)
  return (text) => {
    const whole = pieces()
    return whole.push(text) + whole.end()
  }
}

/**
 * Makes what takes keys out of texts that come in pieces; each text needs one of its own. All pieces together become
 * what `scrubber` makes of the whole. What waits is no longer than a key is in its longest spelling.
 */
export function streamScrubber(...keys: readonly (string | undefined)[]): () => StreamScrub {
  const patterns = patternsOf(keys)
  if (patterns.length === 0) return () => ({ push: (piece) => piece, end: () => '' })
  const next = finderOf(patterns)

  /** The text without what is found, and what of its end may be the beginning of more. */
  function take(text: string, isWhole: boolean): readonly [sure: string, waiting: string] {
    let sure = ''
    let from = 0
    for (let at = next(text, 0); at !== undefined; ) {
      const { end, isOpen } = reach(text, at, patterns)
      if (isOpen && !isWhole) return [sure + text.slice(from, at), text.slice(at)]
      if (end !== undefined) {
        sure += text.slice(from, at) + placeholder
        from = end
      }
      at = next(text, end ?? at + 1)
    }
    return [sure + text.slice(from), '']
  }

  return () => {
    let waiting = ''
    return {
      push(piece) {
        const [sure, rest] = take(waiting + piece, false)
        waiting = rest
        return sure
      },
      end() {
        const [sure] = take(waiting, true)
        waiting = ''
        return sure
      },
    }
  }
}

function patternsOf(keys: readonly (string | undefined)[]): readonly Pattern[] {
  const secrets = [...new Set(keys)].filter(
    (key): key is string => key !== undefined && key.length >= shortestSecret,
  )
  return secrets.flatMap((key) => [plain(key), ...[0, 1, 2].map((before) => inBase64(key, before))])
}

/** By so many signs is looked for what may be found: a letter or two are in every word. */
const soughtSigns = 3

/** Makes what finds the next place at which a pattern may begin, as far as the text goes. */
function finderOf(
  patterns: readonly Pattern[],
): (text: string, from: number) => number | undefined {
  const one = (forms: readonly string[]) => `(?:${forms.map(inExpression).join('|')})`
  const starts = patterns.map(({ signs }) => signs.slice(0, soughtSigns))
  const whole = new RegExp(starts.map((signs) => signs.map(one).join('')).join('|'), 'g')
  const first = new RegExp(
    starts.map(([forms = []]) => forms.map(firstOf).join('|')).join('|'),
    'g',
  )
  const longest = Math.max(
    ...patterns.flatMap(({ signs }) => signs.flat().map((one) => one.length)),
  )
  return (text, from) => {
    whole.lastIndex = from
    // Of what begins near the end there may be less.
    first.lastIndex = Math.max(from, text.length - soughtSigns * longest)
    const [a, b] = [whole.exec(text)?.index, first.exec(text)?.index]
    return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
  }
}

function inExpression(text: string): string {
  return Array.from({ length: text.length }, (_, at) => firstOf(text.slice(at))).join('')
}

function firstOf(text: string): string {
  return `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Finds the matches at a place: the end of the longest, where there is one, and whether text that follows could make
 * one, or a longer one.
 */
function reach(
  text: string,
  from: number,
  patterns: readonly Pattern[],
): { readonly end: number | undefined; readonly isOpen: boolean } {
  let end: number | undefined
  let isOpen = false
  for (const { signs, optional } of patterns) {
    // Several places: "%25" is one sign that is written so, or three.
    let places: readonly number[] = [from]
    for (let at = 0; at <= signs.length + optional.length && places.length > 0; at += 1) {
      if (at >= signs.length) end = Math.max(end ?? 0, ...places)
      const forms = signs[at] ?? optional[at - signs.length] ?? []
      const next: number[] = []
      for (const place of places)
        for (const form of forms) {
          if (place < text.length && text.charCodeAt(place) !== form.charCodeAt(0)) continue
          if (text.startsWith(form, place)) next.push(place + form.length)
          else if (form.startsWith(text.slice(place, place + form.length))) isOpen = true
        }
      places = next.length > 1 ? [...new Set(next)] : next
    }
  }
  return { end, isOpen }
}

function plain(key: string): Pattern {
  const forms = new Map(Array.from(key, (letter) => [letter, formsOf(letter)]))
  return { signs: Array.from(key, (letter) => forms.get(letter) ?? [letter]), optional: [] }
}

/** A letter as it is, URL-encoded, and escaped in JSON. */
function formsOf(letter: string): readonly string[] {
  const bytes = [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
  const units = Array.from(
    { length: letter.length },
    (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`,
  )
  const hex = [bytes.join(''), units.join('')]
  const all = [
    ...hex,
    ...hex.map((form) => form.replace(/[a-f]/g, (digit) => digit.toUpperCase())),
    JSON.stringify(letter).slice(1, -1),
    ...(letter === '/' ? ['\\/'] : []),
    letter,
  ]
  return [...new Set(all)]
}

const plus = formsOf('+')
const slash = formsOf('/')
const padding = formsOf('=')
const base64Signs = [
  ...plus,
  ...slash,
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-',
]

/**
 * A key within base64, in both alphabets, where so many bytes stand before it in its group of three: as in "Bearer KEY"
 * or "name:KEY". The sign at its end that holds bits of it and of what is behind goes too, and the padding.
 */
function inBase64(key: string, before: number): Pattern {
  const bytes = Buffer.from(key)
  const [first, end] = [8 * before, 8 * (before + bytes.length)]
  const signs = Buffer.concat([Buffer.alloc(before), bytes, Buffer.alloc(2)]).toString('base64')
  const sure = signs.slice(Math.ceil(first / 6), Math.floor(end / 6))
  return {
    signs: Array.from(sure, (sign) =>
      sign === '+' ? [...plus, '-'] : sign === '/' ? [...slash, '_'] : [sign],
    ),
    optional: end % 6 === 0 ? [] : [base64Signs, padding, padding],
  }
}
