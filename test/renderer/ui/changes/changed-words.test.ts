import { expect, it } from 'vitest'
import { changedWords } from '../../../../src/renderer/ui/changes/changed-words'
import { diffLines } from '../../../../src/shared/model/calls/diff-lines'

function wordsOf(diff: string): readonly string[] {
  const { lines } = diffLines(diff)
  const words = changedWords(lines)
  return lines.map((_, index) =>
    (words.get(index) ?? [])
      .map(({ type, text }) => (type === 'same' ? text : `[${text}]`))
      .join(''),
  )
}

it('marks the changed words of lines that took each other\u2019s place', () => {
  expect(wordsOf('@@ -1,2 +1,2 @@\n-the pear is ripe\n+the plum is ripe\n same')).toEqual([
    '',
    'the [pear] is ripe',
    'the [plum] is ripe',
    '',
  ])
})

it('marks nothing where lines have little in common, or other numbers of them', () => {
  expect(wordsOf('@@ -1,1 +1,1 @@\n-one\n+something else')).toEqual(['', '', ''])
  expect(wordsOf('@@ -1,1 +1,2 @@\n-one two\n+one three\n+four')).toEqual(['', '', '', ''])
})

it('compares so many lines of a long hunk and no more', () => {
  const rows = (mark: string, word: string) =>
    Array.from({ length: 5000 }, (_, n) => `${mark}${word} is ripe ${n}`)
  const { lines } = diffLines(
    ['@@ -1,5000 +1,5000 @@', ...rows('-', 'pear'), ...rows('+', 'plum')].join('\n'),
  )
  expect(changedWords(lines).size).toBe(200)
})
