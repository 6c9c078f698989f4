import { GitBranch } from 'lucide-react'
import { type LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import { sourceLabel } from '../../shared/model/conversation/sources'
import { useActions, useBranching, useStores } from '../state/context'
import { spotKey } from '../state/transcript-state'
import { focusSoon } from '../ui/behaviour/focus'
import { Button } from '../ui/controls/Button'
import { RefusalNote } from '../ui/notes/RefusalNote'

/** Bar in place of the composer for another system's conversation, which can only be continued in an adopted copy. */
export function ForeignBar(props: { readonly contextKey: LibraryKey }) {
  const { contextKey } = props
  const { branching } = useStores()
  const { takeOver } = useActions()
  const spot = spotKey(contextKey)
  const isBusy = useBranching(({ making }) => making[spot] !== undefined)
  const refusal = useBranching(({ refusals }) => refusals[spot])

  async function continueHere(): Promise<void> {
    if (await takeOver(contextKey)) focusSoon('composer')
  }
  return (
    <div className="composer-frame" data-pane="composer">
      {refusal !== undefined && (
        <div className="composer-note">
          <RefusalNote
            title="Not copied."
            refusal={refusal}
            onDismiss={() => branching.getState().dismissRefusal(spot)}
          />
        </div>
      )}
      <section className="foreign-bar" aria-label="Another system's conversation">
        <p className="grow">
          This conversation belongs to {sourceLabel(parseLibraryKey(contextKey).source)}. Skein
          never changes it. <span className="t2">Continue here makes a copy in your home.</span>
        </p>
        <Button
          kind="primary"
          icon={GitBranch}
          isBusy={isBusy}
          focus="composer"
          onClick={() => void continueHere()}
        >
          Continue here
        </Button>
      </section>
    </div>
  )
}
