/** Decodes base64. Throws a `DOMException` on invalid text. */
export function bytesFromBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** Formats bytes as lines of offset, sixteen bytes in hex, and their ASCII. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += 16) {
    const part = [...bytes.subarray(at, at + 16)]
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = part.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.'))
    lines.push(`${at.toString(16).padStart(4, '0')}  ${hex.padEnd(47)}  ${text.join('')}`)
  }
  return lines.join('\n')
}
