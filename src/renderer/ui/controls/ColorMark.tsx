import type { LabelColor } from '../../../shared/model/conversation/label'

/** Mark of a conversation's colour: a field of that colour with its first letter, no two of which are the same, and its name for screen readers. */
export function ColorMark({ color }: { readonly color: LabelColor }) {
  return (
    <span className={`color-mark label-${color}`} title={color}>
      <span aria-hidden="true">{color.slice(0, 1).toUpperCase()}</span>
      <span className="unseen">{color}</span>
    </span>
  )
}
