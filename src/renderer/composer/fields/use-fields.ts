import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import {
  fieldsIn,
  fillFields,
  type PlacedField,
} from '../../../shared/model/settings/saved-prompts'
import { replaceTyped } from '../../ui/behaviour/replace-text'

/** Fields of the saved prompt in a draft that are still to be filled. */
export interface DraftFields {
  /** Names, in the order of the text. */
  readonly names: readonly string[]
  /** Selects the first of these fields: those of a prompt that was put in just now. */
  begin(names: readonly string[]): void
  /** Returns whether the key was for the fields: Tab goes to the next one, Shift+Tab to the one before, Esc leaves them. */
  onKey(event: KeyboardEvent): boolean
  /** Returns the message with all fields filled; undefined where one has nothing: it is selected then. */
  settle(): string | undefined
}

/** Field whose text is being typed: what is before it and behind it does not change meanwhile. */
interface ActiveField {
  readonly field: PlacedField
  readonly before: string
  readonly behind: string
}

/**
 * Makes the fields of a draft, which are asked in place, one after the other. What is typed for a field is put in its other places when
 * it is left.
 *
 * @param asked names of the fields that the draft had at first
 */
export function useFields(
  element: RefObject<HTMLTextAreaElement | null>,
  text: string,
  asked: readonly string[],
  onLeave: () => void,
): DraftFields {
  const active = useRef<ActiveField>(undefined)
  const known = new Set(asked)
  const names =
    asked.length === 0
      ? asked
      : [...new Set(fieldsIn(text).map(({ name }) => name))].filter((name) => known.has(name))
  const isOver = asked.length === 0 || text === ''
  useLayoutEffect(() => {
    if (isOver) active.current = undefined
  }, [isOver])

  const left = (now: string) => fieldsIn(now).filter(({ name }) => known.has(name))

  function select(place: PlacedField): void {
    const { current } = element
    if (current === null) return
    // A field scrolls to its selection only when it gets the focus.
    if (current.scrollHeight > current.clientHeight) current.blur()
    current.setSelectionRange(place.start, place.end)
    current.focus()
    const { value } = current
    active.current = {
      field: place,
      before: value.slice(0, place.start),
      behind: value.slice(place.end),
    }
  }

  /**
   * Takes what was typed for the active field, its default where nothing was, and puts it in its other places. Returns where the field
   * is then; the selection where none was active.
   */
  function leaveActive(current: HTMLTextAreaElement): { start: number; end: number } {
    const now = active.current
    active.current = undefined
    const here = { start: current.selectionStart, end: current.selectionEnd }
    if (now === undefined) return here
    const { start, end, name, default: value } = now.field
    const after = current.value.length - now.behind.length
    // Something else was changed meanwhile: what was typed for the field is not known.
    const isKnown = current.value.startsWith(now.before) && current.value.endsWith(now.behind)
    if (after < start || !isKnown) return here
    const isUntouched = after === end && left(current.value).some((one) => one.start === start)
    if (isUntouched && value === undefined) return { start, end }
    const typed = isUntouched ? (value ?? '') : current.value.slice(start, after)
    const places = left(current.value).filter((place) => place.name === name)
    replaceAll(current, places, typed)
    const moved = places
      .filter((place) => place.start < start)
      .reduce((sum, place) => sum + typed.length - (place.end - place.start), 0)
    return { start: start + moved, end: start + moved + typed.length }
  }

  function go(step: 1 | -1): void {
    const { current } = element
    if (current === null) return
    const from = leaveActive(current)
    const places = left(current.value)
    const [first] = places
    const last = places.at(-1)
    if (first === undefined || last === undefined) {
      // The last one is filled: the message goes on at its end.
      current.setSelectionRange(current.value.length, current.value.length)
      return
    }
    select(
      step === 1
        ? (places.find(({ start }) => start >= from.end) ?? first)
        : ([...places].reverse().find(({ end }) => end <= from.start) ?? last),
    )
  }

  return {
    names,
    begin(wanted) {
      const first = fieldsIn(element.current?.value ?? '').find(({ name }) => wanted.includes(name))
      if (first !== undefined) select(first)
    },
    onKey(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return false
      // The last one has no name any more while it is being typed.
      if (names.length === 0 && active.current === undefined) return false
      if (event.key === 'Tab') go(event.shiftKey ? -1 : 1)
      else if (event.key === 'Escape') {
        active.current = undefined
        // With nothing left to leave it is for what is behind the fields, such as an answer that comes.
        if (names.length === 0) return false
        onLeave()
      } else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
    settle() {
      if (element.current !== null) leaveActive(element.current)
      const now = element.current?.value ?? text
      if (known.size === 0) return now
      const filled = fillFields(now, new Map(), known)
      const [empty] = left(filled)
      if (empty === undefined) return filled
      const place = left(now).find(({ name }) => name === empty.name)
      if (place !== undefined) select(place)
      return undefined
    },
  }
}

/** Puts one text in all places by one edit, which one undo takes back; they are in order. */
function replaceAll(
  field: HTMLTextAreaElement,
  places: readonly PlacedField[],
  typed: string,
): void {
  const [first] = places
  const last = places.at(-1)
  if (first === undefined || last === undefined) return
  const pieces = places.map(({ end }, at) => field.value.slice(end, places[at + 1]?.start ?? end))
  replaceTyped(field, first.start, last.end, `${typed}${pieces.join(typed)}`)
}
