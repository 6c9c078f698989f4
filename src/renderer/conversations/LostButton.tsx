import { Unlink } from 'lucide-react'
import { useLost, useStores } from '../state/context'
import { focusSoon } from '../ui/behaviour/focus'
import { Icon } from '../ui/controls/Icon'
import { Tooltip } from '../ui/controls/Tooltip'
import { formatCount } from '../ui/format/format'

/** Button for the view of lost items, with their number; just an icon where there are none. */
export function LostButton() {
  const { layout, lost } = useStores()
  const isOpen = useLost((state) => state.isOpen)
  const number = useLost(({ found }) => found?.items.length ?? 0)

  function toggle(): void {
    if (isOpen) {
      lost.getState().hide()
    } else {
      layout.getState().closeOverlay()
      lost.getState().open()
      focusSoon('lost')
    }
  }
  return (
    <Tooltip text="Problems" keys="lost-and-found">
      <button
        type="button"
        className="library-lost"
        aria-label={number === 0 ? 'Problems' : undefined}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {number === 0 ? <Icon of={Unlink} size={12} /> : `Problems, ${formatCount(number)}`}
      </button>
    </Tooltip>
  )
}
