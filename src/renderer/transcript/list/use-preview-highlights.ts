import { type RefObject, useLayoutEffect } from 'react'
import { highlightOf, keepHighlightsColoured } from '../find/highlight-colours'
import { elementMatchRanges } from '../items/highlights'

const name = 'preview'

/** Highlights words in all turns of a preview, and again when these change. */
export function usePreviewHighlights(
  list: RefObject<HTMLElement | null>,
  words: readonly string[],
): void {
  useLayoutEffect(() => {
    const element = list.current
    if (!('highlights' in CSS) || element === null || words.length === 0) return
    const mark = () => {
      const turns = [...element.querySelectorAll('.turn')]
      const ranges = turns.flatMap((turn) => elementMatchRanges(turn, words))
      CSS.highlights.set(name, highlightOf(ranges))
    }
    const watch = new MutationObserver(mark)
    watch.observe(element, { childList: true, characterData: true, subtree: true })
    const stopColouring = keepHighlightsColoured()
    mark()
    return () => {
      watch.disconnect()
      stopColouring()
      CSS.highlights.delete(name)
    }
  }, [list, words])
}
