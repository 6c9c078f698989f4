import { type RefObject, useEffect, useId, useState } from 'react'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { CompactionMode } from '../../shared/model/run/run'
import { useCompacting, useStores } from '../state/context'
import type { CompactingState } from '../state/run-state'
import { useShownTitle } from '../state/use-shown-title'
import { Button } from '../ui/controls/Button'
import { RadioChoice } from '../ui/controls/RadioChoice'
import { formatCount, formatQuantity } from '../ui/format/format'
import { Note } from '../ui/notes/Note'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { Sheet } from '../ui/panes/Sheet'

const modes: readonly { mode: CompactionMode; name: string; words: string }[] = [
  {
    mode: 'full',
    name: 'Summarize everything',
    words: 'One request with all messages. The model continues from the summary.',
  },
  {
    mode: 'rolling',
    name: 'Summarize a part',
    words:
      'Two requests: the model chooses the messages, or the oldest are taken. The rest is sent as before.',
  },
  {
    mode: 'drop',
    name: 'No new summary',
    words: 'No request. Earlier messages are no longer sent; an earlier summary still is.',
  },
]

const phases = {
  choosing: 'The model chooses messages…',
  summarizing: 'The model writes the summary…',
} as const

/** Dialog that compacts a context: the choice of a mode, the progress and the outcome. */
export function CompactQuestion(props: {
  readonly contextKey: LibraryKey
  readonly before: RefObject<Element | null>
}) {
  const { contextKey, before } = props
  const { contexts, compacting } = useStores()
  const [mode, setMode] = useState<CompactionMode>('full')
  const phase = useCompacting((state) => state.phase)
  const end = useCompacting((state) => state.end)
  const failure = useCompacting((state) => state.failure)
  const isDone = end?.outcome === 'compacted'
  // Without notes the dialog closes: the seam in the transcript shows the outcome.
  const isOver = isDone && end.notes.length === 0

  function leave(): void {
    compacting.getState().leave()
    contexts.getState().leave()
  }
  useEffect(() => {
    if (!isOver) return
    compacting.getState().leave()
    contexts.getState().leave()
  }, [isOver, compacting, contexts])

  return (
    <Sheet
      title="Summarize earlier messages"
      about={useShownTitle(contextKey)}
      before={before}
      onClose={leave}
    >
      <div className="dialog-body question">
        {!isDone && <Modes mode={mode} isBusy={phase !== undefined} onChoose={setMode} />}
        {phase !== undefined && mode !== 'drop' && (
          <p className="t2" role="status">
            {phases[phase]}
          </p>
        )}
        {end !== undefined && <Ended end={end} />}
        <RefusalNote title="Not done." refusal={failure} />
      </div>
      <footer className="dialog-foot">
        <span className="grow" />
        <button type="button" className="button plain" data-first onClick={leave}>
          {isDone ? 'Close' : 'Cancel'}
        </button>
        {!isDone && (
          <Button
            kind="primary"
            isBusy={phase !== undefined}
            onClick={() => void compacting.getState().compact(contextKey, mode)}
          >
            {mode === 'drop' ? 'Apply' : 'Summarize'}
          </Button>
        )}
      </footer>
    </Sheet>
  )
}

function Modes(props: {
  readonly mode: CompactionMode
  readonly isBusy: boolean
  readonly onChoose: (mode: CompactionMode) => void
}) {
  const id = useId()
  return (
    <>
      <fieldset className="choices" disabled={props.isBusy}>
        <legend className="unseen">What to summarize</legend>
        {modes.map(({ mode, name, words }) => (
          <RadioChoice
            key={mode}
            group={id}
            title={name}
            words={words}
            isChosen={mode === props.mode}
            onChoose={() => props.onChoose(mode)}
          />
        ))}
      </fieldset>
      <p className="t2">Nothing is deleted: every entry stays in the conversation and in search.</p>
    </>
  )
}

function Ended({ end }: { readonly end: NonNullable<CompactingState['end']> }) {
  switch (end.outcome) {
    case 'compacted':
      return (
        <>
          <p role="status">
            {formatQuantity(end.archived, 'message')} no longer sent, {formatCount(end.kept)} still
            sent: about {formatCount(end.tokensBefore)} tokens became {formatCount(end.tokensAfter)}
            .
          </p>
          {end.notes.map((note) => (
            <p key={note} className="t2">
              {note}
            </p>
          ))}
        </>
      )
    case 'nothing':
      return (
        <Note tone="error" title="Not done.">
          There is too little to summarize.
        </Note>
      )
    case 'failed':
      return (
        <Note tone="error" title="Not done. Nothing changed.">
          {end.words}
        </Note>
      )
    case 'stopped':
      return null
  }
}
