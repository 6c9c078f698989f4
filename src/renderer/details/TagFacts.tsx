import { Pencil } from 'lucide-react'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { useStores } from '../state/context'
import { useTagsOf } from '../state/context-state'
import { IconButton } from '../ui/controls/Button'
import { TagList } from '../ui/controls/TagList'

/** Facts of a conversation's tags; each is a button that shows the library's conversations with it. */
export function TagFacts({ contextKey }: { readonly contextKey: LibraryKey }) {
  const { tags: store, library } = useStores()
  const tags = useTagsOf(contextKey)
  return (
    <>
      <dt>Tags</dt>
      <dd className="details-tags">
        {tags === undefined ? (
          <span className="t3">None</span>
        ) : (
          <TagList
            label="Tags"
            tags={tags}
            actLabel={(tag) => `Show what is tagged ${tag}`}
            onPress={(tag) => library.getState().setTag(tag)}
          />
        )}
        <IconButton
          label="Change tags"
          icon={Pencil}
          size="medium"
          onClick={() => store.getState().open(contextKey)}
        />
      </dd>
    </>
  )
}
