/**
 * Finds the first child of a text that is drawn and in view; its children stand one below the other. Reads the layout, of as many
 * children as halving takes.
 */
export function firstSeenChild(text: Element, top: number, bottom: number): Element | undefined {
  const { children } = text
  let low = 0
  let high = children.length
  while (low < high) {
    const middle = (low + high) >> 1
    const box = children[middle]?.getBoundingClientRect()
    if (box !== undefined && box.bottom > top + 1) high = middle
    else low = middle + 1
  }
  for (let at = low; at < children.length; at++) {
    const child = children[at]
    if (child === undefined || child.getBoundingClientRect().top >= bottom) return undefined
    if (undrawnIn(child) === undefined) return child
  }
  return undefined
}

/** Returns true for the element of a text that is drawn in pieces: its children are its blocks. */
export function isTextOfBlocks(element: Element): boolean {
  return element.hasAttribute('data-blocks')
}

/** Returns the number of a drawn block of a text, which is its child. */
export function blockNumberOf(block: Element): number {
  let number = 0
  for (let before = block.previousElementSibling; before !== null; ) {
    const undrawn = undrawnIn(before)
    if (undrawn !== undefined) return number + undrawn.to
    number++
    before = before.previousElementSibling
  }
  return number
}

/** Finds the block of a text by its number; undefined where it is not there, or not drawn. */
export function drawnBlockOf(text: Element, block: number): Element | undefined {
  let number = 0
  for (const child of text.children) {
    const undrawn = undrawnIn(child)
    if (undrawn !== undefined) number = undrawn.to
    else if (number === block) return child
    else number++
    if (number > block) return undefined
  }
  return undefined
}

/** Returns the blocks for which an element keeps room; undefined for one that shows something. */
export function undrawnIn(
  element: Element,
): { readonly from: number; readonly to: number } | undefined {
  const blocks = element.getAttribute('data-undrawn')
  if (blocks === null) return undefined
  const [from = 0, to = 0] = blocks.split(' ').map(Number)
  return { from, to }
}
