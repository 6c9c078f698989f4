import { expect, it } from 'vitest'
import { firstWords } from '../../../../src/shared/model/basics/first-words'

it('first words are one line, cut between characters', () => {
  expect(firstWords('  a\n\tb  c ')).toBe('a b c')
  expect(firstWords('😀'.repeat(5), 3)).toBe('😀😀…')
  expect(firstWords('\ud83d alone', 20)).toBe('alone')
})
