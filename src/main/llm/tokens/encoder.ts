import type { EncodingName } from './encoding'

/** A function that counts the tokens of a text. */
export type CountText = (text: string) => number

/** No more characters than that are joined to tokens at once: the time for that grows with the square. */
const longestPiece = 200
/** Each holds on to the text that it was in; with many more, keeping them takes longer than they save. */
const piecesKept = 2000
/**
 * Text that a tokenizer may take as one piece: signs, a word, white space. It joins within pieces alone, so a longer
 * one can be cut; each cut may add some tokens.
 */
const pieces = /[^\s\p{L}\p{N}]+|[\p{L}\p{M}]+|[\s/]+/gu
const nothingSpecial = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

/** Loads a tokenizer, which takes 160 ms and some 40 MB: not for a thread that a person waits for. */
export async function loadEncoder(name: EncodingName): Promise<CountText> {
  // The two of 200,000 tokens differ in their control tokens alone, which no text holds.
  const { countTokens, setMergeCacheSize } =
    name === 'cl100k_base'
      ? await import('gpt-tokenizer/encoding/cl100k_base')
      : await import('gpt-tokenizer/encoding/o200k_base')
  setMergeCacheSize(piecesKept)
  return (text) =>
    // A text that spells a control token is text: providers escape it as well.
    cut(text).reduce((sum, part) => sum + countTokens(part, nothingSpecial), 0)
}

/** The text in parts that each take no longer than their length says: a megabyte of one letter would take minutes. */
function cut(text: string): readonly string[] {
  if (text.length <= longestPiece) return text === '' ? [] : [text]
  const parts: string[] = []
  let from = 0
  for (const { index, 0: piece } of text.matchAll(pieces)) {
    const last = index + piece.length
    if (piece.length <= longestPiece) continue
    for (let at = index + longestPiece; at < last; at += longestPiece) {
      // A character of two code units stays whole.
      if (isLow(text.charCodeAt(at))) at -= 1
      parts.push(text.slice(from, at))
      from = at
    }
  }
  parts.push(text.slice(from))
  return parts
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
