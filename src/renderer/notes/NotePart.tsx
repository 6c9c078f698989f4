import { Pencil } from 'lucide-react'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { useStores } from '../state/context'
import { type NoteEdit, type NoteName, noteSpot } from '../state/notes'
import { useNotes } from '../state/use-contexts'
import { Button, IconButton } from '../ui/Button'
import { focusWhenDrawn } from '../ui/focus'
import { Markdown } from '../ui/Markdown'
import { Note } from '../ui/Note'
import { doneOf } from './tasks'

/** One of the two texts: shown as it stands on the disk, or being written. */
export function NotePart(props: {
  readonly note: NoteName
  readonly title: string
  /** As it stands; null where there is none. */
  readonly text: string | null
  readonly empty: string
}) {
  const { note, title, text, empty } = props
  const { notes } = useStores()
  const edit = useNotes(({ key, edits }) => edits[noteSpot(key, note)])
  /** It was opened by its button here, not found again. */
  const [isOpened, setOpened] = useState(false)
  const section = useRef<HTMLElement>(null)
  const tasks = doneOf(text ?? '')

  function close(): void {
    setOpened(false)
    // The button that opened it is drawn again.
    focusWhenDrawn(() => section.current?.querySelector('button'))
  }
  return (
    <section ref={section} className="details-section" aria-label={title}>
      <h3 className="details-head">
        {title}
        {tasks.all > 0 && <span className="t3 number">{`${tasks.done} of ${tasks.all}`}</span>}
        <span className="grow" />
        {edit === undefined && (
          <IconButton
            label={`Edit ${title.toLowerCase()}`}
            icon={Pencil}
            size="medium"
            onClick={() => {
              setOpened(true)
              notes.getState().edit(note, { text: text ?? '', before: text })
            }}
          />
        )}
      </h3>
      {edit !== undefined ? (
        <Editor
          note={note}
          title={title}
          edit={edit}
          now={text}
          takesFocus={isOpened}
          onChange={(next) => notes.getState().edit(note, next)}
          onClose={close}
        />
      ) : (
        <div className="details-text">
          {text === null || text.trim() === '' ? (
            <p className="t3 small">{empty}</p>
          ) : (
            <Markdown text={text} />
          )}
        </div>
      )}
    </section>
  )
}

function Editor(props: {
  readonly note: NoteName
  readonly title: string
  readonly edit: NoteEdit
  /** What stands on the disk now: somebody may have written it meanwhile. */
  readonly now: string | null
  readonly takesFocus: boolean
  readonly onChange: (edit: NoteEdit) => void
  readonly onClose: () => void
}) {
  const { note, title, edit, now, takesFocus, onChange, onClose } = props
  const { notes } = useStores()
  const refusal = useNotes((state) => state.refusals[note])
  const [isBusy, setBusy] = useState(false)
  /** The same at once: a second press comes before the first is drawn. */
  const isSaving = useRef(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const isOther = now !== edit.before
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it is drawn first, and never again
  useLayoutEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [])

  async function save(): Promise<void> {
    if (isSaving.current || isOther) return
    isSaving.current = true
    setBusy(true)
    const isSaved = await notes.getState().save(note, edit.text, edit.before)
    isSaving.current = false
    setBusy(false)
    if (isSaved) onClose()
  }

  function leave(): void {
    notes.getState().dismiss(note)
    notes.getState().edit(note, undefined)
    onClose()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void save()
    }
    // One level out, unless words would be lost.
    if (event.key === 'Escape') {
      event.stopPropagation()
      if (edit.text === (edit.before ?? '')) leave()
    }
  }
  return (
    <div className="details-text notes-editor">
      <label className="unseen" htmlFor={id}>
        {title}, in Markdown
      </label>
      <textarea
        ref={field}
        id={id}
        className="notes-field"
        rows={8}
        value={edit.text}
        // What would be written now would go with the field.
        readOnly={isBusy}
        spellCheck
        onChange={(event) => onChange({ ...edit, text: event.target.value })}
        onKeyDown={onKeyDown}
      />
      {isOther ? (
        <Note
          tone="warn"
          title="It was changed meanwhile."
          actions={
            <>
              <Button isSmall onClick={() => onChange({ text: now ?? '', before: now })}>
                Take theirs
              </Button>
              <Button isSmall onClick={() => onChange({ ...edit, before: now })}>
                Keep mine
              </Button>
            </>
          }
        >
          What stands there now would be written over.
        </Note>
      ) : (
        refusal !== undefined && (
          <Note tone="error" title="Not saved." detail={refusal.detail}>
            {refusal.message} Your text is kept here.
          </Note>
        )
      )}
      <div className="notes-acts">
        <Button isSmall onClick={leave}>
          Cancel
        </Button>
        <Button
          isSmall
          kind="primary"
          isBusy={isBusy}
          isDisabled={isOther}
          onClick={() => void save()}
        >
          Save
        </Button>
      </div>
    </div>
  )
}
