import { Box, Plug } from 'lucide-react'
import type { LibraryKey } from '../../shared/model/conversation'
import { useSettings, useStores } from '../state/context'
import { settingsFor } from '../state/settings'
import { Button } from '../ui/Button'

/** Which model will answer, and where that is set; opens Settings. */
export function ModelLabel(props: { readonly contextKey: LibraryKey | undefined }) {
  const { app } = useStores()
  const view = useSettings((state) => settingsFor(state, props.contextKey))
  if (view === undefined) return null
  const isPractice = view.provider === 'practice'
  const { value, where, origin } = view.model
  const from = origin === 'default' ? 'the default' : `from ${where}`
  return (
    <Button
      kind="ghost"
      isSmall
      icon={isPractice ? Plug : Box}
      className="model-label"
      tooltip={
        isPractice
          ? 'A server of Skein’s own answers: no AI, works offline'
          : `${value === '' ? 'No model' : value}, ${from}\n${view.baseUrl.value}`
      }
      onClick={() => app.getState().openSettings('model')}
    >
      <span className="cut">
        {isPractice ? 'Practice model: no AI' : value === '' ? 'No model' : value}
      </span>
    </Button>
  )
}

/** What can be done while no model can answer. */
export function SetUpModel() {
  const { app, settings } = useStores()
  return (
    <>
      <Button
        isSmall
        icon={Plug}
        onClick={() => void settings.getState().setModel({ provider: 'practice' })}
        tooltip="No AI, works offline; try every button without cost"
      >
        Use the practice model (no AI, works offline)
      </Button>
      <Button kind="primary" isSmall onClick={() => app.getState().openSettings('model')}>
        Set up a model
      </Button>
    </>
  )
}
