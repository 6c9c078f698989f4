import { Bookmark, BookmarkCheck } from 'lucide-react'
import { useSearch, useSearches, useStores } from '../../state/context'
import { IconButton } from '../../ui/controls/Button'
import { LiveRegion } from '../../ui/notes/LiveRegion'

/** Button that saves the query that is typed, or removes it from the saved ones. */
export function SaveSearchButton() {
  const { searches } = useStores()
  const query = useSearch((state) => state.text.trim())
  const saved = useSearches((state) => state.saved.find((one) => one.query === query))
  const removed = useSearches((state) => state.removed)
  const refused = useSearches((state) => state.refused)
  if (query === '') return null
  return (
    <>
      <IconButton
        label={saved === undefined ? 'Save search' : 'Remove from saved searches'}
        icon={saved === undefined ? Bookmark : BookmarkCheck}
        size="small"
        onClick={() => {
          if (saved === undefined) searches.getState().save(query)
          else searches.getState().remove(saved.id)
        }}
      />
      <LiveRegion label="Saved searches">
        {saved !== undefined
          ? 'Saved'
          : refused === query
            ? 'Not saved'
            : removed?.search.query === query
              ? 'Removed'
              : ''}
      </LiveRegion>
    </>
  )
}
