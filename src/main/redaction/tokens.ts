import { firstAbove } from './rising'
import type { SecretPlace } from './secret-place'
import { type TokenRule, tokenRules } from './token-rules'
import { withoutTrailing } from './trailing'
import type { TextView } from './views'

/** Longest token, where its maker names no length. */
const longest = 8192
/** A line shorter than this was not broken because it was full. */
const fullLine = 60

interface CompiledRule extends TokenRule {
  readonly whole: RegExp
  /** The beginning and what goes on from there, also where more than a token follows. */
  readonly begun: RegExp
  /** As it ends where the text was cut. */
  readonly cut: RegExp
}

const compiled: readonly CompiledRule[] = tokenRules.map((rule) => {
  const { prefix, chars, min, max = longest } = rule
  const begin = `(?<![A-Za-z0-9])${prefix}`
  return {
    ...rule,
    whole: new RegExp(`${begin}[${chars}]{${min},${max}}(?![A-Za-z0-9])`, 'gu'),
    begun: new RegExp(`(${prefix})([${chars}]{${min},${max}})`, 'gu'),
    cut: new RegExp(`${begin}[${chars}]{4,${max}}(?=(?:…|\\.{3})?$)`, 'gu'),
  }
})

/** Lists the patterns of all rules, by their kinds: a test looks at what they cost. */
export function tokenPatterns(): readonly (readonly [kind: string, pattern: RegExp])[] {
  return compiled.flatMap(({ kind, whole, begun, cut }) =>
    [whole, begun, cut].map((pattern) => [kind, pattern] as const),
  )
}

/**
 * Finds tokens of known forms in a view. Takes time in proportion to its length.
 *
 * @param isCut the text ends where it was cut off: a token's beginning there counts, as it does before an ellipsis
 */
export function findTokens({ words: text }: TextView, isCut: boolean): readonly SecretPlace[] {
  const found: SecretPlace[] = []
  for (const rule of compiled) {
    if (!rule.signs.some((sign) => text.includes(sign))) continue
    for (const { 0: match, index } of text.matchAll(rule.whole)) {
      const secret = tokenIn(rule, withoutTrailing(match, '.'))
      if (secret !== '' && (rule.form === undefined || rule.form.test(secret)))
        found.push(placeOf(rule, index, index + secret.length, secret))
    }
    if (isCut || /(?:…|\.{3})$/.test(text))
      for (const { 0: match, index } of text.matchAll(rule.cut))
        if (/\d/.test(match))
          found.push({ ...placeOf(rule, index, index + match.length, match), isCut: true })
  }
  return found
}

/** Finds tokens that a line break parts, in a view whose lines are joined. */
export function findBrokenTokens(view: TextView): readonly SecretPlace[] {
  const { text, joins } = view
  const found: SecretPlace[] = []
  for (const rule of compiled) {
    if (!rule.signs.some((sign) => text.includes(sign))) continue
    for (const { 0: match, 1: prefix = '', index } of text.matchAll(rule.begun)) {
      const end = endOfBroken(rule, view, index, index + match.length, prefix.length)
      // The line before may end with a word.
      const isBeginning = !/[A-Za-z0-9]/.test(text.charAt(index - 1)) || isJoin(joins, index)
      if (!isBeginning) continue
      // What no break parts, its own line has.
      if ((joins[firstAbove(joins, index)] ?? end) >= end) continue
      const secret = tokenIn(rule, text.slice(index, end))
      if (/\d/.test(secret) && (rule.form === undefined || rule.form.test(secret)))
        found.push(placeOf(rule, index, index + secret.length, secret))
    }
  }
  return found
}

/** The parts that it needs to be whole are its own; a further one if it looks like one and the line before was full. */
function endOfBroken(
  { min, max, wholeSegments }: TokenRule,
  { text, joins }: TextView,
  start: number,
  end: number,
  prefix: number,
): number {
  const first = firstAbove(joins, start)
  let last = Math.min(joins[first] ?? end, end)
  for (let n = first; n < joins.length; n++) {
    const from = joins[n] ?? end
    if (from >= end) break
    const to = Math.min(joins[n + 1] ?? end, end)
    const isLong = last - start >= prefix + min
    const isWhole = isLong && (wholeSegments?.test(text.slice(start, last)) ?? true)
    if (isWhole && max !== undefined) break
    if (isWhole && !goesOn(text, joins[n - 1] ?? 0, from, to)) break
    last = max === undefined ? to : Math.min(to, start + prefix + max)
  }
  return last
}

/** Tells whether a part that begins a line belongs to the full line before it. */
function goesOn(text: string, before: number, from: number, to: number): boolean {
  if (from - before < fullLine || text.slice(from - fullLine, from).includes('\n')) return false
  const part = text.slice(from, to)
  return looksDrawn(part) && !/[=:([{<]/.test(text.charAt(to))
}

function isJoin(joins: readonly number[], at: number): boolean {
  return joins[firstAbove(joins, at - 1)] === at
}

function looksDrawn(part: string): boolean {
  return part.length >= 4 && /\d/.test(part) && /[A-Za-z]/.test(part)
}

/** Returns the part of a match that is the token: what follows its last segment is none of it. */
function tokenIn({ segments }: TokenRule, match: string): string {
  return segments === undefined ? match : (segments.exec(match)?.[0] ?? '')
}

function placeOf({ kind }: TokenRule, start: number, end: number, secret: string): SecretPlace {
  return { group: 'keys', kind, start, end, secret }
}
