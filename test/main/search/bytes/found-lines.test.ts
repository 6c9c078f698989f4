import { expect, it, vi } from 'vitest'
import { createByteSearch } from '../../../../src/main/search/bytes/byte-search'
import { linesWithNeedles, setNeedles } from '../../../../src/main/search/bytes/found-lines'
import { needlesOf } from '../../../../src/main/search/bytes/needles'

function linesFound(lines: readonly string[], words: readonly string[], known: 'signs' | 'any') {
  const search = createByteSearch()
  const needles = needlesOf([words], { keepsSigns: true })
  if (search === undefined || needles === undefined) throw new Error('no vectors here')
  setNeedles(search, needles)
  const bytes = Buffer.from(lines.join('\n'))
  const block = search.reserve(bytes.length)
  bytes.copy(block)
  const strings = vi.spyOn(block, 'toString')
  const looks = vi.spyOn(search, 'suspect')
  const found = [...linesWithNeedles(search, block, needles, known)].map(({ index }) => index)
  return { found, strings: strings.mock.calls.length, looks: looks.mock.calls.length }
}

it('finds lines that may match without making strings of the others', () => {
  const lines = [
    'green tea … 茶园 “quoted” – and an end',
    'nothing of it … 改善',
    'green\u00a0tea',
    'green\\u0020tea',
    'ｇreen tea',
    'Green Tea',
    '\\u2026',
    'green　pea',
  ]
  const some = linesFound(lines, ['green tea'], 'any')
  expect(some).toMatchObject({ found: [0, 2, 3, 4, 5], strings: 0 })
  const others = linesFound(lines, ['green tea.'], 'any')
  expect(others).toMatchObject({ found: [0, 2, 3, 4], strings: 0 })
})

it('looks at lines for hidden signs only where all letters are in them', () => {
  const lines = ['tea … of', 'green … pea', 'green …tea', 'green\u00a0tea', '…', 'ｇ tea green']
  expect(linesFound(lines, ['green tea'], 'signs').found).toEqual([3, 5])
  expect(linesFound(lines, ['green tea!'], 'signs').found).toEqual([2, 3, 5])
  expect(linesFound(lines, ['green tea'], 'any').found).toEqual([3, 5])
  expect(linesFound(lines, ['!?'], 'signs').found).toEqual([0, 1, 2, 3, 4, 5])
})
