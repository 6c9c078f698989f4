import { expect, it } from 'vitest'
import { jsonFaultPlace } from '../../../../src/main/disk/json/json-place'

it.each([
  ['{\n  "model": "ü",\n  "theme" "dark"\n}', { line: 3, column: 11 }],
  ['{"a": 1,}', { line: 1, column: 9 }],
  ['{"ö": "🌷" x}', { line: 1, column: 11 }],
  ['{"a": 1}\n\n}', { line: 3, column: 1 }],
  ['\ufeff{"a" 1}', { line: 1, column: 6 }],
  ['{"a": 1', { line: 1, column: 8 }],
  ['', { line: 1, column: 1 }],
])('finds where %j stops being JSON', (text, place) => {
  expect(jsonFaultPlace(Buffer.from(text))).toEqual(place)
})

it('knows no place where braces and texts are in order', () => {
  expect(jsonFaultPlace(Buffer.from('{"a": "\\x"}'))).toBeUndefined()
  expect(jsonFaultPlace(Buffer.from('\ufeff{"a": 1}\n'))).toBeUndefined()
})
