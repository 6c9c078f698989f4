import { describe, expect, it } from 'vitest'
import {
  createBlockDrawing,
  type DrawingPage,
} from '../../../../../src/renderer/ui/text/drawing/block-drawing'
import { type UndrawnBlocks, undrawnOf } from '../../../../../src/renderer/ui/text/drawing/undrawn'

const height = 800
const seeds = Array.from({ length: 8 }, (_, seed) => seed + 1)

describe('the drawing of long texts', () => {
  it.each(seeds)('leaves nothing undrawn in view in the frame that shows it (%i)', (seed) => {
    const page = pageOf(seed)
    for (let step = 0; step < 30; step++) {
      page.scrollTo(page.random() * page.whole())
      page.frame()
      expect(page.undrawnInView()).toEqual([])
      if (page.random() < 0.3) page.idle()
      if (page.random() < 0.2) page.growAbove()
    }
  })

  it.each(seeds)('leaves what is in view where it is while the rest is drawn (%i)', (seed) => {
    const page = pageOf(seed)
    page.scrollTo(page.random() * (page.whole() - height))
    page.frame()
    const { number, at } = page.firstInView()
    for (let rounds = 0; page.undrawn() > 0; rounds++) {
      page.idle()
      page.frame()
      expect(page.topOf(number)).toBeCloseTo(at, 6)
      expect(rounds).toBeLessThan(1_000)
    }
  })

  it('draws one piece of 3,000 characters where the page has nothing else to do, the nearest first', () => {
    const page = pageOf(1)
    page.scrollTo(page.whole() / 2)
    page.frame()
    const drawnBefore = page.drawnCharacters()
    page.idle()
    expect(page.drawnCharacters() - drawnBefore).toBeGreaterThan(0)
    expect(page.drawnCharacters() - drawnBefore).toBeLessThanOrEqual(3_000)
    expect(page.stretches()).toBe(2)
  })

  it('draws nothing while another view covers it', () => {
    const page = pageOf(2)
    page.cover()
    page.frame()
    page.idle()
    expect(page.drawnCharacters()).toBe(0)
  })

  it('draws all of it at once for whoever selects, and measures each block once', () => {
    const page = pageOf(3)
    page.scrollTo(page.whole() / 2)
    page.frame()
    page.drawing.drawAll()
    expect(page.undrawn()).toBe(0)
    expect(page.measured.toSorted((a, b) => a - b)).toEqual(page.numbers)
  })

  it('draws nothing for whoever selects all of another view that covers it', () => {
    const page = pageOf(3)
    page.cover()
    page.drawing.drawAll()
    expect(page.drawnCharacters()).toBe(0)
  })

  it('draws all of a text that comes to the page within a selection', () => {
    const page = pageOf(5)
    page.select()
    page.frame()
    expect(page.undrawn()).toBe(0)
    expect(page.measured.toSorted((a, b) => a - b)).toEqual(page.numbers)
  })

  it('draws nothing more after its end', () => {
    const page = pageOf(4)
    page.drawing.stop()
    page.frame()
    page.idle()
    expect(page.drawnCharacters()).toBe(0)
  })
})

interface FakeText {
  readonly undrawn: readonly UndrawnBlocks[]
  charactersOf(block: number): number
  draw(piece: UndrawnBlocks): void
  measure(piece: UndrawnBlocks): void
}

/** A page of one text of 300 blocks, whose heights are a tenth to five times of what they are taken for. */
function pageOf(seed: number) {
  const random = randomFrom(seed)
  const count = 300
  const numbers = Array.from({ length: count }, (_, at) => at)
  const estimates = numbers.map(() => 20 + random() * 100)
  const heights = estimates.map((estimate) => estimate * (0.1 + random() * 4.9))
  const characters = numbers.map(() => 50 + Math.floor(random() * 900))
  const drawn = numbers.map(() => false)
  const measured: number[] = []
  let scrolled = 0
  let above = 0
  let isCovered = false
  let isSelected = false
  let held: { readonly number: number; readonly at: number } | undefined
  let toFrame: (() => void) | undefined
  let toIdle: (() => void) | undefined
  let end: (() => void) | undefined

  const heightOf = (at: number) => (drawn[at] ? heights[at] : estimates[at]) ?? 0
  const sum = (from: number, to: number) =>
    numbers.slice(from, to).reduce((total, at) => total + heightOf(at), 0)
  const topOf = (at: number) => above + sum(0, at) - scrolled
  const undrawn = () => undrawnOf(drawn)

  function add(): void {
    end?.()
    end = undefined
    if (undrawn().length === 0) return
    end = drawing.add({
      undrawn: undrawn(),
      charactersOf: (at) => characters[at] ?? 0,
      draw: ({ from, to }) => drawn.fill(true, from, to),
      measure: ({ from, to }) => measured.push(...numbers.slice(from, to)),
    })
  }

  function firstInView() {
    const number = numbers.find(
      (at) => drawn[at] && topOf(at) + heightOf(at) > 0 && topOf(at) < height,
    )
    if (number === undefined) throw new Error('nothing is drawn in view')
    return { number, at: topOf(number) }
  }

  const page: DrawingPage<FakeText> = {
    height: () => (isCovered ? 0 : height),
    isSelected: () => isSelected,
    stretchesOf: () =>
      undrawn().map(({ from, to }) => ({
        from,
        to,
        top: topOf(from),
        bottom: topOf(from) + sum(from, to),
        heights: estimates.slice(from, to),
      })),
    hold() {
      held = numbers.some((at) => drawn[at] && topOf(at) + heightOf(at) > 0 && topOf(at) < height)
        ? firstInView()
        : undefined
    },
    settle() {
      if (held !== undefined) scrolled += topOf(held.number) - held.at
    },
    flush(change) {
      change()
      add()
    },
    beforeFrame(act) {
      toFrame = act
      return () => {
        toFrame = undefined
      }
    },
    whenIdle(act) {
      toIdle = act
      return () => {
        toIdle = undefined
      }
    },
  }
  const drawing = createBlockDrawing<FakeText>(page)
  add()

  return {
    drawing,
    random,
    measured,
    numbers,
    topOf,
    firstInView,
    whole: () => sum(0, count),
    undrawn: () => drawn.filter((is) => !is).length,
    stretches: () => undrawn().length,
    drawnCharacters: () =>
      numbers.reduce((all, at) => all + (drawn[at] ? (characters[at] ?? 0) : 0), 0),
    undrawnInView: () =>
      numbers.filter((at) => !drawn[at] && topOf(at) + heightOf(at) > 0 && topOf(at) < height),
    cover() {
      isCovered = true
    },
    select() {
      isSelected = true
    },
    growAbove() {
      above += 100
    },
    scrollTo(top: number) {
      scrolled = top
      held = undefined
      drawing.look()
    },
    frame() {
      const act = toFrame
      toFrame = undefined
      act?.()
    },
    idle() {
      const act = toIdle
      toIdle = undefined
      act?.()
    },
  }
}

/** Numbers from 0 to 1 that are the same for a seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
