/** Returns the bytes of a text in UTF-8; a lone surrogate takes those of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    const isPair = unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(at + 1))
    bytes += unit < 0x800 ? 1 : 2
    // Four bytes for both units: the second one adds none.
    if (isPair) at += 1
  }
  return bytes
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}
