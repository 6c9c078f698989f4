const plainly: Readonly<Record<string, string>> = {
  ı: 'i',
  ...Object.fromEntries([...'‐‑‒–—―'].map((dash) => [dash, '-'])),
  ...Object.fromEntries([...'‘’‚‛‹›'].map((quote) => [quote, "'"])),
  ...Object.fromEntries([...'“”„‟«»'].map((quote) => [quote, '"'])),
}

/**
 * What search compares, written down as it is defined and with nothing else in mind: lower case code point by code
 * point (ς becomes σ), then letters and signs that are typed another way, then NFKC, until nothing changes; a lone
 * surrogate is U+FFFD. Shares no code with the product's.
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
    let typed = ''
    for (const char of lower)
      if (char === '\u0307' && typed.endsWith('i')) continue
      else typed += plainly[char] ?? char
    const next = typed.normalize('NFKC')
    if (next === now) return now
    now = next
  }
}

const letters: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Returns what a text may stand for: itself, and with JSON's escapes undone, once and twice. Shares no code with the product's. */
export function meantPlainly(text: string): readonly string[] {
  const once = undone(text)
  return [text, once, undone(once)]
}

function undone(text: string): string {
  let plain = ''
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] === '\\' ? text.charAt(at + 1) : ''
    const code = letter === 'u' ? text.slice(at + 2, at + 6) : ''
    if (/^[0-9a-f]{4}$/i.test(code)) {
      plain += JSON.parse(`"\\u${code}"`)
      at += 5
    } else if (letter !== '' && letter in letters) {
      plain += letters[letter]
      at += 1
    } else plain += text[at]
  }
  return plain
}
