import { useEffect } from 'react'
import { useFind } from '../../state/context'
import { indexOfLine } from '../items/index-of-line'
import type { ListItem } from '../items/use-items'
import { highlightOf, keepHighlightsColoured } from './highlight-colours'
import { literalHighlights, patternHighlights, soughtMatch } from './sought'
import { usePatternTexts } from './use-pattern-texts'

/** Marks all matches in the turns that are drawn while one finds, and the current one in another colour. */
export function useMatchHighlights(list: {
  readonly items: readonly ListItem[]
  readonly scroller: HTMLDivElement
}): void {
  const { items, scroller } = list
  const asked = useFind((state) => (state.isOpen ? state.asked : undefined))
  const place = useFind((state) => state.place)
  const textsOf = usePatternTexts(items)

  useEffect(() => {
    if (asked === undefined || !('highlights' in CSS)) return
    const currentKey = place === undefined ? undefined : items[indexOfLine(items, place)]?.key
    const sought = place === undefined ? undefined : soughtMatch({ wanted: asked, place })
    let frame = 0

    function mark(): void {
      frame = 0
      if (asked === undefined) return
      const turns = [...scroller.querySelectorAll<HTMLElement>('[data-item]')]
      const known = asked.isRegex ? textsOf(turns.flatMap((turn) => turn.dataset.item ?? [])) : []
      const all = turns.map((turn, at) =>
        asked.isRegex ? patternHighlights(turn, known[at] ?? []) : literalHighlights(turn, asked),
      )
      const current = turns.find((turn) => turn.dataset.item === currentKey)
      const now = current === undefined ? undefined : sought?.main(current)
      CSS.highlights.set('found', highlightOf(all.flat()))
      const strong = highlightOf(now === undefined ? [] : [now])
      strong.priority = 1
      CSS.highlights.set('found-now', strong)
    }
    // Rows come, go and change as one scrolls: all of a frame are marked at once.
    const watch = new MutationObserver(() => {
      frame ||= requestAnimationFrame(mark)
    })
    watch.observe(scroller, { childList: true, characterData: true, subtree: true })
    const stopColouring = keepHighlightsColoured()
    mark()
    return () => {
      watch.disconnect()
      cancelAnimationFrame(frame)
      stopColouring()
      CSS.highlights.delete('found')
      CSS.highlights.delete('found-now')
    }
  }, [asked, place, items, scroller, textsOf])
}
