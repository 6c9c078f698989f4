import { type FormEvent, useEffect, useState } from 'react'
import {
  distinctFields,
  isSamePromptName,
  promptNameFault,
  suggestedPromptName,
} from '../../shared/model/settings/saved-prompts'
import { usePrompts, useStores } from '../state/context'
import { Button } from '../ui/controls/Button'
import { HintedField } from '../ui/controls/HintedField'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { Sheet } from '../ui/panes/Sheet'

/** Dialog that asks for the name under which a message is saved as a prompt; nothing while it is not asked. */
export function SavePrompt() {
  const question = usePrompts((state) => state.question)
  return question === undefined ? null : <NameQuestion text={question} />
}

function NameQuestion(props: { readonly text: string }) {
  const { text } = props
  const { prompts: store } = useStores()
  const prompts = usePrompts((state) => state.prompts)
  const isSaving = usePrompts((state) => state.isSaving)
  const refusal = usePrompts((state) => state.refusal)
  const occupied = usePrompts((state) => state.occupied)
  const leave = usePrompts((state) => state.leave)
  const [name, setName] = useState(() => suggestedPromptName(text))
  const typed = name.trim().replace(/^\//, '').normalize('NFC')
  const fault = promptNameFault(typed)
  const there =
    prompts?.find((one) => isSamePromptName(one.name, typed))?.name ??
    (occupied !== undefined && isSamePromptName(occupied, typed) ? occupied : undefined)
  const isThere = there !== undefined
  useEffect(() => void store.getState().load(), [store])

  function save(event: FormEvent): void {
    event.preventDefault()
    if (fault === undefined) void store.getState().save(there ?? typed, isThere)
  }
  return (
    <Sheet title="Save as prompt" onClose={leave}>
      <form onSubmit={save}>
        <div className="dialog-body question">
          <HintedField
            label="Name"
            value={name}
            fault={name === '' ? undefined : fault}
            hint={hintOf(text, fault === undefined ? (there ?? typed) : 'NAME', isThere)}
            selectsAll
            onChange={setName}
          />
          {refusal !== undefined && <RefusalNote title="Not saved." refusal={refusal} isTextKept />}
        </div>
        <footer className="dialog-foot">
          <span className="grow" />
          <Button onClick={leave}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isSaving} isDisabled={fault !== undefined}>
            {isThere ? 'Replace' : 'Save'}
          </Button>
        </footer>
      </form>
    </Sheet>
  )
}

function hintOf(text: string, name: string, isThere: boolean): string {
  const names = distinctFields(text).map((field) => field.name)
  const asked =
    names.length === 0
      ? 'Write {{words}} in a message for a part that is asked for each time.'
      : `It asks for ${names.join(', ')}.`
  return isThere
    ? `There is a prompt /${name}: this text replaces it, with an undo.`
    : `Typed as /${name}, and kept in prompts/${name}.md. ${asked}`
}
