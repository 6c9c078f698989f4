import { Archive } from 'lucide-react'
import { useContexts, useLibraryState, useStores } from '../state/context'
import { Icon } from '../ui/controls/Icon'
import { formatCount } from '../ui/format/format'

/** Shows what is put away instead of the others, and back; nothing where nothing is. */
export function ArchivedButton() {
  const { contexts } = useStores()
  const isShown = useContexts((state) => state.showsArchived)
  const archived = useContexts((state) => state.archived)
  // The marks of contexts that are gone say nothing.
  const number = useLibraryState(
    ({ conversations }) => conversations.filter(({ key }) => archived.has(key)).length,
  )
  if (number === 0 && !isShown) return null
  return (
    <button
      type="button"
      className="library-archived"
      aria-pressed={isShown}
      onClick={() => contexts.getState().showArchived(!isShown)}
    >
      <Icon of={Archive} size={12} />
      <span>Archived</span> <span className="number">{formatCount(number)}</span>
    </button>
  )
}
