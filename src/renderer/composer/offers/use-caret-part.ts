import { type RefObject, useState } from 'react'
import { type CaretPart, caretPartAt } from './caret-part'

/** Part of the message at the caret that asks for a list, as it changes. */
export interface FollowedPart {
  /** Undefined while no list is asked for. */
  readonly part: CaretPart | undefined
  /** Something was typed; an input method that still composes asks for nothing. */
  noteTyped(text: string, isComposing: boolean): void
  /** The caret may have moved. */
  noteCaret(): void
  /** No list until something else is typed. */
  close(): void
  /** No list until a sign is typed: the message goes away. */
  forget(): void
}

/** Follows what is typed into a field. What was written before, by a draft or a paste without a key, asks for nothing. */
export function useCaretPart(field: RefObject<HTMLTextAreaElement | null>): FollowedPart {
  const [part, setPart] = useState<CaretPart>()
  /** Sign that was left by Esc: it asks for nothing until it is gone. */
  const [left, setLeft] = useState<number>()

  function partOf(text: string): CaretPart | undefined {
    const { selectionStart, selectionEnd } = field.current ?? {}
    if (selectionStart === undefined || selectionStart !== selectionEnd) return undefined
    return caretPartAt(text, selectionStart)
  }
  return {
    part,
    noteTyped(text, isComposing) {
      const found = isComposing ? undefined : partOf(text)
      if (found === undefined && !isComposing) setLeft(undefined)
      setPart(found?.start === left ? undefined : found)
    },
    noteCaret() {
      if (part !== undefined) setPart(partOf(field.current?.value ?? ''))
    },
    forget: () => setPart(undefined),
    close() {
      setLeft(part?.start)
      setPart(undefined)
    },
  }
}
