import { Pencil } from 'lucide-react'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { useStores } from '../state/context'
import { useTagsOf } from '../state/context-state'
import { IconButton } from '../ui/controls/Button'

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
          <ul className="tags" aria-label="Tags">
            {tags.map((tag) => (
              <li key={tag}>
                <button
                  type="button"
                  className="tag"
                  aria-label={`Show what is tagged ${tag}`}
                  onClick={() => library.getState().setTag(tag)}
                >
                  <span className="cut">{tag}</span>
                </button>
              </li>
            ))}
          </ul>
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
