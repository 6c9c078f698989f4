import { ChartColumn } from 'lucide-react'
import { useStatistics, useStores } from '../state/context'
import { focusSoon } from '../ui/behaviour/focus'
import { IconButton } from '../ui/controls/Button'

/** Button for the statistics view. */
export function StatisticsButton() {
  const { layout, statistics } = useStores()
  const isOpen = useStatistics((state) => state.isOpen)

  function toggle(): void {
    if (isOpen) {
      statistics.getState().hide()
    } else {
      layout.getState().closeOverlay()
      statistics.getState().open()
      focusSoon('statistics')
    }
  }
  return (
    <IconButton
      label="Statistics"
      keys="statistics"
      icon={ChartColumn}
      isExpanded={isOpen}
      onClick={toggle}
    />
  )
}
