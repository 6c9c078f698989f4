import { useChosen, useStores } from '../../state/context'
import { focusLibrary } from '../../ui/behaviour/focus'
import { PlacedMenu } from '../../ui/controls/PlacedMenu'
import { formatQuantity } from '../../ui/format/format'
import { useChosenActs } from './use-chosen-acts'
import { useChosenRows } from './use-chosen-rows'

/** Menu of what can be done with the chosen conversations: the acts of their bar. Nothing while it is closed. */
export function ChosenMenu() {
  const { chosen, exporting } = useStores()
  const menu = useChosen((state) => state.menu)
  const rows = useChosenRows()
  const acts = useChosenActs()
  if (menu === undefined || rows.length === 0) return null
  return (
    <PlacedMenu
      key={`${menu.x} ${menu.y}`}
      label={`Actions for ${formatQuantity(rows.length, 'conversation')}`}
      {...menu}
      entries={acts.map(({ label, icon, isDisabled = false, choose }) => ({
        label,
        icon,
        isDisabled,
        onChoose: choose,
      }))}
      onClose={() => chosen.getState().closeMenu()}
      onClosed={() => {
        // A question or dialog has the focus already, and gives it back later.
        const isAsking = chosen.getState().question !== undefined
        if (!isAsking && exporting.getState().several === undefined) focusLibrary()
      }}
    />
  )
}
