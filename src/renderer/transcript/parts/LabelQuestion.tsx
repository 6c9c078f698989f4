import { type FormEvent, useId, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { labelColors } from '../../../shared/model/conversation/label'
import { longestTag, tagId, tagLine } from '../../../shared/model/conversation/tag'
import { useLabels, useStores } from '../../state/context'
import { type LabelSpot, useLabelsInUse } from '../../state/transcript-state'
import { Button } from '../../ui/controls/Button'
import { HintedField } from '../../ui/controls/HintedField'
import { LabelPill } from '../../ui/controls/LabelPill'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { Sheet } from '../../ui/panes/Sheet'

/** Most labels of other entries that are offered. */
const mostOffered = 12

/** Dialog for the label of an entry. */
export function LabelQuestion() {
  const question = useLabels((state) => state.question)
  if (question === undefined) return null
  return <LabelSheet key={`${question.key} ${question.at.entry}`} spot={question} />
}

function LabelSheet({ spot }: { readonly spot: LabelSpot }) {
  const { labels } = useStores()
  const { shown } = spot
  const isBusy = useLabels((state) => state.isBusy)
  const failure = useLabels((state) => state.failure)
  const [word, setWord] = useState(shown?.word ?? '')
  const [color, setColor] = useState(shown?.color ?? labelColors[0])
  const id = useId()
  const isBlank = word.trim() === ''
  const fault =
    isBlank || tagLine(word) !== undefined
      ? undefined
      : `A label has 1 to ${longestTag} visible characters.`
  const leave = () => labels.getState().leave()
  const isName = spot.itemKey === undefined

  function save(event: FormEvent): void {
    event.preventDefault()
    if (!isBlank && fault === undefined) void labels.getState().save({ word, color })
  }
  return (
    <Sheet
      title={isName ? 'Name of the branch' : 'Label'}
      onClose={leave}
      onClosed={() => {
        if (spot.itemKey === undefined) return focusTree()
        const turn = document.querySelector<HTMLElement>(
          `[data-item="${CSS.escape(spot.itemKey)}"]`,
        )
        turn?.focus({ preventScroll: true })
        return turn !== null
      }}
    >
      <form onSubmit={save}>
        <div className="dialog-body question">
          <HintedField
            label={isName ? 'Name' : 'Word'}
            value={word}
            fault={fault}
            hint={
              isName
                ? 'A label on the first message of the branch. No file of the conversation is changed.'
                : 'Copies of the message in branches show it too. No file of the conversation is changed.'
            }
            selectsAll
            onChange={setWord}
          />
          <p className="label" id={`${id}-color`}>
            Color
          </p>
          <div className="label-colors" role="radiogroup" aria-labelledby={`${id}-color`}>
            {labelColors.map((one) => (
              <label key={one} className={`label-color label-${one}`}>
                <input
                  type="radio"
                  className="segment-input"
                  name={`${id}-colors`}
                  checked={one === color}
                  onChange={() => setColor(one)}
                />
                <span className="label-dot" />
                {one}
              </label>
            ))}
          </div>
          <Offered
            word={word}
            onChoose={(label) => {
              setWord(label.word)
              setColor(label.color)
            }}
          />
          {failure !== undefined && (
            <RefusalNote
              title="The label was not changed."
              refusal={failure}
              onDismiss={() => labels.getState().dismissFailure()}
            />
          )}
        </div>
        <footer className="dialog-foot">
          {shown !== undefined && (
            <Button onClick={() => void labels.getState().remove(spot)}>
              {isName ? 'Remove name' : 'Remove label'}
            </Button>
          )}
          <span className="grow" />
          <Button onClick={leave}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={isBusy}
            isDisabled={isBlank || fault !== undefined}
          >
            Save
          </Button>
        </footer>
      </form>
    </Sheet>
  )
}

/** Gives the focus back to the tree whose branch was named; returns whether it is there. */
function focusTree(): boolean {
  const trees = [...document.querySelectorAll<HTMLElement>('.branch-tree')]
  const tree = trees.find((one) => one.closest('[inert]') === null)
  tree?.focus({ preventScroll: true })
  return tree !== undefined
}

/** Labels of other entries that match the typed word. */
function Offered(props: {
  readonly word: string
  readonly onChoose: (label: ReturnType<typeof useLabelsInUse>[number]) => void
}) {
  const { word, onChoose } = props
  const inUse = useLabelsInUse()
  const typed = word.trim().toLowerCase()
  const isInUse = inUse.some((label) => tagId(label.word) === tagId(word))
  // A whole word narrows nothing: the others are still of use.
  const offered = inUse
    .filter((label) => isInUse || label.word.toLowerCase().includes(typed))
    .slice(0, mostOffered)
  if (offered.length === 0) return null
  return (
    <>
      <p className="label">In use</p>
      <ul className="tags" aria-label="Labels in use">
        {offered.map((label) => (
          <li key={label.word}>
            <LabelPill
              label={label}
              name={`Use ${visibleText(label.word)}, ${label.color}`}
              onPress={() => onChoose(label)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
