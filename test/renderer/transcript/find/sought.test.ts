import { expect, it } from 'vitest'
import { rangesInOrder, soughtMatch } from '../../../../src/renderer/transcript/find/sought'
import type { FoundPlace } from '../../../../src/shared/model/find/find'

it('finds texts one after the other, and leaves out what is not drawn', () => {
  expect(rangesInOrder('tide, ebb, tide', ['tide', 'moon', 'tide'])).toEqual([
    [0, 4],
    [11, 15],
  ])
})

it('marks no more than some of very many texts', () => {
  const texts = Array.from({ length: 400_000 }, () => 'a')
  expect(rangesInOrder('a'.repeat(400_000), texts)).toHaveLength(500)
})

it('gives up after some texts that are not drawn', () => {
  const missing = Array.from({ length: 100 }, () => 'moon')
  expect(rangesInOrder('tide', [...missing, 'tide'])).toEqual([])
})

it('shows a text up to its match, wherever it stands among its like', () => {
  const text = `${'tide '.repeat(200_000)}`
  const place: FoundPlace = {
    file: 'active.jsonl',
    offset: 0,
    part: 'content',
    nth: 199_999,
    start: 999_995,
    end: 999_999,
    text: 'tide',
    before: 199_999,
  }
  const wanted = { text: 't.de', matchesCase: true, wantsWholeWords: false, isRegex: true }
  const { reveal, holds } = soughtMatch({ wanted, place })
  expect(reveal(text)).toBe(999_999)
  // As it is drawn it may begin otherwise.
  expect(reveal(`> ${text}`)).toBe(1_000_001)
  expect(reveal('ebb')).toBe(0)
  expect([holds(text, 'content'), holds(text, 'result')]).toEqual([true, false])
})
