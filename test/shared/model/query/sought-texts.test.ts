import { expect, it } from 'vitest'
import { soughtTexts } from '../../../../src/shared/model/query/sought-texts'

it.each([
  // Not those of fields, nor what must not be there.
  ['utc -local source:chibi "clock change" utc', ['utc', 'clock change']],
  ['-(a b) (c OR -d) /e/', ['c']],
  ['say \\"hi\\"', ['say', '\\"hi\\"', '"hi"']],
  ['"say \\"hi\\""', ['say \\"hi\\"', 'say "hi"']],
  ['a\\nb', ['a\\nb', 'a\nb']],
  // A line's end alone is nothing to see.
  ['\\n', ['\\n']],
])('a hit of %j may have %j', (query, texts) => {
  expect(soughtTexts(query)).toEqual(texts)
})
