import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { assemble } from '../../../../scripts/wasm/assemble.mjs'
import { byteScanModule } from '../../../../src/main/search/bytes/byte-scan-module'
import { type ByteSearch, createByteSearch } from '../../../../src/main/search/bytes/byte-search'
import { drawnRandom, trialsOf } from '../../../support/drawn-alike'

const source = path.join(__dirname, '../../../../src/main/search/bytes/byte-scan.wat')

/** Texts of many equal letters, and of what differs from a letter by the bit of case alone. */
const alphabets = ['aAbB', 'aAbBzZ@`[{ _"\\n\u001f\té-1./u\n']

function created(): ByteSearch {
  const search = createByteSearch()
  if (search === undefined) throw new Error('no vectors here')
  return search
}

/** The first place where every byte is a needle's, but for the case of letters. */
function findNaively(bytes: Uint8Array, needle: string): number {
  const isSame = (byte: number, wanted: number) =>
    byte === wanted || (wanted >= 0x61 && wanted <= 0x7a && byte === wanted - 0x20)
  for (let at = 0; at + needle.length <= bytes.length; at++) {
    let n = 0
    while (n < needle.length && isSame(bytes[at + n] ?? 0, needle.charCodeAt(n))) n++
    if (n === needle.length) return at
  }
  return -1
}

describe('the search of bytes', () => {
  it('finds, counts and suspects what a naive search does, wherever it begins and whatever follows', () => {
    const random = drawnRandom(31)
    const search = created()
    const wrong: unknown[] = []
    let hits = 0
    const trials = trialsOf(20_000)
    for (let n = 0; n < trials; n++) {
      const alphabet = alphabets[n % 2] ?? ''
      const letters = (count: number) =>
        Array.from({ length: count }, () => alphabet[random.below(alphabet.length)]).join('')
      const text = Buffer.from(letters(random.below(300)))
      const drawn = text.toString('latin1', random.below(text.length + 1)).slice(0, 12)
      const needle = (random.below(3) === 0 ? drawn : letters(1 + random.below(8)))
        .toLowerCase()
        .replace(/[^\0-\x7f]/g, '-')
      if (needle === '') continue
      const pad = random.below(70)
      // What stands before and behind must not count.
      const memory = search.reserve(pad + text.length + needle.length + 4)
      memory.fill(0x61)
      text.copy(memory, pad)
      memory.write(`${needle}é\\u`, pad + text.length, 'latin1')
      search.setNeedles(['unused', needle])
      const end = pad + text.length
      const naive = findNaively(text, needle)
      if (naive >= 0) hits++
      const suspect = text.findIndex(
        (byte, at) => byte >= 0x80 || (byte === 0x5c && text[at + 1] === 0x75),
      )
      const found = [
        search.find(1, pad, end),
        search.count(pad, end, 0x61),
        search.suspect(pad, end),
      ]
      const count = text.filter((byte) => byte === 0x61).length
      const expected = [naive < 0 ? -1 : pad + naive, count, suspect < 0 ? -1 : pad + suspect]
      const cutBackslash = suspect < 0 && text.at(-1) === 0x5c
      if (cutBackslash) found.splice(2, 1, -1)
      if (found.join() !== expected.join()) wrong.push([text.toString('latin1'), needle, found])
      expect(search.hasAll(1, 2, pad, end)).toBe(naive >= 0)
    }
    expect(wrong).toEqual([])
    expect(hits).toBeGreaterThan(trials / 4)
  })

  it('keeps its needles when its memory grows', () => {
    const search = created()
    search.setNeedles(['needle'])
    for (const length of [10, 100_000, 9_000_000]) {
      const memory = search.reserve(length)
      memory.fill(0x20)
      memory.write('NeedlE', length - 6, 'latin1')
      expect([memory.length, search.find(0, 0, length)]).toEqual([length, length - 6])
      expect(search.find(0, 0, length - 1)).toBe(-1)
    }
  })

  it('refuses more bytes than it could count', () => {
    expect(() => created().reserve(2 ** 31)).toThrow('too long')
  })

  it('takes a needle of any length, and as many as it says', () => {
    const search = created()
    const texts = [
      'a',
      'xy',
      'b'.repeat(1000),
      ...Array.from({ length: 29 }, (_, n) => `text ${n}.`),
    ]
    search.setNeedles(texts)
    const all = Buffer.from(`${texts.join('|').toUpperCase()}|`)
    search.reserve(all.length).set(all)
    for (const [n, text] of texts.entries())
      expect(search.find(n, 0, all.length)).toBe(findNaively(all, text))
    expect(search.hasAll(0, texts.length, 0, all.length)).toBe(true)
    expect(search.hasAll(0, texts.length, 0, all.length - 2)).toBe(false)
  })

  it('is not there where WebAssembly has no vectors', () => {
    expect(createByteSearch(() => false)).toBeUndefined()
  })
})

it('is built from its source', () => {
  const built = Buffer.from(assemble(fs.readFileSync(source, 'utf8'))).toString('base64')
  expect(byteScanModule).toBe(built)
})

it.each([
  ['(module (func (export "a") (i32.mul (i32.const 1) (i32.const 2))))', 'no instruction i32.mul'],
  ['(module (func (export "a") (br $b)))', 'no label $b'],
  ['(module (func (export "a") (local.get $b)))', 'no local $b'],
  ['(module (func (export "a")', 'a bracket is missing'],
  ['(module (table 1))', 'an unknown field'],
])('is no source: %s', (text, reason) => {
  expect(() => assemble(text)).toThrow(reason)
})
