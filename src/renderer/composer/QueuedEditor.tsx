import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { Button } from '../ui/Button'
import { isComposing } from '../ui/keys'
import { useGrowth } from '../ui/use-growth'

/** A queued message as a field in its place. Enter keeps what was written, Esc leaves the message as it was. */
export function QueuedEditor(props: {
  readonly number: number
  readonly text: string
  readonly hasImages: boolean
  readonly onText: (text: string) => void
  readonly onKeep: () => void
  readonly onCancel: () => void
}) {
  const { number, text, hasImages, onText, onKeep, onCancel } = props
  const field = useRef<HTMLTextAreaElement>(null)
  useGrowth(field, text)
  useLayoutEffect(() => {
    const element = field.current
    if (element === null) return
    element.focus({ preventScroll: true })
    element.setSelectionRange(element.value.length, element.value.length)
  }, [])
  const canKeep = text.trim() !== '' || hasImages

  function onKeyDown(event: KeyboardEvent): void {
    // An input method takes Enter and Esc for its own candidates.
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      if (canKeep) onKeep()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onCancel()
    }
  }
  return (
    <div className="queue-editor">
      <textarea
        ref={field}
        className="writing message-field"
        aria-label={`Queued message ${number}`}
        rows={1}
        value={text}
        dir="auto"
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="queue-acts">
        <Button kind="ghost" isSmall keys={['Esc']} onClick={onCancel}>
          Cancel
        </Button>
        <Button kind="primary" isSmall isDisabled={!canKeep} onClick={onKeep}>
          Keep
        </Button>
      </div>
    </div>
  )
}
