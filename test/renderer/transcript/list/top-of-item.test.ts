import { Virtualizer } from '@tanstack/react-virtual'
import { expect, it } from 'vitest'
import { topOfListItem } from '../../../../src/renderer/transcript/list/top-of-item'

it('tells the items of the last screen apart, which no scrolling puts at the top', () => {
  const virtualizer = new Virtualizer<HTMLDivElement, HTMLDivElement>({
    count: 5,
    estimateSize: () => 100,
    getScrollElement: () => null,
    scrollToFn: () => undefined,
    observeElementRect: () => undefined,
    observeElementOffset: () => undefined,
    paddingStart: 24,
  })
  expect(virtualizer.getTotalSize()).toBe(524)
  const tops = [0, 3, 4, 5].map((index) => topOfListItem(virtualizer, index))
  expect(tops).toEqual([24, 324, 424, undefined])
})
