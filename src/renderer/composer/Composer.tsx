import { Square } from 'lucide-react'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  useLayoutEffect,
  useRef,
} from 'react'
import { useActions } from '../state/context'
import { useEarlyTyping } from '../ui/behaviour/early-typing'
import { focusTarget } from '../ui/behaviour/focus'
import { isComposing } from '../ui/behaviour/keys'
import { useGrowth } from '../ui/behaviour/use-growth'
import { Button, EnterHint } from '../ui/controls/Button'
import { ComposerNotes } from './ComposerNotes'
import { ContextWindowMeter } from './context-window/ContextWindowMeter'
import type { ComposerState } from './draft/use-composer'
import { AttachButton } from './images/AttachButton'
import { AttachedImages } from './images/AttachedImages'
import { transferredFiles } from './images/image-files'
import { useDrop } from './images/use-drop'
import { ModelLabel, SetUpModel } from './ModelLabel'
import { QueuedMessages } from './queue/QueuedMessages'
import { RunStatus } from './RunStatus'

/**
 * Field for a message and its images. Enter sends, or queues during an answer; Shift+Enter breaks the line, Esc
 * stops a run; the up arrow in an empty field edits the last message.
 */
export function Composer(props: {
  readonly composing: ComposerState
  readonly placeholder: string
  /** Whether it takes the focus when it comes. */
  readonly takesFocus?: boolean
}) {
  const { composing, placeholder, takesFocus = false } = props
  const { text, attaching, isRunning, isSending, lockWords, needsModel, canSend, canQueue } =
    composing
  const { editLast } = useActions()
  const field = useRef<HTMLTextAreaElement>(null)
  useGrowth(field, text)
  useEarlyTyping(field, lockWords === undefined && !isSending, (typed) =>
    composing.setText(text + typed),
  )
  useLayoutEffect(() => {
    if (takesFocus) field.current?.focus({ preventScroll: true })
  }, [takesFocus])
  const takesImages = lockWords === undefined && !isSending
  const drop = useDrop(takesImages, attaching.attach)

  function onKeyDown(event: KeyboardEvent): void {
    // An input method takes Enter for its own candidates.
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      if (canSend) composing.send()
      else if (canQueue) composing.enqueue()
    }
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey
    if (event.key === 'ArrowUp' && isPlain && text === '' && attaching.images.length === 0) {
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
    if (takesImages) attaching.attach(files)
  }

  return (
    <div className="composer-frame" data-pane="composer" {...drop.handlers}>
      <ComposerNotes composing={composing} />
      {composing.contextKey !== undefined && (
        <QueuedMessages contextKey={composing.contextKey} isRunning={isRunning} />
      )}
      <div
        className={`composer ${lockWords === undefined ? '' : 'locked'} ${drop.isOver ? 'dropping' : ''}`}
      >
        <AttachedImages images={attaching.images} isFixed={isSending} onDetach={attaching.detach} />
        <textarea
          ref={field}
          className="writing composer-text"
          aria-label="Message"
          rows={1}
          value={lockWords === undefined ? text : ''}
          placeholder={lockWords ?? (isRunning ? 'Write the next message' : placeholder)}
          disabled={lockWords !== undefined}
          readOnly={isSending}
          dir="auto"
          onChange={(event) => composing.setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          {...focusTarget('composer')}
        />
        <div className="composer-tools">
          <AttachButton isDisabled={!takesImages} onFiles={attaching.attach} />
          <ModelLabel contextKey={composing.contextKey} />
          <span className="grow" />
          <RunStatus composing={composing} />
          <ContextWindowMeter composing={composing} />
          {canQueue && (
            <Button isSmall onClick={once(composing.enqueue)}>
              Queue
              <EnterHint />
            </Button>
          )}
          {isRunning ? (
            <Button isSmall icon={Square} keys={['Esc']} onClick={once(composing.stop)}>
              Stop
            </Button>
          ) : needsModel ? (
            <SetUpModel />
          ) : (
            <Button
              kind="primary"
              isSmall
              isDisabled={!canSend}
              isBusy={isSending}
              onClick={once(composing.send)}
            >
              Send
              <EnterHint />
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

/** Ignores the second press of a double click, which was meant for the button that was there before. */
function once(act: () => void) {
  return ({ detail }: MouseEvent) => {
    if (detail < 2) act()
  }
}
