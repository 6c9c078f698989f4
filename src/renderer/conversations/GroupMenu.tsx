import { DropdownMenu } from 'radix-ui'
import { type Grouping, groupings } from '../state/app/layout'
import { useLayout, useLibraryState, useStores } from '../state/context'
import { ChoiceMenu, MenuSwitch } from '../ui/controls/ChoiceMenu'

const names: Readonly<Record<Grouping, string>> = {
  date: 'Date',
  project: 'Project',
  source: 'Source',
  title: 'Title A–Z',
}

/** Menu of the groupings of the library; nothing while the library is empty. */
export function GroupMenu() {
  const { layout } = useStores()
  const grouping = useLayout((state) => state.grouping)
  const joinsFamilies = useLayout((state) => state.joinsFamilies)
  const isEmpty = useLibraryState(({ conversations }) => conversations.length === 0)
  if (isEmpty) return null
  return (
    <ChoiceMenu
      text={`Group by: ${names[grouping]}`}
      options={groupings.map((value) => ({ value, label: names[value] }))}
      value={grouping}
      onChoose={(one) => layout.getState().setGrouping(one)}
      align="end"
      className="library-grouping"
    >
      <DropdownMenu.Separator className="menu-line" />
      <MenuSwitch
        label="Branches in one row"
        isOn={joinsFamilies}
        onToggle={() => layout.getState().setJoinsFamilies(!joinsFamilies)}
      />
    </ChoiceMenu>
  )
}
