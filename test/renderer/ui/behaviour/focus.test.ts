import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { focusWhenDrawn } from '../../../../src/renderer/ui/behaviour/focus'

/** An element of a page without a browser: it takes the focus where it can. */
interface Part {
  readonly name: string
  focus(): void
}

const window = new EventTarget()
const body = part('body')
let focused = body
let frames: (() => void)[] = []

function part(name: string, canTake = () => true): Part & HTMLElement {
  const made: Part = {
    name,
    focus() {
      if (canTake()) focused = made as Part & HTMLElement
    },
  }
  return made as Part & HTMLElement
}

/** Draws a number of frames; tells how many had something to do. */
function draw(count: number): number {
  let busy = 0
  for (let n = 0; n < count; n++) {
    const due = frames
    frames = []
    busy += due.length
    for (const act of due) act()
  }
  return busy
}

beforeEach(() => {
  focused = body
  frames = []
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', {
    body,
    get activeElement() {
      return focused
    },
  })
  vi.stubGlobal('requestAnimationFrame', (act: () => void) => frames.push(act))
})
afterEach(() => void vi.unstubAllGlobals())

describe('the focus of what is about to be drawn', () => {
  it('waits for it over as many frames as drawing takes', () => {
    let drawn: HTMLElement | undefined
    focusWhenDrawn(() => drawn)
    draw(40)
    expect(focused).toBe(body)

    drawn = part('field')
    draw(1)

    expect(focused).toBe(drawn)
    expect(draw(10)).toBe(0)
  })

  it('waits until the element can take it', () => {
    let isEnabled = false
    const button = part('button', () => isEnabled)
    focusWhenDrawn(() => button)
    draw(5)
    expect(focused).toBe(body)

    isEnabled = true
    draw(1)

    expect(focused).toBe(button)
  })

  it.each(['keydown', 'pointerdown'])('is given up at a %s of the person', (type) => {
    let drawn: HTMLElement | undefined
    focusWhenDrawn(() => drawn)
    draw(1)
    window.dispatchEvent(new Event(type))
    drawn = part('field')
    draw(5)

    expect(focused).toBe(body)
    expect(frames).toEqual([])
  })

  it('is given up when the focus was taken elsewhere', () => {
    let drawn: HTMLElement | undefined
    focusWhenDrawn(() => drawn)
    draw(1)
    const other = part('other')
    other.focus()
    drawn = part('field')
    draw(5)

    expect(focused).toBe(other)
  })

  it('is not waited for without an end', () => {
    focusWhenDrawn(() => undefined)

    expect(draw(1000)).toBe(120)
    expect(frames).toEqual([])
  })
})
