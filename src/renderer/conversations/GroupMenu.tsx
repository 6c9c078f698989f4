import { Check, ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type Grouping, groupings } from '../state/app/layout'
import { useLayout, useLibraryState, useStores } from '../state/context'
import { Icon } from '../ui/controls/Icon'

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
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="library-grouping">
        <span className="cut">Group by: {names[grouping]}</span>
        <Icon of={ChevronDown} size={12} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          loop
          // One level out: the menu alone.
          onEscapeKeyDown={(event) => event.stopPropagation()}
        >
          <DropdownMenu.RadioGroup value={grouping}>
            {groupings.map((one) => (
              <DropdownMenu.RadioItem
                key={one}
                value={one}
                className="menu-row"
                onSelect={() => layout.getState().setGrouping(one)}
              >
                <span className="grow">{names[one]}</span>
                <DropdownMenu.ItemIndicator asChild>
                  <Icon of={Check} />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.CheckboxItem
            className="menu-row"
            checked={joinsFamilies}
            onSelect={() => layout.getState().setJoinsFamilies(!joinsFamilies)}
          >
            <span className="grow">Branches in one row</span>
            <DropdownMenu.ItemIndicator asChild>
              <Icon of={Check} />
            </DropdownMenu.ItemIndicator>
          </DropdownMenu.CheckboxItem>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
