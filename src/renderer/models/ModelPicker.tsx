import { useEffect, useState } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { VisibleSettings } from '../../shared/model/settings/settings'
import { useModels, useSettings, useStores } from '../state/context'
import { settingsFor } from '../state/settings/settings'
import { SegmentedControl } from '../ui/controls/SegmentedControl'
import { Note } from '../ui/notes/Note'
import { Sheet } from '../ui/panes/Sheet'
import { ModelOptions } from './ModelOptions'
import type { ModelRow } from './model-rows'
import { PickerFoot } from './PickerFoot'
import { useSourcesOfModels } from './use-sources-of-models'

type Scope = 'here' | 'home'

const scopes: Readonly<Record<Scope, string>> = {
  here: 'This conversation',
  home: 'Default for all conversations',
}

/** Dialog that chooses a model, by typing, arrows or pointer. */
export function ModelPicker(props: {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** A conversation of the home that can have a model of its own. */
  readonly contextKey?: LibraryKey | undefined
  /** Base URL of the only provider whose models are shown. */
  readonly only?: string | undefined
}) {
  const { isOpen, onClose } = props
  const { models } = useStores()
  return (
    <Sheet
      title="Choose a model"
      className="model-picker"
      isOpen={isOpen}
      first='[role="combobox"]'
      onOpen={() => models.getState().dismiss()}
      onClose={onClose}
    >
      <Choice {...props} />
    </Sheet>
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
          <SegmentedControl label="For" value={scope} options={scopes} onChoose={setScope} />
        </div>
      )}
      {view !== undefined && <Now view={view} scope={scope} />}
      {(refusal ?? failure) !== undefined && (
        <div className="picker-note">
          <Note
            tone="error"
            title={refusal === undefined ? 'Providers could not be loaded.' : 'Not chosen.'}
            detail={(refusal ?? failure)?.detail}
          >
            {(refusal ?? failure)?.message}
          </Note>
        </div>
      )}
      <ModelOptions
        sources={sources}
        used={view && { baseUrl: view.baseUrl.value, model: view.model.value }}
        onChoose={(row) => void choose(row)}
      />
      <PickerFoot sources={sources} onClose={onClose} />
    </>
  )
}

/** The present model and its origin, and whether a file overrides a choice made here. */
function Now(props: { readonly view: VisibleSettings; readonly scope: Scope }) {
  const { view, scope } = props
  const { model, baseUrl, provider } = view
  // For one conversation a model from the environment without an address comes later.
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
      {before !== undefined && ` ${before.where} overrides a choice made here.`}
    </p>
  )
}
