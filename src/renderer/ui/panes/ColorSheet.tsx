import type { RefObject } from 'react'
import { type LabelColor, labelColors } from '../../../shared/model/conversation/label'
import { Button } from '../controls/Button'
import { ColorMark } from '../controls/ColorMark'
import { Sheet } from './Sheet'

/** Dialog that gives one colour, or none, to a conversation or several. A choice acts at once. */
export function ColorSheet(props: {
  /** What gets it, for people. */
  readonly about: string
  /** The colour that all of them have; null for none, undefined where they have different ones. */
  readonly value: LabelColor | null | undefined
  readonly before?: RefObject<Element | null>
  readonly onChoose: (color: LabelColor | null) => void
  readonly onClose: () => void
  /** Returns true where it has sent the focus somewhere itself. */
  readonly onClosed?: () => boolean
}) {
  const { about, value, before, onChoose, onClose, onClosed } = props
  const first = value ?? labelColors[0]
  return (
    <Sheet
      title="Color"
      about={about}
      {...(before === undefined ? {} : { before })}
      {...(onClosed === undefined ? {} : { onClosed })}
      onClose={onClose}
    >
      <div className="dialog-body question">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form */}
        <div className="color-choices" role="group" aria-label="Color">
          {labelColors.map((color) => (
            <button
              key={color}
              type="button"
              className="color-choice"
              aria-pressed={color === value}
              {...(color === first ? { 'data-first': true } : {})}
              onClick={() => onChoose(color)}
            >
              <ColorMark color={color} />
              <span aria-hidden="true">{color}</span>
            </button>
          ))}
          <button
            type="button"
            className="color-choice"
            aria-pressed={value === null}
            onClick={() => onChoose(null)}
          >
            No color
          </button>
        </div>
        <p className="t2 small">No file of a conversation is changed.</p>
      </div>
      <footer className="dialog-foot">
        <span className="grow" />
        <Button onClick={onClose}>Cancel</Button>
      </footer>
    </Sheet>
  )
}
