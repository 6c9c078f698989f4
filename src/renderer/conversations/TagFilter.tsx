import { Check, ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useMemo } from 'react'
import { tagId, tagsInUse } from '../../shared/model/conversation/tag'
import { useLibraryState, useStores } from '../state/context'
import { Icon } from '../ui/controls/Icon'
import { formatCount } from '../ui/format/format'
import { useListedConversations } from './use-library-rows'

/** Filter of the library by tag; nothing where no conversation has one. */
export function TagFilter() {
  const { library } = useStores()
  const listed = useListedConversations()
  const chosen = useLibraryState((state) => state.tag)
  const tags = useMemo(() => tagsInUse(listed), [listed])
  if (tags.length === 0 && chosen === undefined) return null
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="library-grouping tagged" data-chosen={chosen !== undefined}>
        <span className="cut">Tag: {chosen ?? 'any'}</span>
        <Icon of={ChevronDown} size={12} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          loop
          // One level out: the menu alone.
          onEscapeKeyDown={(event) => event.stopPropagation()}
        >
          <DropdownMenu.RadioGroup value={chosen === undefined ? '' : tagId(chosen)}>
            <Item value="" onChoose={() => library.getState().setTag(undefined)}>
              <span className="grow">All conversations</span>
            </Item>
            {tags.map(({ tag, count: number }) => (
              <Item
                key={tagId(tag)}
                value={tagId(tag)}
                onChoose={() => library.getState().setTag(tag)}
              >
                <span className="grow cut">{tag}</span>
                <span className="menu-hint number">{formatCount(number)}</span>
              </Item>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Item(props: {
  readonly value: string
  readonly onChoose: () => void
  readonly children: ReactNode
}) {
  return (
    <DropdownMenu.RadioItem
      value={props.value}
      className="menu-row"
      onSelect={() => props.onChoose()}
    >
      {props.children}
      <DropdownMenu.ItemIndicator asChild>
        <Icon of={Check} />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.RadioItem>
  )
}
