import { GitBranch } from 'lucide-react'
import { visibleText } from '../../shared/model/basics/visible'
import type { ComparedSideView, ComparePoint } from '../../shared/model/comparison/comparison-view'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { nameOfBranch } from '../family-tree/use-node-menu'
import { useActions, useBranches, useBranching, useCompare, useStores } from '../state/context'
import { spotKey } from '../state/transcript-state'
import { focusSoon } from '../ui/behaviour/focus'
import { Button } from '../ui/controls/Button'
import { LabelPill } from '../ui/controls/LabelPill'
import { SourceMark } from '../ui/controls/SourceMark'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { sideText } from './comparison-labels'

/** Head of one side: its letter, title and size, and the ways to it. */
export function SideHead(props: {
  readonly letter: 'A' | 'B'
  readonly side: ComparedSideView
  readonly point: ComparePoint
}) {
  const { letter, side, point } = props
  const { app } = useStores()
  const { openAt, openConversation, continueFrom } = useActions()
  const spot = spotKey(point.key)
  const isMaking = useBranching(({ making }) => making[spot] !== undefined)
  const refusal = useBranching(({ refusals }) => refusals[spot])
  const dismiss = useBranching((state) => state.dismissRefusal)

  function go(): void {
    if (side.entry === null) openConversation(point.key)
    else void openAt(point.key, { entry: side.entry })
    focusSoon('transcript')
  }
  async function goOn(): Promise<void> {
    if (await continueFrom(point)) focusSoon('composer')
  }
  return (
    <section className={`compare-side ${letter.toLowerCase()}`} aria-label={`Side ${letter}`}>
      <div className="compare-side-head">
        <span className="compare-letter" aria-hidden="true">
          {letter}
        </span>
        <SourceMark source={side.source} />
        <b className="cut compare-side-title" title={visibleText(side.title)}>
          {visibleText(side.title)}
        </b>
        <BranchName letter={letter} contextKey={point.key} />
        <span className="t3 small number cut compare-side-text">{sideText(side)}</span>
        <Button kind="ghost" isSmall onClick={go}>
          Go there
        </Button>
        <Button kind="ghost" isSmall icon={GitBranch} isBusy={isMaking} onClick={() => void goOn()}>
          Continue
        </Button>
      </div>
      {refusal !== undefined && (
        <RefusalNote
          title="Not continued."
          refusal={refusal}
          onSettings={() => app.getState().openSettings('model')}
          onDismiss={() => dismiss(spot)}
        />
      )}
    </section>
  )
}

/** Name of the side's branch, which the other one has no part in; nothing where it has none. */
function BranchName(props: { readonly letter: 'A' | 'B'; readonly contextKey: LibraryKey }) {
  const { letter, contextKey } = props
  const other = useCompare(({ points }) => (letter === 'A' ? points?.right : points?.left)?.key)
  const name = useBranches(({ view }) =>
    view == null ? undefined : nameOfBranch(view, contextKey, other),
  )
  return name === undefined ? null : <LabelPill label={name} />
}
