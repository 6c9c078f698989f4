/** Takes secrets out of a text. */
export type Scrub = (text: string) => string

const mark = '[key]'
// Words such as "none" or "ollama" are no secrets, and taking them out would garble sentences.
const shortestSecret = 8

/** Makes the function that takes a key out of any text that people or files get to see: plain, URL-encoded, JSON-escaped and in base64. */
export function scrubber(key: string | undefined): Scrub {
  if (key === undefined || key.length < shortestSecret) return (text) => text
  const spellings = [
    key,
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
    // Without the padding and the last sign, which change with what follows.
    Buffer.from(key).toString('base64').replace(/=+$/, '').slice(0, -1),
  ]
  // The longest first: a shorter spelling inside a longer one would leave its rest behind.
  const ordered = [...new Set(spellings)].sort((a, b) => b.length - a.length)
  return (text) => ordered.reduce((rest, spelling) => rest.split(spelling).join(mark), text)
}
