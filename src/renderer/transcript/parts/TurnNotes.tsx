import type { BranchAction } from '../../../shared/model/family/branching'
import { useBranching, useStores, useTranscript } from '../../state/context'
import { spotKey } from '../../state/transcript-state'
import { useDelayedFlag } from '../../ui/behaviour/hooks'
import { RefusalNote } from '../../ui/notes/RefusalNote'

const titles: Readonly<Record<BranchAction['type'], string>> = {
  branch: 'No branch was made.',
  edit: 'Not sent.',
  regenerate: 'Not regenerated.',
}
const waits: Readonly<Record<BranchAction['type'], string>> = {
  branch: 'Copying earlier entries into a new branch…',
  edit: 'Copying earlier entries into a new branch…',
  regenerate: 'Copying earlier entries to ask again…',
}

/** Note at a turn that an action takes long, or why it was refused. */
export function TurnNotes(props: { readonly itemKey: string }) {
  const { branching, app } = useStores()
  const key = useTranscript((state) => state.key)
  const spot = spotKey(key ?? '', props.itemKey)
  const making = useBranching((state) => state.making[spot])
  const refusal = useBranching((state) => state.refusals[spot])
  const isLong = useDelayedFlag(making !== undefined, 300)
  if (refusal !== undefined)
    return (
      <div className="turn-note">
        <RefusalNote
          title={titles[refusal.of]}
          refusal={refusal}
          isTextKept={refusal.of === 'edit'}
          onSettings={() => app.getState().openSettings('model')}
          onDismiss={() => branching.getState().dismissRefusal(spot)}
        />
      </div>
    )
  if (making === undefined || !isLong) return null
  return (
    <p className="turn-note t3 small" role="status">
      {waits[making]}
    </p>
  )
}
