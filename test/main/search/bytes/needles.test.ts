import { expect, it } from 'vitest'
import { needlesOf } from '../../../../src/main/search/bytes/needles'

it.each<[readonly string[], Parameters<typeof needlesOf>[1], readonly string[] | undefined]>([
  [['the next frame'], { keepsSigns: true }, ['the next frame']],
  [['the next frame'], {}, ['frame', 'next', 'the']],
  [['load_file(path)'], { keepsSigns: true }, ['load_file(path)']],
  [['load_file(path)'], {}, ['load', 'file', 'path']],
  // What JSON has between values may be written otherwise in the line, and escapes are more bytes.
  [['{"path":"a b/c", 5}'], { keepsSigns: true }, ['path', 'a b', ' 5', 'c']],
  [['c:\\users\\x\ny'], { keepsSigns: true }, ['users', 'c', 'x', 'y']],
  [['don\u2019t see 設定'], { keepsSigns: true }, ['t see ', 'don']],
  [['設定', 'жук'], { keepsSigns: true }, undefined],
  // Signs alone tell little, and are hidden by more.
  [['a_', '('], { keepsSigns: true }, ['a_']],
  [['_', '('], { keepsSigns: true }, ['_', '(']],
  [['1e21', '-0.5'], { keepsSigns: true, restatesNumbers: true }, undefined],
  [['1e21 apples'], { keepsSigns: true, restatesNumbers: true }, ['1e21 apples']],
  [['1e21 apples'], { restatesNumbers: true }, ['apples']],
  [['same', 'same', 'other'], {}, ['other', 'same']],
])('takes what bytes show of %j', (words, decoder, texts) => {
  expect(needlesOf([words], decoder)?.groups[0]?.texts).toEqual(texts)
})

it('cuts what is too long, and takes no more than can be searched at once', () => {
  const words = Array.from({ length: 50 }, (_, n) => `${n}x`.repeat(400 - n))
  const [group] = needlesOf([words], { keepsSigns: true })?.groups ?? []
  expect([group?.texts.length, group?.letters.length]).toEqual([16, 16])
  expect(Math.max(...(group?.texts ?? []).map((text) => text.length))).toBe(1000)
})

it('takes those of every alternative, with the letters in them, as far as there are not too many', () => {
  const lists = [['snake_case', 'x'], ['a phrase']]
  expect(needlesOf(lists, { keepsSigns: true })).toEqual({
    groups: [
      { texts: ['snake_case', 'x'], letters: ['snake', 'case', 'x'] },
      { texts: ['a phrase'], letters: ['phrase', 'a'] },
    ],
    signs: 'joins',
  })
  expect(needlesOf([['a'], ['茶']], {})).toBeUndefined()
  expect(
    needlesOf(
      Array.from({ length: 17 }, () => ['a']),
      {},
    ),
  ).toBeUndefined()
  expect(needlesOf([['a'], ['b c']], {})?.signs).toBe('none')
  expect(needlesOf([['a'], ['b-c']], { keepsSigns: true })?.signs).toBe('any')
})
