import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { completeQuery } from '../../../shared/model/query/completion'
import { useSearch, useStores } from '../../state/context'
import { completionId } from './CompletionList'
import { type Completions, useCompletions } from './use-completions'

/** Completions at the field for the query: what is shown, and what its keys do. */
export interface CompletionBox {
  /** Of the list. */
  readonly id: string
  /** Undefined while no list is shown. */
  readonly completions: Completions | undefined
  /** Index of the active one; -1 where none is. */
  readonly active: number
  readonly activeId: string | undefined
  /** The caret may have moved. */
  noteCaret(): void
  /** Something was typed: its completions are shown. */
  noteTyped(text: string): void
  /** Hides the list until something else is typed. */
  hide(): void
  take(value: string): void
  /** Returns whether the key was for the list: Up and Down move, Tab and Enter take, Esc hides it. */
  onKey(event: KeyboardEvent): boolean
}

/** Makes the completions at the field for the query. */
export function useCompletionBox(input: RefObject<HTMLInputElement | null>): CompletionBox {
  const { search } = useStores()
  const id = useId()
  const text = useSearch((state) => state.text)
  const [caret, setCaret] = useState(text.length)
  /** The query that was typed last: one that a button or a filter wrote is not completed. */
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(-1)
  const [activeFor, setActiveFor] = useState(text)
  if (activeFor !== text) {
    setActiveFor(text)
    setActive(-1)
  }
  const found = useCompletions(text, caret)
  const completions = typed === text ? found : undefined
  /** Where the caret goes once the text is drawn. */
  const wanted = useRef<number>(undefined)
  useLayoutEffect(() => {
    const at = wanted.current
    if (at === undefined || input.current === null) return
    wanted.current = undefined
    input.current.setSelectionRange(at, at)
    setCaret(at)
  })

  function take(value: string): void {
    if (completions === undefined) return
    const done = completeQuery(text, caret, completions.part, value)
    wanted.current = done.caret
    search.getState().setText(done.text)
    // After the name of a field its values are shown; after a value nothing is left to complete.
    setTyped(completions.part.field === undefined ? done.text : undefined)
  }

  function move(step: 1 | -1): void {
    const count = completions?.options.length ?? 0
    // One step beyond either end is the query itself.
    setActive((now) => ((now + 1 + step + count + 1) % (count + 1)) - 1)
  }

  return {
    id,
    completions,
    active,
    activeId: completions !== undefined && active >= 0 ? completionId(id, active) : undefined,
    noteCaret: () => setCaret(input.current?.selectionStart ?? text.length),
    noteTyped(now) {
      setTyped(now)
      setCaret(input.current?.selectionStart ?? now.length)
    },
    hide: () => setTyped(undefined),
    take,
    onKey(event) {
      const { key, shiftKey, altKey, ctrlKey, metaKey } = event
      if (completions === undefined || altKey || ctrlKey || metaKey) return false
      const isValue = completions.part.field !== undefined
      const chosen = completions.options[key === 'Tab' && isValue ? Math.max(0, active) : active]
      if (key === 'ArrowDown' || key === 'ArrowUp') move(key === 'ArrowDown' ? 1 : -1)
      else if (key === 'Escape') setTyped(undefined)
      else if ((key === 'Enter' || (key === 'Tab' && !shiftKey)) && chosen !== undefined)
        take(chosen.value)
      else return false
      event.preventDefault()
      // Esc would close the view.
      event.stopPropagation()
      return true
    },
  }
}
