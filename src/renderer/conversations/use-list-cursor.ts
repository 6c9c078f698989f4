import { type KeyboardEvent, useRef, useState } from 'react'
import type { ConversationSummary } from '../../shared/model/conversation/conversation'
import { rowForKey } from '../ui/behaviour/list-keys'
import type { LibraryRow } from './groups'

type ConversationRow = Extract<LibraryRow, { type: 'conversation' }>

/** Letters typed within this time extend one prefix of a title. */
const typeAheadMs = 700
const pageRows = 20

/**
 * Moves the cursor of the list by arrows, Home, End, page keys and type-ahead; Enter opens and moves the focus,
 * Space opens.
 */
export function useListCursor(options: {
  readonly rows: readonly LibraryRow[]
  readonly selected: string | undefined
  readonly open: (summary: ConversationSummary, movesFocus: boolean) => void
  readonly scrollTo: (index: number, options: { align: 'auto' }) => void
}) {
  const { rows, selected, open, scrollTo } = options
  const [cursor, setCursor] = useState<string>()
  const [lastSelected, setLastSelected] = useState(selected)
  // A conversation opened from elsewhere, such as a branch, takes the cursor along.
  if (selected !== lastSelected) {
    setLastSelected(selected)
    setCursor(undefined)
  }
  const typed = useRef({ text: '', atMs: 0 })
  const has = (key: string | undefined) => rows.some((row) => row.key === key)
  const key = has(cursor) ? cursor : has(selected) ? selected : firstKey(rows)

  function moveTo(row: ConversationRow | undefined): void {
    if (row === undefined) return
    setCursor(row.key)
    scrollTo(rows.indexOf(row), { align: 'auto' })
  }

  function typeAhead(letter: string, all: readonly ConversationRow[], here: number): void {
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
    const all = rows.filter((row) => row.type === 'conversation')
    const here = all.findIndex((row) => row.key === key)
    const at = all[here]
    const isTyping = Date.now() - typed.current.atMs <= typeAheadMs && typed.current.text !== ''
    const target = rowForKey(event.key, { count: all.length, here, pageRows })
    if (target !== undefined) moveTo(all[target])
    else if (event.key === 'Enter' && at !== undefined) open(at.summary, true)
    else if (event.key === ' ' && !isTyping && at !== undefined) open(at.summary, false)
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
    position: at?.type === 'conversation' ? at.position : undefined,
    onKeyDown,
    onClick,
  }
}

function firstKey(rows: readonly LibraryRow[]): string | undefined {
  return rows.find(({ type }) => type === 'conversation')?.key
}
