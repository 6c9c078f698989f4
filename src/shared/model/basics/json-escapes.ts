const escapes = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g
const meanings: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Replaces JSON's escapes in a text by what they stand for. What is no escape stays: the text may be a piece that was cut anywhere. */
export function undoJsonEscapes(text: string): string {
  return text.replace(escapes, (_, code: string | undefined, letter: string) =>
    code === undefined
      ? (meanings[letter] ?? letter)
      : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/**
 * Lists what a text may stand for that was copied out of a file: itself, then what it says with JSON's escapes undone once, and
 * twice, as for JSON inside of JSON. A text without escapes stands for itself alone.
 */
export function meantByJson(text: string): readonly string[] {
  const once = undoJsonEscapes(text)
  if (once === text) return [text]
  const twice = undoJsonEscapes(once)
  return twice === once ? [text, once] : [text, once, twice]
}
