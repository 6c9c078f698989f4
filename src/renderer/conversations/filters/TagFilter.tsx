import { useMemo } from 'react'
import { tagId, tagsInUse } from '../../../shared/model/conversation/tag'
import { useLibraryState, useStores } from '../../state/context'
import { ChoiceMenu } from '../../ui/controls/ChoiceMenu'
import { useListedConversations } from './use-filtered'

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
      text="Tags"
      options={[
        { value: undefined, label: 'All conversations' },
        ...tags.map(({ tag, count }) => ({ value: tag, label: tag, count })),
      ]}
      // The same tag may be written in another way.
      value={shown ?? chosen}
      onChoose={(tag) => library.getState().setTag(tag)}
      className="library-grouping tagged"
    />
  )
}
