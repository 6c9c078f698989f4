import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useState,
} from 'react'
import { useActions } from '../state/context'
import { focusTarget } from '../ui/behaviour/focus'
import { isComposing } from '../ui/behaviour/keys'
import { useGrowth } from '../ui/behaviour/use-growth'
import type { ComposerState } from './draft/use-composer'
import type { DraftFields } from './fields/use-fields'
import { transferredFiles } from './images/image-files'
import { OfferList } from './offers/OfferList'
import type { FollowedPart } from './offers/use-caret-part'
import { type FoundOffers, useOfferBox } from './offers/use-offer-box'

/** Field for a message, with the list of what is offered at its caret. Keys go to the list first, then to fields, then to the message. */
export function ComposerField(props: {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly composing: ComposerState
  readonly fields: DraftFields
  readonly followed: FollowedPart
  readonly offered: FoundOffers
  readonly placeholder: string
  readonly takesFiles: boolean
  /** Enter was pressed: the message is sent or queued, where it can be. */
  readonly onEnter: () => void
}) {
  const { field, composing, fields, followed, offered, placeholder, takesFiles, onEnter } = props
  const { text, attaching, isRunning, isSending, lockWords } = composing
  const { editLast } = useActions()
  const box = useOfferBox(offered, followed, onEnter)
  const [isFocused, setFocused] = useState(false)
  useGrowth(field, text)

  function onKeyDown(event: KeyboardEvent): void {
    // An input method takes Enter for its own candidates.
    if (isComposing(event.nativeEvent)) return
    if (box.onKey(event) || fields.onKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      onEnter()
    }
    const isAttached = attaching.images.length > 0 || attaching.files.length > 0
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey
    if (event.key === 'ArrowUp' && isPlain && text === '' && !isAttached) {
      if (composing.contextKey === undefined || isRunning || isSending) return
      event.preventDefault()
      void editLast()
    }
    if (event.key === 'Escape' && isRunning) {
      event.stopPropagation()
      composing.stop()
    }
  }

  function onPaste(event: ClipboardEvent): void {
    const files = transferredFiles(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    if (takesFiles) attaching.attach(files)
  }

  const isOpen = isFocused && (box.count > 0 || box.fault !== undefined)
  return (
    <>
      <OfferList
        box={isFocused ? box : { ...box, count: 0, fault: undefined }}
        label={followed.part?.sign === '@' ? 'Files and conversations' : 'Prompts and commands'}
      />
      <textarea
        ref={field}
        className="writing composer-text"
        aria-label="Message"
        // It is a combo box while it has a list: a text field cannot say that it has one.
        {...(isOpen
          ? {
              role: 'combobox',
              'aria-expanded': true,
              'aria-controls': box.id,
              'aria-autocomplete': 'list',
              'aria-activedescendant': box.activeId,
            }
          : {})}
        rows={1}
        value={lockWords === undefined ? text : ''}
        placeholder={lockWords ?? (isRunning ? 'Write the next message' : placeholder)}
        disabled={lockWords !== undefined}
        readOnly={isSending}
        dir="auto"
        onChange={(event) => {
          composing.setText(event.target.value)
          followed.noteTyped(event.target.value, isStillComposing(event))
        }}
        onCompositionEnd={(event) => followed.noteTyped(event.currentTarget.value, false)}
        onSelect={followed.noteCaret}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        {...focusTarget('composer')}
      />
    </>
  )
}

function isStillComposing({ nativeEvent }: FormEvent): boolean {
  return nativeEvent instanceof InputEvent && nativeEvent.isComposing
}
