import { useMessageField } from '../../ui/behaviour/use-message-field'
import { Button } from '../../ui/controls/Button'

/** Field that edits a queued message in place. Enter saves, Esc discards the change. */
export function QueuedEditor(props: {
  readonly number: number
  readonly text: string
  readonly hasImages: boolean
  readonly onText: (text: string) => void
  readonly onKeep: () => void
  readonly onCancel: () => void
}) {
  const { number, text, hasImages, onText, onKeep, onCancel } = props
  const canKeep = text.trim() !== '' || hasImages
  const field = useMessageField(text, canKeep ? onKeep : undefined, onCancel)
  return (
    <div className="queue-editor">
      <textarea
        {...field}
        className="writing message-field"
        aria-label={`Queued message ${number}`}
        rows={1}
        value={text}
        dir="auto"
        onChange={(event) => onText(event.target.value)}
      />
      <div className="queue-acts">
        <Button kind="ghost" isSmall keys={['Esc']} onClick={onCancel}>
          Cancel
        </Button>
        <Button kind="primary" isSmall isDisabled={!canKeep} onClick={onKeep}>
          Save
        </Button>
      </div>
    </div>
  )
}
