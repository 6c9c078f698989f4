import { BellDot } from 'lucide-react'
import { useEffect } from 'react'
import { useBackground, useStores } from '../state/context'
import { Icon } from '../ui/controls/Icon'
import { Tooltip } from '../ui/controls/Tooltip'
import { formatCount } from '../ui/format/format'

/** Button for the dialog of background notices; nothing without notices. */
export function BackgroundButton() {
  const { background } = useStores()
  const number = useBackground(({ notices }) => notices.length)
  const isOpen = useBackground((state) => state.isOpen)
  // Loads the notices from before the window opened.
  useEffect(() => void background.getState().load(), [background])
  if (number === 0 && !isOpen) return null
  const label = `In the background, ${formatCount(number)}`
  return (
    <Tooltip text="Postponed or failed in the background">
      <button
        type="button"
        className="library-lost"
        aria-label={label}
        aria-haspopup="dialog"
        onClick={() => background.getState().open()}
      >
        <Icon of={BellDot} size={12} /> {formatCount(number)}
      </button>
    </Tooltip>
  )
}
