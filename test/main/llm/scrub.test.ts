import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scrubber } from '../../../src/main/llm/scrub'

const key = 'sk-or-v1-0123456789abcdef~?>'
const scrub = scrubber(key)

/** What base64 in a text tells, read at each of its four beginnings. */
function told(text: string): string {
  const signs = text.replace(/\[key\]/g, ' ')
  return [0, 1, 2, 3]
    .flatMap((from) =>
      signs
        .split(/[^\w+/-]+/)
        .map((run) => Buffer.from(run.slice(from), 'base64').toString('latin1')),
    )
    .join(' ')
}

describe('a key in base64', () => {
  it('goes whole, with its last signs and the padding, wherever it stands in a group of three', () => {
    for (const before of ['', 'a', 'ab', 'Bearer ', 'name:'])
      for (const length of [0, 1, 2]) {
        const secret = key + 'z'.repeat(length)
        const coded = Buffer.from(before + secret).toString('base64')
        const rest = scrubber(secret)(`<${coded}>`)
        expect(rest).toMatch(/^<[A-Za-z0-9]*\[key\]>$/)
        expect(rest.length).toBeLessThanOrEqual(before.length * 2 + '<[key]>'.length)
      }
  })

  it('goes in the alphabet for addresses too, URL-encoded and escaped', () => {
    // Its base64 has both signs in which the alphabets differ.
    const secret = 'sk-~~>>??~~>>??-0123'
    const coded = Buffer.from(secret).toString('base64')
    expect(coded).toMatch(/[+/]/)
    const forms = [
      Buffer.from(secret).toString('base64url'),
      encodeURIComponent(coded),
      coded.replaceAll('/', '\\/'),
    ]
    for (const form of forms) expect(scrubber(secret)(`"${form}"`)).toBe('"[key]"')
  })

  it('tells nothing of its end, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (before, after) => {
        const rest = scrub(Buffer.from(`${before}${key}${after}`).toString('base64'))
        expect(rest).toContain('[key]')
        // Three characters of it in a row.
        const left = told(rest)
        for (let at = 0; at + 3 <= key.length; at++) {
          const piece = key.slice(at, at + 3)
          if (!`${before} ${after}`.includes(piece)) expect(left).not.toContain(piece)
        }
      }),
      { numRuns: 200, seed: 7 },
    )
  })

  it('takes nothing from a text without it', () => {
    const text = `${Buffer.from('sk-or-v2-other').toString('base64')} = plain words, a/b+c==`
    expect(scrub(text)).toBe(text)
  })
})
