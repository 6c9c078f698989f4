import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/support/random'
import {
  hasBits,
  largestFilterBits,
  setBits,
  shrinkFilter,
} from '../../../../src/main/segments/parts/filter-bits'
import { PartBuilder } from '../../../../src/main/segments/parts/part-builder'
import { partMagic } from '../../../../src/main/segments/parts/part-format'
import { PartIndex } from '../../../../src/main/segments/parts/part-index'
import { encodeWords, Vocabulary } from '../../../../src/main/segments/parts/vocabulary'
import { WordBlocksWriter } from '../../../../src/main/segments/parts/word-blocks'
import { WordTable } from '../../../../src/main/segments/parts/word-table'
import { buildTerm } from '../../../../src/main/segments/terms/search-term'
import { fold } from '../../../../src/shared/model/basics/fold'
import { anyScript } from '../../../support/any-script'

const nothing = {
  runs: [],
  oldest: null,
  newest: null,
  untimed: false,
  blockBytes: 1,
  hazards: [0, 0] satisfies [number, number],
}

function partOf(segments: readonly string[]): Buffer {
  const builder = new PartBuilder()
  for (const text of segments) {
    builder.add(text)
    builder.endSegment(nothing)
  }
  return builder.finish([])
}

function opened(bytes: Buffer): PartIndex {
  const part = PartIndex.open(bytes)
  if (part === undefined) throw new Error('not a part')
  return part
}

function segmentsFor(part: PartIndex, query: string): readonly number[] {
  return [...part.mayHold(buildTerm(fold(query)))].flatMap((may, n) => (may !== 0 ? [n] : []))
}

describe('a part of the index', () => {
  const part = opened(
    partOf([
      'The serendipity of orchards; load_file(path) in utf8',
      'commit d62790fa1b2c3d4e and a callow zebra',
      '設定ファイルを読む 日本語',
      'std::vec::Vec, getUserName2, 12345678',
      'nothing of note',
    ]),
  )

  it.each<[string, readonly number[]]>([
    ['serendipity', [0]],
    ['rendip', [0]],
    ['SERENDIPITY', [0]],
    ['orchards; load', [0]],
    ['load_file', [0]],
    ['oad_fi', [0]],
    ['load_note', []],
    ['d62790f', [1]],
    ['b2c3', [1]],
    ['callow zebra', [1]],
    ['zebra callow', [1]],
    ['設定', [2]],
    ['定フ', [2]],
    ['日', [2]],
    ['本日', []],
    ['std::vec', [3]],
    ['username', [3]],
    ['345678', [3]],
    ['not', [4]],
    ['absent', []],
  ])('answers %j with segments %j', (query, segments) => {
    expect(segmentsFor(part, query)).toEqual(segments)
  })

  it.each(['', 'a', 'of', '; ', '=>', '_'])('cannot tell anything of %j', (query) => {
    expect(segmentsFor(part, query)).toEqual([0, 1, 2, 3, 4])
  })

  it('never rules out a segment that holds the query, in any script', () => {
    const random = createRandom(11)
    const writer = anyScript(random)
    for (let round = 0; round < 30; round++) {
      const texts = Array.from({ length: 1 + random.below(40) }, () => writer.text(30))
      const folded = texts.map(fold)
      const any = opened(partOf(texts))
      for (let n = 0; n < 100; n++) {
        const text = folded[random.below(folded.length)] ?? ''
        const from = random.below(text.length)
        const query = fold(text.slice(from, from + 1 + random.below(30)))
        const may = any.mayHold(buildTerm(query))
        folded.forEach((other, segment) => {
          if (other.includes(query)) expect(may[segment], JSON.stringify(query)).toBeGreaterThan(0)
        })
      }
    }
  })

  it('trusts filters of another version of Unicode only for characters that all versions know alike', () => {
    const bytes = partOf(['plain words', 'words with \ua7da, which came late'])
    const json = `"unicode":"${process.versions.unicode}"`
    expect(bytes.includes(json)).toBe(true)
    const older = opened(resealed(bytes, json, json.replace(/\d/, '9')))
    expect(segmentsFor(older, 'absent')).toEqual([1])
    expect(segmentsFor(opened(bytes), 'absent')).toEqual([])
  })

  it('is not opened when any byte is missing or another', () => {
    const bytes = partOf(['some words', 'and others'])
    for (let length = 0; length < bytes.length; length++)
      expect(PartIndex.open(bytes.subarray(0, length))).toBeUndefined()
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0x10
      expect(PartIndex.open(changed)).toBeUndefined()
    }
  })

  it('is not opened when it is of another version', () => {
    const bytes = partOf(['some words'])
    expect(
      PartIndex.open(resealed(bytes, partMagic.toString('latin1'), 'SKEINIX\x00')),
    ).toBeUndefined()
  })
})

/** Changes bytes and makes the digest right again. */
function resealed(bytes: Buffer, from: string, to: string): Buffer {
  const body = Buffer.from(bytes.subarray(0, bytes.length - 32))
  body.write(to, body.indexOf(from), 'latin1')
  return Buffer.concat([body, createHash('sha256').update(body).digest()])
}

/** Adds a word of the scripts whose words are runs of letters, with the key that the collector would give it. */
function addWord(table: WordTable, word: string): void {
  const units = Uint16Array.from({ length: word.length }, (_, i) => word.charCodeAt(i))
  const key = units.reduce((sum, unit) => BigInt.asIntN(64, (sum << 5n) | BigInt(unit & 31)), 0n)
  const [low, high] = [Number(BigInt.asIntN(32, key)), Number(BigInt.asIntN(32, key >> 32n))]
  table.add(units, 0, units.length, low, high, /^[a-z]+$/.test(word))
}

