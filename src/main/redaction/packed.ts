/** Characters of which a line of Base64 has none, but for the equals signs at its end. */
export const unpackedCharacter = /[^A-Za-z0-9+/]/u
/** Pattern of what stands before Base64 in a URI. */
export const packedUri = /^data:[a-z0-9.+/;=-]{0,100};base64,/u
const leastPacked = 2000
/** Programs that break Base64 make lines of 60, 64 or 76 characters; lists of words have shorter and unequal ones. */
const leastWidth = 60

/**
 * Tells whether a text is nothing but bytes in Base64, in which no secret stands: a `data:` URI, or lines of one width without
 * blanks. Takes time in proportion to the text.
 */
export function isPacked(text: string): boolean {
  if (text.length < leastPacked || /\/(?:home|Users)\//.test(text)) return false
  const uri = packedUri.exec(text)?.[0]
  if (uri !== undefined) return isPackedLine(text.slice(uri.length))
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  const widths = lines.map((line) => (line.endsWith('\r') ? line.length - 1 : line.length))
  const [width = 0] = widths
  const last = lines.length - 1
  return (
    width >= leastWidth &&
    widths.every((one, n) => one === width || (n === last && one < width)) &&
    lines.every((line, n) => isPackedLine(line.slice(0, widths[n])))
  )
}

function isPackedLine(line: string): boolean {
  const end = line.search(unpackedCharacter)
  return line !== '' && (end === -1 || ['=', '=='].includes(line.slice(end)))
}
