import { useBranching, useStores } from '../../state/context'
import { spotKey } from '../../state/transcript-state'
import { useMessageField } from '../../ui/behaviour/use-message-field'
import { Button, EnterHint } from '../../ui/controls/Button'

/**
 * Field that edits a user message in place. Enter sends it as a new branch; Esc closes the field and keeps the text.
 */
export function MessageEditor(props: {
  readonly contextKey: string
  readonly itemKey: string
  readonly text: string
  readonly hasImages: boolean
  readonly onSend: (text: string) => void
  /** Sends it with a summary of what the branch leaves; undefined where nothing is left. */
  readonly onSendWithSummary: ((text: string) => void) | undefined
}) {
  const { contextKey, itemKey, text, hasImages, onSend, onSendWithSummary } = props
  const { branching } = useStores()
  const spot = spotKey(contextKey, itemKey)
  const isBusy = useBranching(({ making }) => making[spot] !== undefined)
  const canSend = text.trim() !== '' && !isBusy
  const { ref, onKeyDown } = useMessageField(
    text,
    canSend ? () => onSend(text) : undefined,
    isBusy ? undefined : close,
  )

  function close(): void {
    const turn = ref.current?.closest<HTMLElement>('[data-item]')
    branching.getState().closeEdit(spot)
    turn?.focus({ preventScroll: true })
  }
  return (
    <div className="message-editor">
      <textarea
        ref={ref}
        className="writing message-field"
        aria-label="Edit the message"
        aria-describedby={`${itemKey} original`}
        rows={1}
        value={text}
        readOnly={isBusy}
        dir="auto"
        onChange={(event) => branching.getState().edit(spot, event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="message-tools">
        <span id={`${itemKey} original`} className="t3 small grow">
          The original stays.{hasImages && ' Its images are sent with the new text.'}
        </span>
        <Button kind="ghost" isSmall keys={['Esc']} isDisabled={isBusy} onClick={close}>
          Cancel
        </Button>
        {onSendWithSummary !== undefined && (
          <Button
            kind="ghost"
            isSmall
            isDisabled={!canSend}
            onClick={() => onSendWithSummary(text)}
          >
            With a summary…
          </Button>
        )}
        <Button
          kind="primary"
          isSmall
          isBusy={isBusy}
          isDisabled={!canSend && !isBusy}
          onClick={() => onSend(text)}
        >
          Send as a new branch
          <EnterHint />
        </Button>
      </div>
    </div>
  )
}
