import { expect, it } from 'vitest'
import { meantByJson, undoJsonEscapes } from '../../../../src/shared/model/basics/json-escapes'

it.each([
  ['plain', ['plain']],
  ['C:\\Users\\x', ['C:\\Users\\x']],
  ['C:\\new', ['C:\\new', 'C:\new']],
  ['caf\\u00e9', ['caf\\u00e9', 'café']],
  ['\\"path\\": \\"a\\/b\\"', ['\\"path\\": \\"a\\/b\\"', '"path": "a/b"']],
  ['a\\\\nb', ['a\\\\nb', 'a\\nb', 'a\nb']],
  ['\\', ['\\']],
  ['\\ud83c\\udf89', ['\\ud83c\\udf89', '🎉']],
])('%j may stand for %j', (text, meant) => {
  expect(meantByJson(text)).toEqual(meant)
})

it('undoes the escapes of a piece that was cut in the middle of one', () => {
  expect(undoJsonEscapes('u00e9 one\\ttwo \\u00')).toBe('u00e9 one\ttwo \\u00')
})
