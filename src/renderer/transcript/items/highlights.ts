import { fold, foldWithRanges } from '../../../shared/model/basics/fold'

/** Matches that are marked in one turn at most. */
const mostMatches = 500

/** Words as they are looked for: folded, the empty ones left out. */
export function foldWords(words: readonly string[]): readonly string[] {
  return words.map(fold).filter((word) => word !== '')
}

/** Whether a text holds any of the folded words. */
export function holdsAny(text: string, folded: readonly string[]): boolean {
  const within = fold(text)
  return folded.some((word) => within.includes(word))
}

/** The end of the furthest first match of the folded words in a text; 0 when it holds none. */
export function endOfFirstMatches(text: string, folded: readonly string[]): number {
  if (folded.length === 0 || !holdsAny(text, folded)) return 0
  const within = foldWithRanges(text)
  const ends = folded.map((word) => {
    const at = within.folded.indexOf(word)
    return at < 0 ? 0 : within.rangeOf(at, at + word.length)[1]
  })
  return Math.max(...ends)
}

/** Where the folded words stand in a text: ranges in order, those that overlap joined. */
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

/** What holds a line of text by itself: words of two of them never join. */
const blocks = 'p, li, pre, td, th, h1, h2, h3, h4, h5, h6, blockquote, div, section'
/** Names and buttons of a turn, which are no part of its text. */
const chrome = '.turn-head, .code-head, .long-text-more, button:not(.fold)'

/** The folded words in what an element shows, as ranges of its text. */
export function elementMatchRanges(element: Element, folded: readonly string[]): readonly Range[] {
  if (folded.length === 0) return []
  const nodes: { readonly node: Text; readonly start: number }[] = []
  let text = ''
  let block: Element | null | undefined
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(chrome) != null) continue
    const here = node.parentElement?.closest(blocks)
    if (block !== undefined && here !== block) text += '\n'
    block = here
    nodes.push({ node, start: text.length })
    text += node.data
  }
  let first = 0
  return matchRanges(text, folded).map(([start, end]) => {
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
  if (at !== undefined) range[edge](at.node, Math.min(at.node.length, offset - at.start))
}
