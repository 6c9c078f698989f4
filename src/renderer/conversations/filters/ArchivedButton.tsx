import { Archive } from 'lucide-react'
import { useContexts, useLibraryState, useStores } from '../../state/context'
import { Icon } from '../../ui/controls/Icon'
import { formatCount } from '../../ui/format/format'

/** Button that shows the archived contexts instead of all others, and back; nothing where none is archived. */
export function ArchivedButton() {
  const { contexts } = useStores()
  const isShown = useContexts((state) => state.showsArchived)
  const archived = useContexts((state) => state.archived)
  // Flags of contexts that no longer exist do not count.
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
