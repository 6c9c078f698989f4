import { type KeyboardEvent, useRef, useState } from 'react'
import type { ConversationSummary } from '../../shared/model/conversation/conversation'
import { rowForKey } from '../ui/behaviour/list-keys'
import { type ChosenRow, type JoinedRow, type LibraryRow, rowShowing } from './order/groups'

/** Letters typed within this time extend one prefix of a title. */
const typeAheadMs = 700
const pageRows = 20

/**
 * Moves the cursor of the list by arrows, Home, End, page keys and type-ahead; Enter opens and moves the focus,
 * Space opens. Right opens a family, then goes to its first conversation; Left goes to the family, then closes it.
 */
export function useListCursor(options: {
  readonly rows: readonly LibraryRow[]
  readonly selected: string | undefined
  readonly open: (summary: ConversationSummary, movesFocus: boolean) => void
  readonly toggle: (family: JoinedRow, isOpen: boolean) => void
  readonly scrollTo: (index: number, options: { align: 'auto' }) => void
}) {
  const { rows, selected, open, toggle, scrollTo } = options
  const [cursor, setCursor] = useState<string>()
  const [lastSelected, setLastSelected] = useState(selected)
  // A conversation opened from elsewhere, such as a branch, takes the cursor along.
  if (selected !== lastSelected) {
    setLastSelected(selected)
    setCursor(undefined)
  }
  const typed = useRef({ text: '', atMs: 0 })
  // One in a closed family is at the family's row.
  const key = (rowShowing(rows, cursor) ?? rowShowing(rows, selected))?.key ?? firstKey(rows)

  function moveTo(row: ChosenRow | undefined): void {
    if (row === undefined) return
    setCursor(row.key)
    scrollTo(rows.indexOf(row), { align: 'auto' })
  }

  function typeAhead(letter: string, all: readonly ChosenRow[], here: number): void {
    const now = Date.now()
    const isNew = now - typed.current.atMs > typeAheadMs
    const text = (isNew ? '' : typed.current.text) + letter.toLowerCase()
    typed.current = { text, atMs: now }
    // A single letter searches from after the cursor, so that pressing it again goes on.
    const from = text.length === 1 ? here + 1 : here
    const order = [...all.slice(from), ...all.slice(0, from)]
    moveTo(order.find(({ summary }) => summary.title.toLowerCase().startsWith(text)))
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.nativeEvent.isComposing) return
    const all = rows.filter((row) => row.type !== 'head')
    const here = all.findIndex((row) => row.key === key)
    const at = all[here]
    const isTyping = Date.now() - typed.current.atMs <= typeAheadMs && typed.current.text !== ''
    const target = rowForKey(event.key, { count: all.length, here, pageRows })
    if (target !== undefined) moveTo(all[target])
    else if (event.key === 'Enter' && at !== undefined) open(at.summary, true)
    else if (event.key === ' ' && !isTyping && at !== undefined) open(at.summary, false)
    else if (event.key === 'ArrowRight' && at?.type === 'family') {
      if (at.isOpen) moveTo(all[here + 1])
      else toggle(at, true)
    } else if (event.key === 'ArrowLeft' && at?.type === 'family' && at.isOpen) toggle(at, false)
    else if (event.key === 'ArrowLeft' && at?.type === 'conversation' && at.family !== undefined)
      moveTo(all.find((row) => row.key === at.family))
    else if (event.key.length === 1) typeAhead(event.key, all, here)
    else return
    event.preventDefault()
  }

  function onClick(summary: ConversationSummary): void {
    setCursor(summary.key)
    open(summary, false)
  }

  const at = rows.find((row) => row.key === key)
  return {
    key,
    moveTo,
    position: at === undefined || at.type === 'head' ? undefined : at.position,
    onFamily(row: JoinedRow) {
      setCursor(row.key)
      open(row.summary, false)
    },
    onKeyDown,
    onClick,
  }
}

function firstKey(rows: readonly LibraryRow[]): string | undefined {
  return rows.find(({ type }) => type !== 'head')?.key
}
