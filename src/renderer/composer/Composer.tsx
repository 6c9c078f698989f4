import { CornerDownLeft, Square } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { Button } from '../ui/Button'
import { focusTarget } from '../ui/focus'
import { isComposing } from '../ui/keys'
import { useGrowth } from '../ui/use-growth'
import { ComposerNotes } from './ComposerNotes'
import { ModelLabel, SetUpModel } from './ModelLabel'
import { RunWords } from './RunWords'
import type { Composing } from './use-composer'

/** Where a message is written. Enter sends, Shift+Enter breaks the line, Esc stops a run. */
export function Composer(props: { readonly composing: Composing; readonly placeholder: string }) {
  const { composing, placeholder } = props
  const { text, isRunning, isSending, lockWords, needsModel, canSend } = composing
  const field = useRef<HTMLTextAreaElement>(null)
  useGrowth(field, text)

  function onKeyDown(event: KeyboardEvent): void {
    // An input method takes Enter for its own candidates.
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      if (canSend) composing.send()
    }
    if (event.key === 'Escape' && isRunning) {
      event.stopPropagation()
      composing.stop()
    }
  }

  return (
    <div className="composer-frame" data-pane="composer">
      <ComposerNotes composing={composing} />
      <div className={`composer ${lockWords === undefined ? '' : 'locked'}`}>
        <textarea
          ref={field}
          className="writing composer-text"
          aria-label="Message"
          rows={1}
          value={lockWords === undefined ? text : ''}
          placeholder={lockWords ?? placeholder}
          disabled={lockWords !== undefined}
          readOnly={isSending}
          dir="auto"
          onChange={(event) => composing.setText(event.target.value)}
          onKeyDown={onKeyDown}
          {...focusTarget('composer')}
        />
        <div className="composer-tools">
          <ModelLabel contextKey={composing.contextKey} />
          <span className="grow" />
          <RunWords composing={composing} />
          {isRunning ? (
            <Button isSmall icon={Square} keys={['Esc']} onClick={composing.stop}>
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
              onClick={composing.send}
            >
              Send
              <span className="keys" aria-hidden="true">
                <kbd className="key">
                  <CornerDownLeft size="0.6875rem" strokeWidth={2} />
                </kbd>
              </span>
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}
