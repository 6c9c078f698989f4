import { describe, expect, it } from 'vitest'
import { createBlockHeights } from '../../../../../src/renderer/ui/text/drawing/block-heights'

describe('measured heights of blocks', () => {
  it('are those of the same text', () => {
    const heights = createBlockHeights()
    heights.keep('one text', 3, 41.5)
    expect(heights.heightOf('one text', 3)).toBe(41.5)
    expect(heights.heightOf('one text', 2)).toBeUndefined()
    expect(heights.heightOf('other', 3)).toBeUndefined()
  })

  it('are forgotten where the width is another one', () => {
    const heights = createBlockHeights()
    heights.fit('800 16')
    heights.keep('one text', 0, 20)
    heights.fit('800 16')
    expect(heights.heightOf('one text', 0)).toBe(20)
    heights.fit('700 16')
    expect(heights.heightOf('one text', 0)).toBeUndefined()
  })

  it('are those of the texts that were used last, of so many characters', () => {
    const heights = createBlockHeights(10)
    heights.keep('aaaa', 0, 1)
    heights.keep('bbbb', 0, 2)
    expect(heights.heightOf('aaaa', 0)).toBe(1)
    heights.keep('cccc', 0, 3)
    expect(['aaaa', 'bbbb', 'cccc'].map((text) => heights.heightOf(text, 0))).toEqual([
      1,
      undefined,
      3,
    ])
  })

  it('of a text that is longer than all that is kept are not kept, and drive out no others', () => {
    const heights = createBlockHeights(10)
    heights.keep('short', 0, 20)
    heights.keep('much too long', 0, 30)
    expect(heights.heightOf('short', 0)).toBe(20)
    expect(heights.heightOf('much too long', 0)).toBeUndefined()
  })
})
