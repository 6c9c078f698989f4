import { describe, expect, it } from 'vitest'
import { loadEncoder } from '../../../../src/main/llm/tokens/encoder'

// As the OpenAI cookbook prints them ("How to count tokens with tiktoken", Comparing encodings).
const published = [
  ['antidisestablishmentarianism', 6, 6],
  ['2 + 2 = 4', 7, 7],
  ['お誕生日おめでとう', 9, 8],
  ['tiktoken is great!', 6, 6],
] as const

/** No two pieces of it are the same, so that none is known from before. */
function lettersInNoOrder(length: number): string {
  let state = 1
  const letter = () => {
    state = (state * 48271) % 0x7fffffff
    return String.fromCharCode(97 + (state % 26))
  }
  return Array.from({ length }, letter).join('')
}

describe('tokens of a text', () => {
  it.each(published)('of %s are as published', async (text, cl100k, o200k) => {
    expect((await loadEncoder('cl100k_base'))(text)).toBe(cl100k)
    expect((await loadEncoder('o200k_base'))(text)).toBe(o200k)
    expect((await loadEncoder('o200k_harmony'))(text)).toBe(o200k)
  })

  it('counts the names of control tokens as the text that they are', async () => {
    const count = await loadEncoder('o200k_base')
    for (const name of ['<|endoftext|>', '<|endofprompt|>', '<|im_start|>', '<|start|>'])
      expect(count(name)).toBeGreaterThan(2)
    expect(count('<|endoftext|><|endoftext|>')).toBeGreaterThan(count('<|endoftext|>'))
  })

  const megabyte = 1_000_000
  it.each([
    ['one letter', 'a'.repeat(megabyte)],
    ['letters in no order', lettersInNoOrder(megabyte)],
    ['spaces', ' '.repeat(megabyte)],
    ['line breaks', '\n'.repeat(megabyte)],
    ['one sign', '='.repeat(megabyte)],
    ['marks and signs in turn', '!\u0301'.repeat(megabyte / 2)],
    ['slashes and line breaks in turn', `!${'\n/'.repeat(megabyte / 2)}`],
    ['letters and marks in turn', 'e\u0301'.repeat(megabyte / 2)],
    ['digits', '7'.repeat(megabyte)],
    ['one ideogram', '語'.repeat(megabyte / 3)],
    ['pictures of two code units', '😀'.repeat(megabyte / 4)],
    ['halves of characters', '\ud800'.repeat(megabyte / 3)],
    [
      'words without an end',
      'x'
        .repeat(199)
        .concat('.')
        .repeat(megabyte / 200),
    ],
  ])('counts a megabyte of %s, and takes no minutes', async (_, text) => {
    const count = await loadEncoder('o200k_base')
    const tokens = count(text)
    expect(tokens).toBeGreaterThan(text.length / 150)
    expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text))
  })

  it('counts what has no end with some tokens too many at each cut', async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    const count = await loadEncoder('o200k_base')
    for (const piece of ['a', 'ab', 'ärger', ' ', '-=', '日本語', '😀']) {
      const text = `It is ${piece.repeat(Math.ceil(3000 / piece.length))} so.`
      const cuts = Math.ceil(text.length / 200)
      expect(Math.abs(count(text) - countTokens(text))).toBeLessThanOrEqual(4 * cuts)
    }
  })

  it('counts usual text to the token, however long', async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    const count = await loadEncoder('o200k_base')
    const prose = 'The window, 38.2k tokens "long",\n\n\tholds naïve words; ÿ𝒳 and 日本語。\n'
    expect(count(prose.repeat(200))).toBe(countTokens(prose.repeat(200)))
  })
})
