import { expect, it } from 'vitest'
import { runAtOnce } from '../../../../src/main/disk/pacing/slices'
import { wholeItems, wholeTexts } from '../../../../src/main/store/checkup/whole-items'

const titles = JSON.stringify(
  { titles: ['a', 'b {"key"', 'c\\"}'].map((title, n) => ({ key: `k${n}`, title, tags: ['x'] })) },
  undefined,
  1,
)
const keysOf = (text: string) =>
  runAtOnce(wholeItems(text, (item) => typeof item.key === 'string')).map(({ key }) => key)

it('finds each item that is whole, however the text is cut', () => {
  for (let length = 0; length < titles.length; length++) {
    const cut = titles.slice(0, length)
    const whole = ['k0', 'k1', 'k2'].filter((_, n) => {
      const item = JSON.parse(titles).titles[n]
      const text = JSON.stringify(item, undefined, 1).replaceAll('\n', '\n  ')
      return cut.includes(text)
    })
    expect(keysOf(cut)).toEqual(whole)
  }
})

it('goes on behind a changed byte, also of a quote or a brace', () => {
  for (let at = 0; at < titles.length; at++)
    for (const byte of ['x', '"', '{', '}', '\n']) {
      const keys = keysOf(titles.slice(0, at) + byte + titles.slice(at + 1))
      // One byte can hide what it is in, and, as a quote or a brace, what is right beside.
      expect(keys.length, `${byte} at ${at}`).toBeGreaterThanOrEqual(1)
    }
})

it('reads a hostile text in proportion to its length', () => {
  let parsed = 0
  const accept = () => {
    parsed += 1
    return false
  }
  const text = '{"a":'.repeat(200_000)
  expect(runAtOnce(wholeItems(text, accept))).toEqual([])
  expect(runAtOnce(wholeItems('{}'.repeat(200_000), accept))).toEqual([])
  expect(parsed).toBeLessThanOrEqual(200_000)
})

it('gives way to others within each stretch of a long text', () => {
  const text = `{"titles":[${'{"key":"a"},'.repeat(100_000)}`
  let longest = 0
  const work = wholeItems(text, (item) => typeof item.key === 'string')
  for (let step = work.next(); !step.done; step = work.next())
    longest = Math.max(longest, step.value)
  expect(longest).toBeGreaterThan(0)
  expect(longest).toBeLessThanOrEqual(128 * 1024)
})

it('finds the texts of a list up to where it is torn', () => {
  expect(wholeTexts('{"archived": ["a", "b\\"c", "d', 'archived')).toEqual(['a', 'b"c'])
  expect(wholeTexts('{"archived": ["a"], "more": ["b"]}', 'archived')).toEqual(['a'])
  expect(wholeTexts('{"archived": []}', 'archived')).toEqual([])
  expect(wholeTexts('{"archived": [1, "b"]}', 'archived')).toEqual([])
})
