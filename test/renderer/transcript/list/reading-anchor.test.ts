import { describe, expect, it } from 'vitest'
import {
  createReadingAnchor,
  type ReadingAnchor,
} from '../../../../src/renderer/transcript/list/reading-anchor'
import { type Box, box } from './stacked-boxes'

describe('the anchor of what is read', () => {
  it('stays where it is when something above it becomes higher', () => {
    const list = listOf([box(100), box(100), box(100), box(700)])
    list.scrollTo(220)
    const before = list.blockTop(2)
    list.anchor.hold()
    list.block(0).height += 50
    list.anchor.settle()
    expect(before).toBe(-20)
    expect(list.blockTop(2)).toBe(before)
  })

  it('is what takes the place of its block, as a formula that is typeset', () => {
    const list = listOf([box(100), box(100), box(100), box(700)])
    list.scrollTo(220)
    list.anchor.hold()
    list.replace(2, box(130))
    list.block(0).height += 50
    list.anchor.settle()
    expect(list.blockTop(2)).toBe(-20)
    // Later too: what took the place is held from then on.
    list.block(1).height += 30
    list.anchor.settle()
    expect(list.blockTop(2)).toBe(-20)
  })

  it('is found again by the number of its block behind blocks that are not drawn', () => {
    const list = listOf([box(300, [], '0 3'), box(100), box(100), box(700)])
    list.scrollTo(420)
    list.anchor.hold()
    list.replace(2, box(130))
    list.block(1).height += 50
    list.block(0).undrawn = '0 2'
    list.insert(1, box(80))
    list.anchor.settle()
    expect(list.blockTop(3)).toBe(-20)
  })

  it('is the block around the words that were replaced in it', () => {
    const list = listOf([box(100), box(0, [box(60), box(60)]), box(900)])
    list.scrollTo(180)
    list.anchor.hold()
    const words = list.block(1)
    words.replace(1, box(60))
    list.block(0).height += 50
    list.anchor.settle()
    expect(list.blockTop(1)).toBe(-80)
  })

  it('is let go of where nothing of it is there any more', () => {
    const list = listOf([box(100), box(100), box(700)])
    list.scrollTo(120)
    list.anchor.hold()
    list.leave()
    list.anchor.settle()
    expect(list.scrolled()).toBe(120)
  })
})

/** A list of one row with one text, in a view of 500 pixels. */
function listOf(blocks: Box[]) {
  let scrolled = 0
  const text = box(0, blocks)
  text.isText = true
  const row = box(0, [box(0, [text])])
  row.isRoot = true
  row.topOfRoot = () => -scrolled
  const key = 'row'
  const sizes = new Map([[key, row.height]])
  const element = row as unknown as HTMLDivElement
  const virtualizer: Parameters<typeof createReadingAnchor>[1] = {
    elementsCache: new Map([[key, element]]),
    itemSizeCache: sizes,
    indexFromElement: () => 0,
    get scrollOffset() {
      return scrolled
    },
    resizeItem(index, size) {
      const before = sizes.get(key) ?? 0
      if (anchor.scrollsBy({ index, key, start: 0, end: before })) scrolled += size - before
      sizes.set(key, size)
    },
  }
  const scroller = { clientHeight: 500, getBoundingClientRect: () => ({ top: 0 }) }
  const anchor: ReadingAnchor = createReadingAnchor(scroller as HTMLElement, virtualizer)
  const block = (at: number): Box => {
    const found = blocks[at]
    if (found === undefined) throw new Error(`no block ${at}`)
    return found
  }
  return {
    anchor,
    block,
    blockTop: (at: number) => block(at).top,
    scrolled: () => scrolled,
    scrollTo(top: number) {
      scrolled = top
    },
    replace: (at: number, by: Box) => text.replace(at, by),
    insert(at: number, added: Box) {
      blocks.splice(at, 0, added)
      added.parentElement = text
    },
    leave() {
      row.isRoot = false
      row.height += 50
    },
  }
}
