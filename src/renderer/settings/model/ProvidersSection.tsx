import { useEffect, useRef, useState } from 'react'
import type { Provider } from '../../../shared/model/settings/model-info'
import { ModelPicker } from '../../models/ModelPicker'
import { useModels, useStores } from '../../state/context'
import { FailureNote } from '../../ui/notes/FailureNote'
import { AddProvider } from './AddProvider'
import { ProviderRow } from './ProviderRow'

/** List of the built-in and the added providers, each with its key and its models, and a form to add one. */
export function ProvidersSection() {
  const { models } = useStores()
  const view = useModels((state) => state.view)
  const failure = useModels((state) => state.failure)
  const [isPicking, setPicking] = useState<{ readonly only: string | undefined }>()
  const add = useRef<HTMLButtonElement>(null)
  useEffect(() => void models.getState().load(), [models])

  async function remove({ id }: Provider): Promise<void> {
    // The focused element goes with the row.
    if (await models.getState().remove(id)) add.current?.focus()
  }

  return (
    <>
      <h3 className="settings-head">Providers</h3>
      {failure !== undefined && (
        <FailureNote
          title="Providers could not be loaded."
          failure={failure}
          onAgain={() => void models.getState().load()}
        />
      )}
      {view?.providers.map((provider) => (
        <ProviderRow
          key={provider.id}
          provider={provider}
          onPick={() => setPicking({ only: provider.baseUrl })}
          onRemove={() => void remove(provider)}
        />
      ))}
      <AddProvider button={add} onPickAny={() => setPicking({ only: undefined })} />
      <ModelPicker
        isOpen={isPicking !== undefined}
        only={isPicking?.only}
        onClose={() => setPicking(undefined)}
      />
    </>
  )
}
