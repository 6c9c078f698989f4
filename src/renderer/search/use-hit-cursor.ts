import type { KeyboardEvent } from 'react'
import type { ListedHit } from '../state/search-state'
import { focusOn } from '../ui/behaviour/focus'
import { isComposing } from '../ui/behaviour/keys'
import { rowForKey } from '../ui/behaviour/list-keys'
import { type HitListRow, optionOf } from './hit-rows'

const pageRows = 10

/**
 * Moves the cursor of the hits by arrows, Home, End and page keys, and by conversation with Alt and arrows. Enter
 * opens; Left and Right fold a conversation's hits; letters go to the query field.
 */
export function useHitCursor(options: {
  readonly rows: readonly HitListRow[]
  /** Index of the row that has the cursor; -1 for none. */
  readonly cursorAt: number
  readonly select: (id: number) => void
  readonly fold: (group: string, isFolded: boolean) => void
  readonly open: (found: ListedHit) => void
  readonly scrollTo: (index: number, options: { align: 'auto' }) => void
  /** Called when the cursor wants to leave the list at its top. */
  readonly onTop: () => void
}) {
  const { rows, cursorAt, select, fold, open, scrollTo, onTop } = options
  const hits = rows.flatMap((row) => optionOf(row) ?? [])
  const found = optionOf(rows[cursorAt])
  const here = found === undefined ? -1 : hits.indexOf(found)
  const indexOf = (hit: ListedHit | undefined) =>
    hit === undefined ? -1 : rows.findIndex((row) => optionOf(row) === hit)

  function moveTo(target: ListedHit | undefined): void {
    if (target === undefined) return
    select(target.id)
    const index = indexOf(target)
    // The head of the first hit is shown with it.
    scrollTo(index === 1 ? 0 : index, { align: 'auto' })
  }

  /** Returns the first hit of the next conversation; upwards that of this one, then of the one before. */
  function conversationFrom(step: 1 | -1): ListedHit | undefined {
    const starts = hits.filter(({ group }, index) => group !== hits[index - 1]?.group)
    return step === 1
      ? starts.find((start) => hits.indexOf(start) > here)
      : starts.findLast((start) => hits.indexOf(start) < here)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || isComposing(event.nativeEvent)) return
    if (event.altKey) {
      if (event.shiftKey) return
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      moveTo(conversationFrom(event.key === 'ArrowDown' ? 1 : -1))
      event.preventDefault()
      return
    }
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const isFold = event.key === 'ArrowLeft'
      const row = rows[indexOf(found)]
      if (found === undefined || row === undefined) return
      event.preventDefault()
      if (isFold === (row.type === 'head')) return
      fold(found.group, isFold)
      // The head stands for the first hit.
      if (isFold) select(hits.find(({ group }) => group === found.group)?.id ?? found.id)
      return
    }
    const target = rowForKey(event.key, { count: hits.length, here, pageRows })
    if (event.key === 'ArrowUp' && here <= 0) onTop()
    else if (target !== undefined) moveTo(hits[target])
    else if (event.key === 'Enter' && found !== undefined) open(found)
    else {
      // The key is typed where the focus is by then: in the query field.
      if (event.key.length === 1 || event.key === 'Backspace') focusOn('search')
      return
    }
    event.preventDefault()
  }

  return { found, index: indexOf(found), onKeyDown }
}
