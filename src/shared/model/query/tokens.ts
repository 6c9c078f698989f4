import { compiledRegex } from './regex'

/** A text in a query, and where it ends. */
interface Token {
  readonly text: string
  readonly end: number
}

/** Reads the phrase whose quote opens at `start`, without its escapes and as it is `typed`; undefined where none opens, or it does not close. */
export function phraseAt(
  text: string,
  start: number,
): (Token & { readonly typed: string }) | undefined {
  if (text[start] !== '"') return undefined
  let phrase = ''
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]
    if (char === '"') return { text: phrase, end: at + 1, typed: text.slice(start + 1, at) }
    const next = text[at + 1]
    if (char === '\\' && (next === '"' || next === '\\')) at++
    phrase += text[at]
  }
  return undefined
}

/** Reads the word at `start`: up to a blank, in brackets also up to the one that closes them. */
export function wordAt(text: string, start: number, isInBrackets: boolean): Token {
  let open = 0
  let end = start
  for (; end < text.length && !/\s/.test(text[end] ?? ''); end++) {
    if (!isInBrackets) continue
    if (text[end] === '(') open++
    else if (text[end] === ')' && open-- === 0) break
  }
  return { text: text.slice(start, end), end }
}

/** Pattern between slashes: whole, or with the reason in words why it is none. */
type RegexToken =
  | { readonly source: string; readonly flags: string; readonly end: number }
  | { readonly fault: string; readonly end: number }

/**
 * Reads the regular expression whose slash opens at `start`. Undefined where none opens or closes, where it begins with a blank,
 * or where other letters than its flags come behind: paths have slashes, too.
 */
export function regexAt(text: string, start: number): RegexToken | undefined {
  if (text[start] !== '/' || /^[\s/*]?$|^[\s/*]/.test(text.slice(start + 1, start + 2)))
    return undefined
  let isInClass = false
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '[') isInClass = true
    else if (char === ']') isInClass = false
    else if (char === '/' && !isInClass) {
      const flags = /^[\p{L}\p{N}_/]*/u.exec(text.slice(at + 1, at + 100))?.[0] ?? ''
      if (!/^(?:i|s|is|si)?$/.test(flags)) return undefined
      return regexToken(text.slice(start + 1, at), flags, at + 1 + flags.length)
    }
  }
  return undefined
}

function regexToken(source: string, flags: string, end: number): RegexToken {
  try {
    compiledRegex(source, flags)
    return { source, flags, end }
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/^.*: /s, '')
    return { fault: `This is no regular expression: ${reason}. It is searched as a word.`, end }
  }
}

/** Returns the next place that is not blank. */
export function skipBlank(text: string, at: number): number {
  let next = at
  while (next < text.length && /\s/.test(text[next] ?? '')) next++
  return next
}
