import { firstAbove } from './rising'
import type { SecretPlace } from './secret-place'
import type { TextView } from './views'

/** The first line of a private key as PEM, OpenSSH and PGP write it. */
export const keyBeginning = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu
/** Its last line. */
export const keyEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu

/** What may stand between two lines of Base64, also as other texts quote them. */
const between = /[\s\\nr"'`+,;>|│]{0,40}(?:\d{1,6}[ \t]{0,4}[→:|│\t -][ \t]{0,4})?/uy
/** A line about the key before its Base64. */
const keyHeader = /[A-Z][A-Za-z-]{1,20}: [^\r\n\\"]{0,200}/uy
const mostHeaders = 8
const base64 = /[A-Za-z0-9+/=]+/uy
/** Shorter runs are words, but for the last one of a key. */
const leastRun = 16

/** Length of the longest key that is looked for. */
const longest = 64 * 1024

/** Finds whole private keys, and those that are cut off. */
export function findPrivateKeys({ text }: TextView): readonly SecretPlace[] {
  if (!text.includes('PRIVATE KEY')) return []
  const begins = [...text.matchAll(keyBeginning)]
  const starts = begins.map(({ index }) => index)
  const ends = [...text.matchAll(keyEnd)]
  const endings = ends.map(({ index }) => index)
  const found: SecretPlace[] = []
  for (const { 0: match, index } of begins) {
    const after = index + match.length
    const next = starts[firstAbove(starts, index)] ?? text.length
    const ending = ends[firstAbove(endings, index)]
    const isWhole = ending !== undefined && ending.index < next && ending.index - after < longest
    const end = isWhole ? ending.index + ending[0].length : endOfRuns(text, after)
    // Whoever writes of keys shows the lines around one, and nothing between them.
    if (!/[A-Za-z0-9+/=]{16}/.test(text.slice(after, end))) continue
    const secret = text.slice(index, end).replace(/\\[nr]|\s/g, '')
    found.push({ group: 'keys', kind: 'private key', start: index, end, secret })
  }
  return found
}

function endOfHeaders(text: string, from: number): number {
  let end = from
  for (let n = 0; n < mostHeaders; n++) {
    between.lastIndex = end
    keyHeader.lastIndex = end + (between.exec(text)?.[0].length ?? 0)
    const start = keyHeader.lastIndex
    const length = keyHeader.exec(text)?.[0].length ?? 0
    if (length === 0) break
    end = start + length
  }
  return end
}

/** Returns the end of the Base64 that follows. */
function endOfRuns(text: string, from: number): number {
  const begun = endOfHeaders(text, from)
  let end = begun
  for (;;) {
    between.lastIndex = end
    const start = end + (between.exec(text)?.[0].length ?? 0)
    base64.lastIndex = start
    const length = base64.exec(text)?.[0].length ?? 0
    const isLast = start + length === text.length
    if (length < leastRun && !(isLast && end > from)) return end === begun ? from : end
    end = start + length
    if (isLast || end - from > longest) return end
  }
}
