import { visibleText } from '../../shared/model/basics/visible'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { EntryId } from '../../shared/model/conversation/entry'
import { useActions } from '../state/context'
import { useLabelsIn } from '../state/transcript-state'
import { LabelPill } from '../ui/controls/LabelPill'

/** Facts of the labels in a conversation; each is a button that goes to its entry. Nothing where there are none. */
export function LabelFacts({ contextKey }: { readonly contextKey: LibraryKey }) {
  const { openAt } = useActions()
  const labels = useLabelsIn(contextKey)
  if (labels.length === 0) return null
  return (
    <>
      <dt>Labels</dt>
      <dd className="details-tags">
        <ul className="tags" aria-label="Labels">
          {labels.map((label) => (
            <li key={label.here}>
              <LabelPill
                label={label}
                name={`Go to ${visibleText(label.word)}, ${label.color}`}
                onPress={() => void openAt(contextKey, { entry: EntryId.parse(label.here) })}
              />
            </li>
          ))}
        </ul>
      </dd>
    </>
  )
}
