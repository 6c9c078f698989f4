import { fold, foldWithRanges } from '../../../shared/model/basics/fold'
import { largestOf } from '../../../shared/model/basics/long-lists'

/** Most highlighted matches of a word in one turn. */
const mostMatches = 500

/** Folds words for matching; empty ones are left out. */
export function foldWords(words: readonly string[]): readonly string[] {
  return words.map(fold).filter((word) => word !== '')
}

/** Returns true where a text contains one of the folded words. */
export function holdsAny(text: string, folded: readonly string[]): boolean {
  const within = fold(text)
  return folded.some((word) => within.includes(word))
}

/** Returns the end of the last of the folded words' first matches in a text; 0 without a match. */
export function endOfFirstMatches(text: string, folded: readonly string[]): number {
  if (folded.length === 0 || !holdsAny(text, folded)) return 0
  const within = foldWithRanges(text)
  const ends = folded.map((word) => {
    const at = within.folded.indexOf(word)
    return at < 0 ? 0 : within.rangeOf(at, at + word.length)[1]
  })
  return largestOf(ends)
}

/** Finds the folded words in a text: ranges in order, overlapping ones joined. At most 500 matches of a word. */
export function matchRanges(
  text: string,
  folded: readonly string[],
): readonly (readonly [start: number, end: number])[] {
  if (folded.length === 0 || !holdsAny(text, folded)) return []
  const within = foldWithRanges(text)
  const found: (readonly [number, number])[] = []
  for (const word of folded) {
    let at = within.folded.indexOf(word)
    for (let count = 0; at >= 0 && count < mostMatches; count++) {
      found.push(within.rangeOf(at, at + word.length))
      at = within.folded.indexOf(word, at + word.length)
    }
  }
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const joined: [number, number][] = []
  for (const [start, end] of found) {
    const last = joined.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}

/** Elements that are lines of their own: a match never spans two of them. */
const blocks = 'p, li, pre, td, th, h1, h2, h3, h4, h5, h6, blockquote, div, section'
/** Heads, buttons and drawings of a turn, which are not part of its text. */
const chrome =
  '.turn-head, .code-head, .code-numbers, .tool-hit-number, .long-text-more, .formula-drawn, button:not(.fold)'

/** Function that finds what is marked in a text: ranges in order, apart from one another. */
export type FindRanges = (text: string) => readonly (readonly [start: number, end: number])[]

/** Finds the folded words in the visible text of an element, without heads and buttons, as ranges of the document. */
export function elementMatchRanges(element: Element, folded: readonly string[]): readonly Range[] {
  return folded.length === 0 ? [] : elementRanges(element, (text) => matchRanges(text, folded))
}

/**
 * Finds what is marked in the visible text of an element, without heads and buttons, as ranges of the document.
 *
 * @param isMeant leaves out other parts of the element
 */
export function elementRanges(
  element: Element,
  find: FindRanges,
  isMeant: (parent: Element) => boolean = () => true,
): readonly Range[] {
  const nodes: { readonly node: Text; readonly start: number }[] = []
  let text = ''
  let block: Element | null | undefined
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!(node instanceof Text) || parent === null) continue
    if (parent.closest(chrome) !== null || !isMeant(parent)) continue
    const here = parent.closest(blocks)
    if (block !== undefined && here !== block) text += '\n'
    block = here
    nodes.push({ node, start: text.length })
    text += node.data
  }
  let first = 0
  return find(text).map(([start, end]) => {
    const range = document.createRange()
    while ((nodes[first + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) first++
    let last = first
    while ((nodes[last + 1]?.start ?? Number.POSITIVE_INFINITY) < end) last++
    setEdge(range, 'setStart', nodes[first], start)
    setEdge(range, 'setEnd', nodes[last], end)
    return range
  })
}

function setEdge(
  range: Range,
  edge: 'setStart' | 'setEnd',
  at: { readonly node: Text; readonly start: number } | undefined,
  offset: number,
): void {
  if (at === undefined) return
  // Of a formula the drawing is seen, the source is not.
  const formula = at.node.parentElement?.closest('.formula')
  if (formula == null) range[edge](at.node, Math.min(at.node.length, offset - at.start))
  else if (edge === 'setStart') range.setStartBefore(formula)
  else range.setEndAfter(formula)
}
