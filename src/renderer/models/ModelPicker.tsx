import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import type { LibraryKey } from '../../shared/model/conversation'
import type { SettingsView } from '../../shared/model/settings'
import { useSettings, useStores } from '../state/context'
import { settingsFor } from '../state/settings'
import { useModels } from '../state/use-models'
import { IconButton } from '../ui/Button'
import { focusOn } from '../ui/focus'
import { Note } from '../ui/Note'
import { Segments } from '../ui/Segments'
import { visibleText } from '../ui/visible-text'
import { ModelList } from './ModelList'
import { PickerFoot } from './PickerFoot'
import type { ModelRow } from './rows'
import { useSourcesOfModels } from './use-sources-of-models'

type Scope = 'here' | 'home'

const scopes: Readonly<Record<Scope, string>> = {
  here: 'This conversation',
  home: 'All that set no other',
}

/** Chooses who answers: by typing parts of a name, with the arrows, or with the pointer. */
export function ModelPicker(props: {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** A conversation of the home that can have a model of its own. */
  readonly contextKey?: LibraryKey | undefined
  /** The address of the one provider whose models are shown. */
  readonly only?: string | undefined
}) {
  const { isOpen, onClose } = props
  const { models } = useStores()
  /** Had the focus when the dialog opened, and gets it back. */
  const before = useRef<Element>(null)
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="dialog model-picker"
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            before.current = document.activeElement
            models.getState().dismiss()
            const { currentTarget: dialog } = event
            if (dialog instanceof HTMLElement)
              dialog.querySelector<HTMLElement>('[role="combobox"]')?.focus()
          }}
          // One level out: the dialog alone.
          onEscapeKeyDown={(event) => event.stopPropagation()}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const element = before.current
            if (element instanceof HTMLElement && element.isConnected) element.focus()
            else focusOn('composer')
          }}
        >
          <header className="dialog-head">
            <Dialog.Title>Choose a model</Dialog.Title>
            <span className="grow" />
            <IconButton label="Close" icon={X} onClick={onClose} />
          </header>
          <Choice {...props} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Choice(props: {
  readonly contextKey?: LibraryKey | undefined
  readonly only?: string | undefined
  readonly onClose: () => void
}) {
  const { contextKey, only, onClose } = props
  const { models, settings } = useStores()
  const [scope, setScope] = useState<Scope>(contextKey === undefined ? 'home' : 'here')
  const view = useSettings((state) =>
    scope === 'home' ? state.view : settingsFor(state, contextKey),
  )
  const refusal = useModels((state) => state.choiceRefusal)
  const failure = useModels((state) => state.failure)
  const all = useSourcesOfModels()
  const sources = only === undefined ? all : all.filter(({ baseUrl }) => baseUrl === only)

  useEffect(() => {
    if (contextKey !== undefined) void settings.getState().loadFor(contextKey)
  }, [settings, contextKey])

  async function choose({ baseUrl, model }: ModelRow): Promise<void> {
    const key = scope === 'here' ? contextKey : undefined
    if (await models.getState().choose({ baseUrl, model: model.id }, key)) onClose()
  }

  return (
    <>
      {contextKey !== undefined && (
        <div className="picker-scope">
          <Segments label="For" value={scope} options={scopes} onChoose={setScope} />
        </div>
      )}
      {view !== undefined && <Now view={view} scope={scope} />}
      {(refusal ?? failure) !== undefined && (
        <div className="picker-note">
          <Note
            tone="error"
            title={refusal === undefined ? 'The providers could not be told.' : 'Not chosen.'}
            detail={(refusal ?? failure)?.detail}
          >
            {(refusal ?? failure)?.message}
          </Note>
        </div>
      )}
      <ModelList
        sources={sources}
        used={view && { baseUrl: view.baseUrl.value, model: view.model.value }}
        onChoose={(row) => void choose(row)}
      />
      <PickerFoot sources={sources} onClose={onClose} />
    </>
  )
}

/** Who answers now and where that is set; and that a file comes before what is chosen here. */
function Now(props: { readonly view: SettingsView; readonly scope: Scope }) {
  const { view, scope } = props
  const { model, baseUrl, provider } = view
  // For one conversation, a model that the environment names without an address comes after it.
  const isBefore =
    scope === 'home'
      ? ['run-option', 'chibi-environment', 'config.toml']
      : ['run-option', ...(baseUrl.origin === 'chibi-environment' ? ['chibi-environment'] : [])]
  const before = [model, baseUrl].find(({ origin }) => isBefore.includes(origin))
  if (provider === 'practice')
    return <p className="picker-now t2 small">The practice model answers now: no AI.</p>
  return (
    <p className="picker-now t2 small">
      Now: {model.value === '' ? 'none' : visibleText(model.value)}
      {model.origin === 'default' ? ', the default' : `, from ${model.where}`}.
      {before !== undefined && ` What ${before.where} sets comes before a choice made here.`}
    </p>
  )
}
