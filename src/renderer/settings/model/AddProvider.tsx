import { Plus } from 'lucide-react'
import { type FormEvent, type RefObject, useId, useState } from 'react'
import { useModels, useStores } from '../../state/context'
import { focusWhenDrawn } from '../../ui/behaviour/focus'
import { Button } from '../../ui/controls/Button'
import { RefusalNote } from '../../ui/notes/RefusalNote'

/** Buttons below the list of providers: to add one, and to choose among the models of all. */
export function AddProvider(props: {
  readonly button: RefObject<HTMLButtonElement | null>
  readonly onPickAny: () => void
}) {
  const { button, onPickAny } = props
  const { models } = useStores()
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    models.getState().dismiss('add')
    focusWhenDrawn(() => button.current)
  }
  return (
    <>
      {isOpen && <Form onClose={close} />}
      <div className="settings-after source-add">
        <Button ref={button} isSmall icon={Plus} isExpanded={isOpen} onClick={() => setOpen(true)}>
          Add a provider…
        </Button>
        <Button isSmall onClick={onPickAny}>
          Choose a model…
        </Button>
      </div>
    </>
  )
}

function Form(props: { readonly onClose: () => void }) {
  const { onClose } = props
  const { models } = useStores()
  const refusal = useModels(({ refusals }) => refusals.add)
  const [name, setName] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const id = useId()
  const [isBusy, setBusy] = useState(false)
  const isEmpty = name.trim() === '' || baseUrl.trim() === ''

  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault()
    // Enter pressed twice adds one provider.
    if (isEmpty || isBusy) return
    setBusy(true)
    const isAdded = await models.getState().add(name, baseUrl)
    setBusy(false)
    if (isAdded) onClose()
  }

  return (
    <form
      className="source-choice provider-form"
      aria-label="Add a provider"
      onSubmit={(event) => void onSubmit(event)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <label className="label" htmlFor={`${id}-name`}>
        Name
      </label>
      <div className="field">
        <input
          id={`${id}-name`}
          value={name}
          placeholder="Such as Work"
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the button below opened the form
          autoFocus
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <label className="label" htmlFor={`${id}-url`}>
        Base URL
      </label>
      <div className="field">
        <input
          id={`${id}-url`}
          value={baseUrl}
          placeholder="https://…/v1"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setBaseUrl(event.target.value)}
        />
      </div>
      <RefusalNote title="Not added." refusal={refusal} />
      <div className="key-form">
        <Button kind="primary" isSmall type="submit" isDisabled={isEmpty} isBusy={isBusy}>
          Add
        </Button>
        <Button kind="ghost" isSmall onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
