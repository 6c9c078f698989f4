import { expect, it } from 'vitest'
import { cleanTitle, longestTitle } from '../../../../src/main/llm/titles/clean'

it.each([
  ['Planting tulips in clay soil', 'Planting tulips in clay soil'],
  ['"Planting tulips"', 'Planting tulips'],
  ['**Planting tulips**', 'Planting tulips'],
  ['# Planting tulips', 'Planting tulips'],
  ['Title: “Planting tulips.”', 'Planting tulips'],
  ['Titel: „Tulpen setzen“', 'Tulpen setzen'],
  ['« Planter des tulipes »', 'Planter des tulipes'],
  ['「チューリップを植える」', 'チューリップを植える'],
  ['- `git rebase` on Windows', 'git rebase on Windows'],
  ['**Note.** See [the docs](https://x.example) of __init__', 'Note. See the docs of __init__'],
  ['5 * 3 * 2', '5 * 3 * 2'],
  ['1. Planting tulips', 'Planting tulips'],
  ['Here is a title:\n\n**Planting tulips**\n\nI hope it helps!', 'Planting tulips'],
  ['<think>Maybe "Tulips"?\nHm.</think>\nPlanting tulips', 'Planting tulips'],
  ['```\nPlanting tulips\n```', 'Planting tulips'],
  ['Why is it 3.5 and not 4?', 'Why is it 3.5 and not 4?'],
  ['What came of it...', 'What came of it...'],
  ['Moving to the U.S.', 'Moving to the U.S.'],
  ['"Yes" and "no"', '"Yes" and "no"'],
  ['2024 taxes', '2024 taxes'],
  ['  spread\t over   blanks ', 'spread over blanks'],
])('makes of %j the title %j', (answer, title) => {
  expect(cleanTitle(answer)).toBe(title)
})

it.each(['', '   \n\n', '**', '---', '...', '<think>never ends', '"'])(
  'finds no title in %j',
  (answer) => {
    expect(cleanTitle(answer)).toBeUndefined()
  },
)

it('cuts at eighty characters, and never inside one', () => {
  const title = cleanTitle('🌷'.repeat(200)) ?? ''
  expect(longestTitle).toBe(80)
  expect(Array.from(title)).toHaveLength(80)
  expect(title.endsWith('🌷…')).toBe(true)
  expect(/\p{Surrogate}/u.test(cleanTitle('a\ud83c tulip \udf37') ?? '')).toBe(false)
})

it('leaves nothing that turns, hides or breaks a line of a list', () => {
  const title = cleanTitle('Tulips\u202e gnp.exe\u0007 \u200bin\u001b[31m May\u2066')
  expect(title).toBe('Tulips gnp.exe in [31m May')
})

it('takes a line that was cut off for none, unless another one follows', () => {
  expect(cleanTitle('Planting tul', true)).toBeUndefined()
  expect(cleanTitle('Planting tulips\nBecause they', true)).toBe('Planting tulips')
})

it('looks at the beginning of an answer alone, however long it is', () => {
  for (const letter of ['a', '*', '"', '#', '\n', '<think>', '1. ']) {
    const beginning = letter.repeat(20_000).slice(0, 20_000)
    const title = cleanTitle(beginning)
    expect(cleanTitle(`${beginning}\n</think>\nTulips\n`), letter).toBe(title)
    expect(cleanTitle(letter.repeat(1_000_000)), letter).toBe(title)
  }
})
