import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scrubber, streamScrubber } from '../../../../src/main/settings/base/scrub'

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

/** A text that speaks of keys: whole, in every spelling, in part, and other words. */
function speaking(keys: readonly string[]): fc.Arbitrary<string> {
  const spelled = keys.flatMap((one) => [
    one,
    encodeURIComponent(one),
    one.replace(/[^A-Za-z0-9]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
    JSON.stringify(one).slice(1, -1),
    ...['', 'a', 'ab'].flatMap((before) => [
      Buffer.from(before + one).toString('base64'),
      Buffer.from(`${before}${one}xyz`).toString('base64url'),
      encodeURIComponent(Buffer.from(before + one).toString('base64')),
    ]),
  ])
  const whole = fc.constantFrom(...spelled)
  const part = fc
    .tuple(whole, fc.nat(60), fc.nat(60))
    .map(([text, a, b]) => text.slice(Math.min(a, b), Math.max(a, b)))
  return fc
    .array(
      fc.oneof(whole, part, fc.string({ maxLength: 4 }), fc.constantFrom('sk', 's', '%', '\\')),
      {
        maxLength: 6,
      },
    )
    .map((parts) => parts.join(''))
}

describe('a text that comes in pieces', () => {
  const keySets = [
    [key],
    // One inside another, one that begins as another ends, and signs that spell others.
    ['sk-abcdefgh', 'sk-abcdefgh-longer', 'gh-longer-sk-abc'],
    ['%25%25%2525', 'a\\u0061bcdefg'],
    ['aaaaaaaa', 'aaaaaaaaaaab'],
  ]

  it.each(keySets)('is, cut anywhere, what the whole becomes (%s)', (...some) => {
    const keys = some.filter((one) => typeof one === 'string')
    const whole = scrubber(...keys)
    const pieces = streamScrubber(...keys)
    fc.assert(
      fc.property(speaking(keys), fc.array(fc.nat(200), { maxLength: 12 }), (text, cuts) => {
        const told = pieces()
        let said = ''
        let from = 0
        for (const to of [...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort(
          (a, b) => a - b,
        )) {
          said += told.push(text.slice(from, to))
          // What is told is never taken back, and is no part of a key.
          expect(whole(text).startsWith(said)).toBe(true)
          from = to
        }
        expect(said + told.end()).toBe(whole(text))
        for (const one of keys) expect(whole(text)).not.toContain(one)
      }),
      { numRuns: 700 },
    )
  })

  it('is, letter by letter, told without waiting for more than may be a key', () => {
    const told = streamScrubber(key)()
    const text = 'Words, and tasks; sk-or-what? A sk.'
    const waits = Array.from(text, (letter) => told.push(letter))
    expect(waits.join('') + told.end()).toBe(text)
    // Only what a key, or its base64, begins with waits, for as long as it may be one.
    expect(waits.filter((said) => said === '').length).toBeLessThan(12)
    expect(waits.slice(0, 3)).toEqual(['W', 'o', 'r'])
  })

  it('takes a key of 4,000 letters out of a megabyte without trying each place again', () => {
    const long = Array.from({ length: 4_000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join(
      '',
    )
    const told = streamScrubber(long)()
    const text = `${'ab'.repeat(250_000)}${long}${'cd'.repeat(250_000)}`
    let said = ''
    for (let at = 0; at < text.length; at += 64 * 1024)
      said += told.push(text.slice(at, at + 64 * 1024))
    expect(said + told.end()).toBe(text.replace(long, '[key]'))
  })
})
