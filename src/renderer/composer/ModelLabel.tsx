import { Box, Plug } from 'lucide-react'
import { visibleText } from '../../shared/model/basics/visible'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { ModelPicker } from '../models/ModelPicker'
import { useLibraryState, useSettings, useStores } from '../state/context'
import { settingsFor } from '../state/settings/settings'
import { Button } from '../ui/controls/Button'

/** Button with the model that will answer and the origin of that setting; opens the model picker. */
export function ModelLabel(props: {
  readonly contextKey: LibraryKey | undefined
  /** True while the picker is open. */
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}) {
  const { contextKey, isOpen, onOpen: setOpen } = props
  const view = useSettings((state) => settingsFor(state, contextKey))
  // A conversation that does not exist yet has no file for a model of its own.
  const isThere = useLibraryState(({ conversations }) =>
    conversations.some(({ key }) => key === contextKey),
  )
  if (view === undefined) return null
  const isPractice = view.provider === 'practice'
  const { value, where, origin } = view.model
  const from = origin === 'default' ? 'the default' : `from ${where}`
  return (
    <>
      <Button
        kind="ghost"
        isSmall
        icon={isPractice ? Plug : Box}
        className="model-label"
        isExpanded={isOpen}
        tooltip={
          isPractice
            ? 'Skein’s built-in server answers: no AI, works offline\nChoose a model'
            : `${value === '' ? 'No model' : visibleText(value)}, ${from}\n${view.baseUrl.value}\nChoose a model`
        }
        onClick={() => setOpen(true)}
      >
        <span className="cut">
          {isPractice ? 'Practice model: no AI' : value === '' ? 'No model' : visibleText(value)}
        </span>
      </Button>
      <ModelPicker
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        contextKey={isThere ? contextKey : undefined}
      />
    </>
  )
}

/** Buttons in place of Send while no model can answer: use the practice model, or set one up. */
export function SetUpModel() {
  const { app, settings } = useStores()
  return (
    <>
      <Button
        isSmall
        icon={Plug}
        onClick={() => void settings.getState().setModel({ provider: 'practice' })}
        tooltip="No AI, works offline. Try everything at no cost"
      >
        Use the practice model (no AI, works offline)
      </Button>
      <Button kind="primary" isSmall onClick={() => app.getState().openSettings('model')}>
        Set up a model
      </Button>
    </>
  )
}
