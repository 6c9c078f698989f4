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
  [['1e21', '-0.5'], { keepsSigns: true, restatesNumbers: true }, undefined],
  [['1e21 apples'], { keepsSigns: true, restatesNumbers: true }, ['1e21 apples']],
  [['1e21 apples'], { restatesNumbers: true }, ['apples']],
  [['same', 'same', 'other'], {}, ['other', 'same']],
])('takes what bytes show of %j', (words, decoder, texts) => {
  const needles = needlesOf(words, decoder)
  expect(needles?.texts).toEqual(texts)
  if (needles) expect(needles.haveSigns).toBe(needles.texts.some((text) => /\W|_/.test(text)))
})

it('cuts what is too long, and takes no more than can be searched at once', () => {
  const words = Array.from({ length: 50 }, (_, n) => `${n}x`.repeat(400 - n))
  const needles = needlesOf(words, { keepsSigns: true })
  expect(needles?.texts.length).toBe(32)
  expect(Math.max(...(needles?.texts ?? []).map((text) => text.length))).toBe(1000)
})