function vocabularyOf(table: WordTable, segmentCount: number): Vocabulary {
  const writer = new WordBlocksWriter()
  const section = encodeWords(table, segmentCount, writer)
  return new Vocabulary(section, writer.finish(), table.size, segmentCount)
}

describe('the vocabulary', () => {
  it('finds words by any part, with all their segments, whatever they share', () => {
    const random = createRandom(12)
    const segmentCount = 200
    const table = new WordTable()
    const truth = new Map<string, Map<number, number>>()
    const words = [
      ...Array.from({ length: 3000 }, () => makeWord(random.below(12) + 1)),
      ...Array.from({ length: 40 }, (_, n) => `${'common'.repeat(6)}${n}`),
      ...Array.from({ length: 40 }, (_, n) => `жёлудь${n}é`),
    ]
    function makeWord(length: number): string {
      return Array.from({ length }, () => 'abcde'[random.below(5)]).join('')
    }
    for (let segment = 0; segment < segmentCount; segment++) {
      // Some words are in many blocks of a segment, most in one; some segments have one block.
      for (let block = 0; block < 1 + (segment % 16); block++) {
        table.beginBlock(block)
        for (const [n, word] of words.entries()) {
          if (random.below(1 + (n % 300)) > 0 || random.below(1 + (n % 9)) > 0) continue
          addWord(table, word)
          if (random.below(3) === 0) addWord(table, word)
          const held = truth.get(word) ?? new Map<number, number>()
          truth.set(word, held.set(segment, (held.get(segment) ?? 0) | (1 << block)))
        }
      }
      table.endSegment()
    }
    const vocabulary = vocabularyOf(table, segmentCount)
    const ask = (part: string) => {
      const found = new Uint16Array(segmentCount)
      vocabulary.addBlocksWith(Buffer.from(part), found)
      return [...found]
    }
    const expected = (matches: (word: string) => boolean) => {
      const found = new Array<number>(segmentCount).fill(0)
      const held = [...truth].filter(([word]) => matches(word))
      for (const [, all] of held)
        for (const [segment, blocks] of all) found[segment] = (found[segment] ?? 0) | blocks
      // Of many words blocks are not looked up: they may hold it where another block of the segment does.
      return { found, isExact: held.length <= 64 }
    }
    const check = (part: string, matches: (word: string) => boolean) => {
      const { found, isExact } = expected(matches)
      const told = ask(part)
      if (isExact) expect(told, part).toEqual(found)
      else
        expect(
          told.map((blocks, n) => [blocks !== 0, blocks & (found[n] ?? 0)]),
          part,
        ).toEqual(found.map((blocks) => [blocks !== 0, blocks]))
    }
    for (let n = 0; n < 300; n++) {
      const word = words[random.below(words.length)] ?? ''
      const from = random.below(word.length)
      const part = word.slice(from, from + 1 + random.below(8))
      check(part, (other) => other.includes(part))
      check(`\n${part}`, (other) => other.startsWith(part))
      check(`${part}\n`, (other) => other.endsWith(part))
      check(`\n${part}\n`, (other) => other === part)
    }
    check('absent', () => false)
    // The blocks of every word go to another part as they are.
    const again = new Map(
      [...vocabulary.words()].map(({ word, segments, blocks }) => [
        word,
        new Map(segments.map((segment, n) => [segment, blocks[n]])),
      ]),
    )
    expect(again).toEqual(truth)
  })

  it('does not take a cut section for a whole one', () => {
    const table = new WordTable()
    for (const word of ['one', 'two', 'three']) addWord(table, word)
    table.endSegment()
    const writer = new WordBlocksWriter()
    const section = encodeWords(table, 1, writer)
    const blocks = writer.finish()
    expect(() => new Vocabulary(section, blocks, 4, 1)).toThrow(RangeError)
    expect(() => new Vocabulary(section, blocks, 2, 1)).toThrow(RangeError)
    expect(() => new Vocabulary(section, blocks.subarray(0, 3), 3, 1)).toThrow(RangeError)
  })
})

describe('a filter', () => {
  it.each([1, 2])(
    'holds after shrinking all that was set, with %i positions a hash',
    (positions) => {
      const random = createRandom(13)
      for (const count of [1, 10, 1000, 60_000]) {
        const bits = new Uint8Array(largestFilterBits / 8)
        const hashes = Array.from({ length: count }, () => random.below(2 ** 32) | 0)
        for (const hash of hashes) setBits(bits, hash, positions)
        const small = shrinkFilter(bits, 0.4)
        expect(hashes.every((hash) => hasBits(small, hash, positions))).toBe(true)
        const wrong = Array.from({ length: 2000 }, () => random.below(2 ** 32) | 0)
        const passed = wrong.filter((hash) => hasBits(small, hash, positions)).length
        if (count < 60_000) expect(passed / wrong.length).toBeLessThan(0.45)
      }
    },
  )

  it('takes no bytes for nothing, and then holds nothing', () => {
    const empty = shrinkFilter(new Uint8Array(largestFilterBits / 8), 0.4)
    expect([empty.length, hasBits(empty, 5, 1)]).toEqual([0, false])
  })
})
