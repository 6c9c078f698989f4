import { expect, it, vi } from 'vitest'
import { tokensOf, tokensOfJsonText } from '../../../../src/main/llm/tokens/estimate'

const megabyte = 2 ** 20

it('a long message is estimated as its JSON is, which is not written out', () => {
  const texts = ['wörd "quoted"\n', 'x', '😀', '\u0000', 'a line\nanother\n']
  const contents = texts.map((text) => text.repeat(Math.ceil((3 * megabyte) / text.length)))
  const exact = contents.map((content) =>
    tokensOfJsonText(JSON.stringify({ role: 'user', content })),
  )
  const stringify = vi.spyOn(JSON, 'stringify')
  try {
    for (const [at, content] of contents.entries())
      expect(tokensOf([{ role: 'user', content }]) / (exact[at] ?? 0)).toBeCloseTo(1, 4)
    const longest = Math.max(...stringify.mock.results.map(({ value }) => String(value).length))
    expect(longest).toBeLessThan(2 * megabyte)
  } finally {
    stringify.mockRestore()
  }
})

it('a message of usual length counts to the byte', () => {
  const content = 'wörd "quoted"\n'.repeat(1000)
  const json = JSON.stringify({ role: 'user', content })
  expect(tokensOf([{ role: 'user', content }])).toBe(tokensOfJsonText(json))
})
