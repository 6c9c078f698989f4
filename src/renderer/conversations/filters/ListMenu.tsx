import {
  Bookmark,
  CalendarDays,
  CircleAlert,
  CircleDashed,
  EyeOff,
  Folder,
  Inbox,
  type LucideIcon,
  Pin,
  ScrollText,
  Type,
} from 'lucide-react'
import { useMemo } from 'react'
import {
  isInSmartList,
  isReadList,
  type SmartListId,
  smartListIds,
  smartLists,
} from '../../../shared/model/lists/smart-lists'
import { useLibraryState, useSearches, useStores } from '../../state/context'
import { showSavedSearch } from '../../state/search-state'
import { useNow } from '../../ui/behaviour/hooks'
import { ChoiceMenu, type MenuOption } from '../../ui/controls/ChoiceMenu'
import { Icon } from '../../ui/controls/Icon'
import { filterByHidden, filterByProject } from './filters'
import { shortProject } from './short-project'
import { useUnpickedConversations } from './use-filtered'
import { useProjectHere } from './use-project-here'

const icons: Readonly<Record<SmartListId, LucideIcon>> = {
  today: CalendarDays,
  pinned: Pin,
  long: ScrollText,
  untitled: Type,
  failed: CircleAlert,
  unfinished: CircleDashed,
  hidden: EyeOff,
}

type Chosen =
  | { readonly type: 'all' | 'project' }
  | { readonly type: 'list'; readonly list: SmartListId }
  | { readonly type: 'search'; readonly id: string }

const minuteMs = 60_000

/** Menu of smart lists, the project of the open conversation, and saved searches; nothing while the library is empty. */
export function ListMenu() {
  const stores = useStores()
  const { library } = stores
  const conversations = useLibraryState((state) => state.conversations)
  const isEmpty = conversations.length === 0
  const list = useLibraryState((state) => state.list)
  const project = useLibraryState((state) => state.project)
  const picked = useLibraryState((state) => state.picked)
  const saved = useSearches((state) => state.saved)
  // A choice here takes the pick away.
  const listed = useUnpickedConversations()
  const projectHere = useProjectHere()
  const now = useNow(minuteMs)
  const options = useMemo<readonly MenuOption<Chosen>[]>(
    () => [
      { value: { type: 'all' }, label: 'All conversations', mark: <Icon of={Inbox} /> },
      ...smartListIds.map((id) => ({
        value: { type: 'list', list: id } as const,
        label: smartLists[id].name,
        title: smartLists[id].holds,
        mark: <Icon of={icons[id]} />,
        ...(isReadList(id)
          ? {}
          : {
              count: (id === 'hidden' ? conversations : listed).filter((row) =>
                isInSmartList(row, id, now),
              ).length,
            }),
      })),
      ...(projectHere === undefined
        ? []
        : [
            {
              value: { type: 'project' } as const,
              label: `This project: ${shortProject(projectHere)}`,
              title: projectHere,
              mark: <Icon of={Folder} />,
              count: filterByProject(filterByHidden(listed, false), projectHere).length,
            },
          ]),
      ...saved.map(({ id, name, query }) => ({
        value: { type: 'search', id } as const,
        label: name,
        title: query,
        mark: <Icon of={Bookmark} />,
      })),
    ],
    [conversations, listed, now, projectHere, saved],
  )
  if (isEmpty && list === undefined) return null

  const chosen = options.find(({ value }) => isChosen(value))
  function isChosen(value: Chosen): boolean {
    switch (value.type) {
      case 'list':
        return value.list === list
      case 'search':
        return value.id === picked?.search
      case 'project':
        return list === undefined && picked === undefined && project === projectHere
      case 'all':
        return list === undefined && picked === undefined && project === undefined
    }
  }
  function choose(value: Chosen): void {
    if (value.type === 'search') return void showSavedSearch(stores, value.id)
    library.getState().setPicked(undefined)
    library.getState().setList(value.type === 'list' ? value.list : undefined)
    if (value.type !== 'list')
      library.getState().setProject(value.type === 'project' ? projectHere : undefined)
  }
  return (
    <ChoiceMenu<Chosen | undefined>
      text="Lists"
      options={options}
      value={chosen?.value}
      onChoose={(value) => value !== undefined && choose(value)}
      className="library-grouping tagged"
    />
  )
}
