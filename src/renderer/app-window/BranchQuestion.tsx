import { type FormEvent, useId, useRef, useState } from 'react'
import { parseLibraryKey } from '../../shared/model/conversation/conversation'
import { useActions, useBranching, useStores } from '../state/context'
import type { PendingBranch } from '../state/transcript-state'
import { useShownTitle } from '../state/use-shown-title'
import { focusSoon } from '../ui/behaviour/focus'
import { Button } from '../ui/controls/Button'
import { RadioChoice } from '../ui/controls/RadioChoice'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { Sheet } from '../ui/panes/Sheet'

type Summary = 'none' | 'standard' | 'words'

const choices: readonly {
  readonly value: Summary
  readonly title: string
  readonly words: string
}[] = [
  {
    value: 'none',
    title: 'No summary',
    words: 'The branch begins with what is copied, and nothing else.',
  },
  {
    value: 'standard',
    title: 'Summary',
    words: 'The model writes down what was tried, decided and found out after this place.',
  },
  {
    value: 'words',
    title: 'Summary of what you ask for',
    words: 'You say what the new branch needs to know of them.',
  },
]

/** Dialog before a branch: whether it begins with a summary of what is left. */
export function BranchQuestion() {
  const question = useBranching((state) => state.question)
  if (question === undefined) return null
  return <BranchSheet key={`${question.spot} ${question.at.entry}`} question={question} />
}

function BranchSheet({ question }: { readonly question: PendingBranch }) {
  const { spot, key, at, action } = question
  const { app, branching } = useStores()
  const { branch } = useActions()
  const isBusy = useBranching(({ making }) => making[spot] !== undefined)
  const refusal = useBranching(({ refusals }) => refusals[spot])
  const isOwn = parseLibraryKey(key).source === 'chibi'
  const [summary, setSummary] = useState<Summary>(question.isForSummary ? 'standard' : 'none')
  const [words, setWords] = useState('')
  const isMade = useRef(false)
  const id = useId()
  const isEdit = action.type === 'edit'
  const leave = () => branching.getState().leave()
  const canMake = summary !== 'words' || words.trim() !== ''
  const isSummarizing = isBusy && summary !== 'none'

  async function make(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!canMake || isBusy) return
    const wish =
      summary === 'none' ? undefined : summary === 'standard' ? {} : { words: words.trim() }
    isMade.current = await branch(spot, key, at, action, wish)
    // One that was made while something else was opened is in the library.
    const { question: now, refusals } = branching.getState()
    if (now === question && refusals[spot] === undefined) leave()
  }
  return (
    <Sheet
      title={isEdit ? 'Send as a new branch' : 'Branch here'}
      about={useShownTitle(key)}
      first="input:checked, button[type='submit']"
      onClose={() => {
        if (!isSummarizing) leave()
      }}
      holdsWords={isSummarizing || (!isBusy && words.trim() !== '')}
      onClosed={() => {
        if (isMade.current) focusSoon('composer')
        return isMade.current
      }}
    >
      <form onSubmit={(event) => void make(event)}>
        <div className="dialog-body question">
          <p className="t2">
            {isOwn
              ? 'The messages after this place are not in the new branch. They stay where they are.'
              : 'The messages up to here are copied into a conversation of yours. The original stays as it is.'}
          </p>
          <fieldset className="choices" disabled={isBusy}>
            <legend className="unseen">Summary of the messages that the branch leaves</legend>
            {choices.map((choice) => (
              <RadioChoice
                key={choice.value}
                group={`${id}-summary`}
                title={choice.title}
                words={choice.words}
                isChosen={choice.value === summary}
                onChoose={() => setSummary(choice.value)}
              />
            ))}
          </fieldset>
          {summary === 'words' && (
            <textarea
              className="question-text"
              aria-label="What the branch needs to know"
              placeholder="Which fixes were tried, and why each failed"
              rows={3}
              maxLength={4000}
              value={words}
              readOnly={isBusy}
              dir="auto"
              onChange={(event) => setWords(event.target.value)}
            />
          )}
          {refusal !== undefined && (
            <RefusalNote
              title="No branch was made."
              refusal={refusal}
              onSettings={() => app.getState().openSettings('model')}
              onDismiss={() => branching.getState().dismissRefusal(spot)}
            />
          )}
          <LiveRegion label="Summary">
            {isSummarizing && 'The model writes the summary.'}
          </LiveRegion>
        </div>
        <footer className="dialog-foot">
          {isSummarizing && <span className="t2 small">The model writes the summary…</span>}
          <span className="grow" />
          {isSummarizing ? (
            <Button onClick={() => branching.getState().stopSummary(key)}>Skip summary</Button>
          ) : (
            // What is being made goes on: the dialog can be closed, and nothing can be cancelled.
            !isBusy && <Button onClick={leave}>Cancel</Button>
          )}
          <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={!canMake}>
            {isEdit ? 'Send' : 'Make branch'}
          </Button>
        </footer>
      </form>
    </Sheet>
  )
}
