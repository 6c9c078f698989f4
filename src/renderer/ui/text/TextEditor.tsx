import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { Button } from '../controls/Button'
import { Note } from '../notes/Note'
import { RefusalNote } from '../notes/RefusalNote'

/** Edit of a text, and the stored text it began from; null where there was none. */
export interface TextEdit {
  readonly text: string
  readonly before: string | null
}

/**
 * Editor of a text in a file. It does not overwrite what another program wrote meanwhile; Esc leaves it unless a
 * change would be lost.
 */
export function TextEditor(props: {
  /** Name of the field. */
  readonly label: string
  readonly edit: TextEdit
  /** The stored text now; null where there is none. */
  readonly now: string | null
  readonly refusal: ErrorReport | undefined
  readonly takesFocus: boolean
  readonly rows?: number
  readonly placeholder?: string
  /** True for code: a monospaced font, without a spell check. */
  readonly isCode?: boolean
  /** Content before the buttons. */
  readonly acts?: ReactNode
  readonly onChange: (edit: TextEdit) => void
  /** Saves the text; resolves to whether it is on the disk. */
  readonly onSave: () => Promise<boolean>
  readonly onLeave: () => void
}) {
  const { label, edit, now, refusal, takesFocus, rows = 8, placeholder, isCode = false } = props
  const { acts, onChange, onSave, onLeave } = props
  const [isBusy, setBusy] = useState(false)
  /** `isBusy` without a delay: a second press may come before the first is drawn. */
  const isSaving = useRef(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const isOther = now !== edit.before
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is first drawn
  useLayoutEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [])

  async function save(): Promise<void> {
    if (isSaving.current || isOther) return
    isSaving.current = true
    setBusy(true)
    await onSave()
    isSaving.current = false
    setBusy(false)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void save()
    }
    // Esc leaves the editor unless text would be lost.
    if (event.key === 'Escape') {
      event.stopPropagation()
      if (edit.text === (edit.before ?? '')) onLeave()
    }
  }
  return (
    <div className="text-editor">
      <label className="unseen" htmlFor={id}>
        {label}
      </label>
      <textarea
        ref={field}
        id={id}
        className={`text-editor-field ${isCode ? 'mono' : ''}`}
        rows={rows}
        value={edit.text}
        placeholder={placeholder}
        // Text typed now would be lost with the field.
        readOnly={isBusy}
        spellCheck={!isCode}
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
          Saving overwrites the other version.
        </Note>
      ) : (
        refusal !== undefined && <RefusalNote title="Not saved." refusal={refusal} isTextKept />
      )}
      <div className="text-editor-acts">
        {acts}
        <Button isSmall onClick={onLeave}>
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
