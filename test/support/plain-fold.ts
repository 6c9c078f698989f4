/**
 * What search compares, written down as it is defined and with nothing else in mind: lower case code point by code
 * point (ς becomes σ), then NFKC, until nothing changes; a lone surrogate is U+FFFD. Shares no code with the product's.
 */
export function foldPlainly(text: string): string {
  let now = ''
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const next = text.charCodeAt(i + 1)
    const isPair = unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff
    if (isPair) {
      now += text.slice(i, i + 2)
      i++
    } else now += unit >= 0xd800 && unit <= 0xdfff ? '\ufffd' : text.charAt(i)
  }
  for (;;) {
    let lower = ''
    for (const char of now) lower += char === 'ς' || char === 'Σ' ? 'σ' : char.toLowerCase()
    const next = lower.normalize('NFKC')
    if (next === now) return now
    now = next
  }
}
