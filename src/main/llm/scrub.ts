/** Takes secrets out of a text. */
export type Scrub = (text: string) => string

const mark = '[key]'
// Words such as "none" or "ollama" are no secrets, and taking them out would garble sentences.
const shortestSecret = 8
const plus = '(?:[+-]|%2[Bb])'
const slash = '(?:[/_]|\\\\/|%2[Ff])'

/** Makes the function that takes a key out of any text that people or files get to see: plain, URL-encoded, JSON-escaped and in base64. */
export function scrubber(key: string | undefined): Scrub {
  if (key === undefined || key.length < shortestSecret) return (text) => text
  const spellings = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]
  // The longest first: a shorter spelling inside a longer one would leave its rest behind.
  const ordered = [...new Set(spellings)].sort((a, b) => b.length - a.length)
  const encoded = new RegExp([0, 1, 2].map((before) => inBase64(key, before)).join('|'), 'g')
  return (text) =>
    ordered.reduce((rest, spelling) => rest.split(spelling).join(mark), text).replace(encoded, mark)
}

/**
 * The pattern of a key within base64, in both alphabets, URL-encoded too, where so many bytes stand before it in its group
 * of three: as in "Bearer KEY" or "name:KEY". Signs at its ends that hold bits of the key and of its neighbours go too,
 * and the padding.
 */
function inBase64(key: string, before: number): string {
  const bytes = Buffer.from(key)
  const [first, end] = [8 * before, 8 * (before + bytes.length)]
  const signs = Buffer.concat([Buffer.alloc(before), bytes, Buffer.alloc(2)]).toString('base64')
  const sure = signs.slice(Math.ceil(first / 6), Math.floor(end / 6))
  const spelled = sure.replace(/[+/]/g, (sign) => (sign === '+' ? plus : slash))
  const shared = `(?:[A-Za-z0-9_-]|${plus}|${slash})?`
  return `${first % 6 === 0 ? '' : shared}${spelled}${end % 6 === 0 ? '' : shared}(?:=|%3[Dd]){0,2}`
}
