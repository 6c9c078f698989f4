import { type RefObject, useId, useState } from 'react'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { useContexts, useStores } from '../state/context'
import type { PromptText } from '../state/context-state'
import { useShownTitle } from '../state/use-shown-title'
import { Button } from '../ui/controls/Button'
import { Sheet } from '../ui/panes/Sheet'
import { RefusedAction } from './RefusedAction'

/** Dialog for a context's own system prompt. */
export function PromptQuestion(props: {
  readonly contextKey: LibraryKey
  readonly before: RefObject<Element | null>
}) {
  const { contextKey, before } = props
  const [text, setText] = useState<string>()
  const prompt = useContexts((state) => state.prompt)
  const leave = useContexts((state) => state.leave)
  const isChanged = text !== undefined && text !== (prompt?.own ?? '')
  return (
    <Sheet
      title="System prompt"
      about={useShownTitle(contextKey)}
      before={before}
      onClose={leave}
      holdsWords={isChanged}
    >
      <div className="dialog-body question">
        {prompt !== undefined && (
          <Field prompt={prompt} text={text ?? prompt.own ?? ''} onText={setText} />
        )}
        <RefusedAction />
      </div>
      <Foot prompt={prompt} text={text} isChanged={isChanged} />
    </Sheet>
  )
}

function Field(props: {
  readonly prompt: PromptText
  readonly text: string
  readonly onText: (text: string) => void
}) {
  const { prompt, text, onText } = props
  const id = useId()
  return (
    <>
      <label className="label" htmlFor={id}>
        Sent to the model first
      </label>
      <textarea
        id={id}
        className="question-text"
        rows={12}
        value={text}
        // The prompt is read before the field is drawn, when the dialog has the focus already.
        ref={focusOnce}
        placeholder={prompt.own === null ? (prompt.home ?? undefined) : undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onText(event.target.value)}
      />
      <p id={`${id}-hint`} className="small t3">
        {prompt.own === null
          ? 'This conversation uses the default. What you save here replaces it from the next message on.'
          : 'Saved in system_prompt.md. A change applies from the next message on.'}
      </p>
    </>
  )
}

function focusOnce(field: HTMLTextAreaElement | null): void {
  field?.focus()
}

function Foot(props: {
  readonly prompt: PromptText | undefined
  readonly text: string | undefined
  readonly isChanged: boolean
}) {
  const { prompt, text, isChanged } = props
  const { contexts } = useStores()
  const isBusy = useContexts((state) => state.isBusy)
  const leave = useContexts((state) => state.leave)
  const save = (words: string | null) => void contexts.getState().savePrompt(words)
  return (
    <footer className="dialog-foot">
      {prompt != null && prompt.own !== null && (
        <Button kind="ghost" isBusy={isBusy} onClick={() => save(null)}>
          Use the default
        </Button>
      )}
      <span className="grow t3 small">{isChanged ? 'Not saved yet' : ''}</span>
      <Button onClick={leave}>Cancel</Button>
      <Button
        kind="primary"
        isBusy={isBusy}
        isDisabled={!isChanged}
        onClick={() => save(text ?? null)}
      >
        Save
      </Button>
    </footer>
  )
}
