import { useContext } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { useLabels, useStores, useTranscript } from '../../state/context'
import { labelSpot, useLabelsAt } from '../../state/transcript-state'
import { Button } from '../../ui/controls/Button'
import { LabelPill } from '../../ui/controls/LabelPill'
import { PreviewedParts } from '../items/previewed'
import type { NumberedLine } from './RawLines'

/** Tells whether a turn has something to show of labels: those of its entries, or the way back to one. */
export function useHasLabels(itemKey: string, places: readonly NumberedLine[]): boolean {
  const key = useTranscript((state) => state.key)
  const isReplaced = useLabels(({ replaced }) => replaced?.spot.itemKey === itemKey)
  return useLabelsAt(key, places).length > 0 || isReplaced
}

/** Labels of a turn's entries, and the undo of the last change of one. */
export function TurnLabels(props: {
  readonly itemKey: string
  readonly places: readonly NumberedLine[]
}) {
  const { itemKey, places } = props
  const stores = useStores()
  const key = useTranscript((state) => state.key)
  const labelled = useLabelsAt(key, places)
  const canUndo = useLabels(({ replaced }) => replaced?.spot.itemKey === itemKey)
  const isPreviewed = useContext(PreviewedParts) !== undefined
  if (isPreviewed)
    return (
      <span className="turn-labels">
        {labelled.map(({ label, place }) => (
          <LabelPill key={place.id} label={label} />
        ))}
      </span>
    )
  return (
    <span className="turn-labels">
      {labelled.map(({ label, place: { id, file, offset } }) => (
        <LabelPill
          key={id}
          label={label}
          name={`Label ${visibleText(label.word)}, ${label.color}. Change it`}
          onPress={() => {
            if (key === undefined || id === undefined) return
            const spot = labelSpot(stores, key, { entry: id, file, offset }, itemKey)
            stores.labels.getState().open(spot)
          }}
        />
      ))}
      {canUndo && (
        <Button
          kind="ghost"
          isSmall
          onClick={(event) => {
            event.currentTarget.closest<HTMLElement>('[data-item]')?.focus({ preventScroll: true })
            void stores.labels.getState().undo()
          }}
        >
          Undo label
        </Button>
      )}
    </span>
  )
}
