import { visibleText } from '../../../shared/model/basics/visible'
import type { Label } from '../../../shared/model/conversation/label'

/** Pill of a label: its word behind a dot in its color. With `onPress` it is a button. */
export function LabelPill(props: {
  readonly label: Label
  /** Name of the button for screen readers. */
  readonly name?: string
  readonly onPress?: () => void
}) {
  const { label, name, onPress } = props
  const className = `label-pill label-${label.color}`
  const content = (
    <>
      <span className="label-dot" />
      <span className="cut">{visibleText(label.word)}</span>
    </>
  )
  if (onPress === undefined) return <span className={className}>{content}</span>
  return (
    <button type="button" className={className} aria-label={name} onClick={onPress}>
      {content}
    </button>
  )
}
