import { DropdownMenu } from 'radix-ui'
import { type Grouping, groupings, type LibrarySort, librarySorts } from '../../state/app/layout'
import { useLayout, useLibraryState, useStores } from '../../state/context'
import { ChoiceMenu, MenuChoices, MenuSwitch } from '../../ui/controls/ChoiceMenu'
import { groupingNames, sortNames } from './order-names'

/** Menu of the groupings and orders of the library; nothing while the library is empty. */
export function GroupMenu() {
  const { layout } = useStores()
  const grouping = useLayout((state) => state.grouping)
  const sort = useLayout((state) => state.sort)
  const joinsFamilies = useLayout((state) => state.joinsFamilies)
  const isEmpty = useLibraryState(({ conversations }) => conversations.length === 0)
  if (isEmpty) return null
  const isSorted = sort !== 'newest' && grouping !== 'title'
  return (
    <ChoiceMenu<Grouping>
      text={`Group by: ${groupingNames[grouping]}${isSorted ? `, ${sortNames[sort]}` : ''}`}
      options={groupings.map((value) => ({ value, label: groupingNames[value] }))}
      value={grouping}
      onChoose={(one) => layout.getState().setGrouping(one)}
      align="end"
      className="library-grouping"
    >
      <DropdownMenu.Separator className="menu-line" />
      <MenuChoices<LibrarySort>
        label="Sort"
        options={librarySorts.map((value) => ({ value, label: sortNames[value] }))}
        value={grouping === 'title' ? 'title' : sort}
        // Letters are heads of titles alone.
        isDisabled={grouping === 'title'}
        onChoose={(one) => layout.getState().setSort(one)}
      />
      <DropdownMenu.Separator className="menu-line" />
      <MenuSwitch
        label="Branches in one row"
        isOn={joinsFamilies}
        onToggle={() => layout.getState().setJoinsFamilies(!joinsFamilies)}
      />
    </ChoiceMenu>
  )
}
