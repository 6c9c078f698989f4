import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { useNotes, useStores } from '../state/context'
import { type NoteKind, noteKey } from '../state/context-state'
import { focusWhenDrawn } from '../ui/behaviour/focus'
import { IconButton } from '../ui/controls/Button'
import { Markdown } from '../ui/text/Markdown'
import { type TextEdit, TextEditor } from '../ui/text/TextEditor'

/** Note of a context, as on the disk, or its editor. */
export function NotePart(props: {
  readonly note: NoteKind
  readonly title: string
  /** The stored text; null where there is none. */
  readonly text: string | null
  readonly empty: string
}) {
  const { note, title, text, empty } = props
  const { notes } = useStores()
  const edit = useNotes(({ key, edits }) => edits[noteKey(key, note)])
  /** True where its button opened the editor, false where it was still open from before. */
  const [isOpened, setOpened] = useState(false)
  const section = useRef<HTMLElement>(null)
  const tasks = countDoneTasks(text ?? '')

  function close(): void {
    setOpened(false)
    // The button of the editor is drawn again.
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
  readonly note: NoteKind
  readonly title: string
  readonly edit: TextEdit
  /** The stored text now: another program may have written it meanwhile. */
  readonly now: string | null
  readonly takesFocus: boolean
  readonly onClose: () => void
}) {
  const { note, title, edit, now, takesFocus, onClose } = props
  const { notes } = useStores()
  const refusal = useNotes((state) => state.refusals[note])

  async function save(): Promise<boolean> {
    const isSaved = await notes.getState().save(note, edit.text, edit.before)
    if (isSaved) onClose()
    return isSaved
  }

  function leave(): void {
    notes.getState().dismiss(note)
    notes.getState().edit(note, undefined)
    onClose()
  }
  return (
    <div className="details-text">
      <TextEditor
        label={`${title}, in Markdown`}
        edit={edit}
        now={now}
        refusal={refusal}
        takesFocus={takesFocus}
        onChange={(next) => notes.getState().edit(note, next)}
        onSave={save}
        onLeave={leave}
      />
    </div>
  )
}

/** Counts the tasks of a Markdown list, `- [ ]`, and those that are done, `- [x]`. */
function countDoneTasks(text: string): { readonly all: number; readonly done: number } {
  const tasks = text.match(/^\s*[-*+] \[[ xX]\] /gm) ?? []
  return { all: tasks.length, done: tasks.filter((task) => !task.includes('[ ]')).length }
}
