import { useMemo } from 'react'
import { tagId, tagsInUse } from '../../shared/model/conversation/tag'
import { useLibraryState, useSearches, useStores } from '../state/context'
import { showSavedSearch } from '../state/search-state'
import { ChoiceMenu } from '../ui/controls/ChoiceMenu'
import { useListedConversations } from './use-library-rows'

/** Filter of the library by tag; nothing where no conversation has one. */
export function TagFilter() {
  const { library } = useStores()
  const listed = useListedConversations()
  const chosen = useLibraryState((state) => state.tag)
  const tags = useMemo(() => tagsInUse(listed), [listed])
  if (tags.length === 0 && chosen === undefined) return null
  const shown = tags.find(({ tag }) => chosen !== undefined && tagId(tag) === tagId(chosen))?.tag
  return (
    <ChoiceMenu
      text={`Tag: ${chosen ?? 'any'}`}
      options={[
        { value: undefined, label: 'All conversations' },
        ...tags.map(({ tag, count }) => ({ value: tag, label: tag, count })),
      ]}
      // The same tag may be written in another way.
      value={shown ?? chosen}
      onChoose={(tag) => library.getState().setTag(tag)}
      className="library-grouping tagged"
      isNarrowed={chosen !== undefined}
    />
  )
}

/** Saved searches as smart lists: one shows the conversations that it finds now. Nothing where none is saved. */
export function SavedSearchMenu() {
  const stores = useStores()
  const saved = useSearches((state) => state.saved)
  const picked = useLibraryState((state) => state.picked)
  if (saved.length === 0) return null
  const shown = saved.find(({ id }) => picked?.search === id)
  return (
    <ChoiceMenu<string | undefined>
      text={`Search: ${shown?.name ?? 'none'}`}
      options={[
        { value: undefined, label: 'All conversations' },
        ...saved.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={shown?.id}
      onChoose={(id) => void showSavedSearch(stores, id)}
      className="library-grouping tagged"
      isNarrowed={shown !== undefined}
    />
  )
}
