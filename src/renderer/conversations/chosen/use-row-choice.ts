import { type KeyboardEvent, type MouseEvent, useMemo } from 'react'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { useChosen, useStores } from '../../state/context'
import { rowForKey } from '../../ui/behaviour/list-keys'
import type { ChosenRow, LibraryRow } from '../order/groups'

const pageRows = 20

/**
 * Chooses rows of the library: a press with Ctrl or Cmd adds one or takes it away, with Shift all from the last one to it; Shift and an
 * arrow, a page key, Home or End do so by keyboard, Ctrl+Space or Shift+Space for one, Ctrl+A for all. Space alone does so while
 * something is chosen; Escape chooses nothing.
 */
export function useRowChoice(options: {
  readonly rows: readonly LibraryRow[]
  /** Key of the row at the cursor. */
  readonly cursor: string | undefined
  readonly moveTo: (row: ChosenRow | undefined) => void
}) {
  const { rows, cursor, moveTo } = options
  const { chosen } = useStores()
  const keys = useChosen((state) => state.keys)
  // A choice that a filter hides is none here.
  const hasChoice = useMemo(() => hasChosen(rows, keys), [rows, keys])

  function chooseTo(target: ChosenRow, from: string | undefined): void {
    const all = rows.filter((row) => row.type !== 'head')
    const begin = all.findIndex(({ key }) => key === from)
    const end = all.indexOf(target)
    const range = begin < 0 ? [target] : all.slice(Math.min(begin, end), Math.max(begin, end) + 1)
    chosen.getState().choose(range.flatMap(keysOf), begin < 0 ? target.key : from)
  }

  function anchorNow(): string | undefined {
    const { anchor } = chosen.getState()
    return rows.some(({ key }) => key === anchor) ? anchor : cursor
  }

  return {
    /** Tells whether a row is chosen; undefined while none that is shown is. */
    isChosen: (row: ChosenRow) => (hasChoice ? isWhollyChosen(row, keys) : undefined),
    /** Returns true where the key was for the choice. */
    onKeyDown(event: KeyboardEvent): boolean {
      const { key, shiftKey, altKey } = event
      const hasControl = event.ctrlKey || event.metaKey
      if (altKey || event.nativeEvent.isComposing) return false
      const all = rows.filter((row) => row.type !== 'head')
      const here = all.findIndex((row) => row.key === cursor)
      const at = all[here]
      if (hasControl && key.toLowerCase() === 'a' && !shiftKey) {
        chosen.getState().choose(all.flatMap(keysOf), anchorNow())
      } else if (key === 'Escape' && hasChoice) {
        event.stopPropagation()
        chosen.getState().clear()
      } else if (key === ' ' && at !== undefined && (hasControl || shiftKey || hasChoice)) {
        chosen.getState().toggle(keysOf(at), at.key)
      } else if (shiftKey && !hasControl) {
        const target = all[rowForKey(key, { count: all.length, here, pageRows }) ?? -1]
        if (target === undefined) return false
        const from = hasChoice ? anchorNow() : cursor
        moveTo(target)
        chooseTo(target, from)
      } else return false
      event.preventDefault()
      return true
    },
    /** Handles a press before the row does: one without a key chooses nothing any more. */
    onClickCapture(event: MouseEvent, key: string | undefined): void {
      const row = rows.find((one) => one.key === key)
      if (row === undefined || row.type === 'head') return
      const hasControl = event.ctrlKey || event.metaKey
      if (!hasControl && !event.shiftKey) {
        chosen.getState().clear()
        return
      }
      event.stopPropagation()
      event.preventDefault()
      const from = anchorNow()
      moveTo(row)
      if (event.shiftKey) chooseTo(row, from)
      else chosen.getState().toggle(keysOf(row), row.key)
    },
  }
}

/** Tells whether something of the rows is chosen. */
export function hasChosen(rows: readonly LibraryRow[], keys: ReadonlySet<LibraryKey>): boolean {
  if (keys.size === 0) return false
  return rows.some((row) => row.type !== 'head' && keysOf(row).some((key) => keys.has(key)))
}

/** Tells whether more than one conversation of the rows is chosen: one that is not shown is not acted on. */
export function hasSeveralChosen(
  rows: readonly LibraryRow[],
  keys: ReadonlySet<LibraryKey>,
): boolean {
  // A pinned one of a family can be in two rows.
  const shown = new Set(rows.flatMap((row) => (row.type === 'head' ? [] : keysOf(row))))
  return [...keys].filter((key) => shown.has(key)).length > 1
}

/** Tells whether all of a row is chosen that can be. */
export function isWhollyChosen(row: ChosenRow, keys: ReadonlySet<LibraryKey>): boolean {
  const all = keysOf(row)
  return all.length > 0 && all.every((key) => keys.has(key))
}

/** Returns the conversations of a row, all of a family; nothing can be done with one that is missing from the disk. */
function keysOf(row: ChosenRow): readonly LibraryKey[] {
  const all = row.type === 'family' ? row.members : [row.summary]
  return all.filter(({ gone }) => gone !== true).map(({ key }) => key)
}
