import { shortLineBytes } from './json-line'

/** Beginnings of the escapes of printable ASCII: `\u002` to `\u007`. */
const escapeBegin = Buffer.from('\\u00')
const [firstDigit, lastDigit] = [0x32, 0x37]

/**
 * Makes the test whether a line of JSON may hold one of some texts, as a key or a value: false is sure, and takes a fraction of
 * parsing the line. True also where one of them may be written with escapes, and for a line longer than `shortLineBytes`: the test
 * is done at once, where parsing such a line gives way to others.
 *
 * @param names of printable ASCII, without quotes and slashes
 */
export function lineNames(names: readonly string[]): (line: Uint8Array) => boolean {
  const wanted = names.map((name) => Buffer.from(JSON.stringify(name)))
  return (line) => {
    if (wanted.length === 0) return false
    if (line.length > shortLineBytes) return true
    const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength)
    return wanted.some((name) => bytes.includes(name)) || hasEscape(bytes)
  }
}

function hasEscape(bytes: Buffer): boolean {
  for (
    let at = bytes.indexOf(escapeBegin);
    at >= 0;
    at = bytes.indexOf(escapeBegin, at + escapeBegin.length)
  ) {
    const digit = bytes[at + escapeBegin.length] ?? 0
    if (digit >= firstDigit && digit <= lastDigit) return true
  }
  return false
}
