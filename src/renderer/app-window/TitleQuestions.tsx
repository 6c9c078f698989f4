import { type FormEvent, type RefObject, useId, useState } from 'react'
import { longestOwnTitle } from '../../shared/model/basics/title'
import { visibleText } from '../../shared/model/basics/visible'
import { type LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import { useLibraryState, useStores, useTitles } from '../state/context'
import { Button } from '../ui/controls/Button'
import { formatQuantity } from '../ui/format/format'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { Sheet } from '../ui/panes/Sheet'

interface QuestionProps {
  readonly titledKey: LibraryKey
  readonly before: RefObject<Element | null>
}

/** Dialogs that write or generate a conversation's title, and the spoken outcome. */
export function TitleQuestions(props: { readonly before: RefObject<Element | null> }) {
  const question = useTitles((state) => state.question)
  const told = useTitles((state) => state.told)
  return (
    <>
      {question?.type === 'write' && (
        <WriteQuestion key={question.key} titledKey={question.key} before={props.before} />
      )}
      {question?.type === 'ask' && (
        <AskQuestion key={question.key} titledKey={question.key} before={props.before} />
      )}
      {/* Only removing a title needs no question. */}
      {question === undefined && <RefusedTitle title="The title was not removed." />}
      <LiveRegion label="Title">{told}</LiveRegion>
    </>
  )
}

function useRow(key: LibraryKey) {
  return useLibraryState(({ conversations }) => conversations.find((one) => one.key === key))
}

/** Question for a title that lists show; the conversation's files and name do not change. */
function WriteQuestion({ titledKey, before }: QuestionProps) {
  const { titles } = useStores()
  const row = useRow(titledKey)
  const [title, setTitle] = useState(row?.title ?? parseLibraryKey(titledKey).key)
  const isBusy = useTitles((state) => state.isBusy)
  const leave = useTitles((state) => state.leave)
  const id = useId()
  const isBlank = title.trim() === ''

  function write(event: FormEvent): void {
    event.preventDefault()
    if (!isBlank) void titles.getState().write(title)
  }
  return (
    <Sheet title="Rename" about={row?.title ?? titledKey} before={before} onClose={leave}>
      <form onSubmit={write}>
        <div className="dialog-body question">
          <label className="label" htmlFor={id}>
            Title
          </label>
          <div className={`field ${isBlank ? 'bad' : ''}`}>
            <input
              id={id}
              value={title}
              maxLength={longestOwnTitle}
              autoComplete="off"
              data-first
              aria-invalid={isBlank}
              aria-describedby={`${id}-hint`}
              onFocus={(event) => event.target.select()}
              onChange={(event) => setTitle(event.target.value)}
            />
          </div>
          <p id={`${id}-hint`} className={`small ${isBlank ? 'err-t' : 't3'}`}>
            {isBlank
              ? 'Enter a title.'
              : 'Shown in lists, branches and search. The conversation’s files do not change.'}
          </p>
          <RefusedTitle />
        </div>
        <footer className="dialog-foot">
          <span className="grow" />
          <Button onClick={leave}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={isBlank}>
            Save
          </Button>
        </footer>
      </form>
    </Sheet>
  )
}

/** Question before a model is asked for a title: what is sent, and where. */
function AskQuestion({ titledKey, before }: QuestionProps) {
  const { titles } = useStores()
  const row = useRow(titledKey)
  const preview = useTitles((state) => state.preview)
  const isBusy = useTitles((state) => state.isBusy)
  const leave = useTitles((state) => state.leave)
  const isForeign = parseLibraryKey(titledKey).source !== 'chibi'
  return (
    <Sheet title="Generate title" about={row?.title ?? titledKey} before={before} onClose={leave}>
      <div className="dialog-body question">
        {preview === undefined ? (
          <p className="t2" role="status">
            Checking what would be sent…
          </p>
        ) : (
          <p>
            {preview.isBranch
              ? 'This branch after the fork'
              : 'The beginning and end of the conversation'}
            , {formatQuantity(preview.characters, 'character')} at most, go to{' '}
            <span className="mono">{visibleText(preview.model)}</span> at{' '}
            <span className="mono">{preview.host}</span>: one request, without tools. Anything that
            looks like a key is left out.
          </p>
        )}
        <p className="t2">
          {isForeign
            ? 'Skein keeps the title. The other system’s files do not change.'
            : 'The folder keeps its name.'}
        </p>
        <RefusedTitle />
      </div>
      <footer className="dialog-foot">
        <span className="grow" />
        <button type="button" className="button plain" data-first onClick={leave}>
          {isBusy ? 'Stop' : 'Cancel'}
        </button>
        <Button
          kind="primary"
          isBusy={isBusy}
          isDisabled={preview === undefined}
          onClick={() => void titles.getState().ask()}
        >
          Ask the model
        </Button>
      </footer>
    </Sheet>
  )
}

function RefusedTitle({ title = 'The title did not change.' }: { readonly title?: string }) {
  const { titles, app } = useStores()
  const failure = useTitles((state) => state.failure)
  if (failure === undefined) return null
  return (
    <RefusalNote
      title={title}
      refusal={failure}
      onSettings={() => {
        titles.getState().leave()
        app.getState().openSettings('model')
      }}
      onDismiss={() => titles.getState().dismissFailure()}
    />
  )
}
