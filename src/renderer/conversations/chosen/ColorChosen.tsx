import { useRef } from 'react'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import { useActions } from '../../state/context'
import { focusLibrary } from '../../ui/behaviour/focus'
import { formatQuantity } from '../../ui/format/format'
import { ColorSheet } from '../../ui/panes/ColorSheet'

/** Dialog that gives a colour to all chosen conversations, or takes theirs away. */
export function ColorChosen(props: {
  readonly rows: readonly ConversationSummary[]
  readonly onClose: () => void
}) {
  const { rows, onClose } = props
  const { changeChosen } = useActions()
  /** The button that opened the dialog goes with the act. */
  const isActing = useRef(false)
  const [first = null, ...others] = new Set(rows.map(({ color }) => color ?? null))
  return (
    <ColorSheet
      about={formatQuantity(rows.length, 'conversation')}
      value={others.length === 0 ? first : undefined}
      onChoose={(color) => {
        isActing.current = true
        onClose()
        // Those that have it already are left as they are.
        const changed = rows.filter((row) => (row.color ?? null) !== color)
        void changeChosen(
          { type: 'colored', color },
          changed.map(({ key }) => key),
        )
      }}
      onClose={onClose}
      onClosed={() => isActing.current && focusLibrary()}
    />
  )
}
