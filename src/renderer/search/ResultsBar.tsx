import { ArrowDown, ArrowLeft, ArrowUp, X } from 'lucide-react'
import { libraryKeyOf } from '../../shared/model/conversation/conversation'
import { useActions, useApp, useSearch, useStores } from '../state/context'
import { stepHit } from '../state/search-state'
import { focusSoon } from '../ui/behaviour/focus'
import { Button, IconButton } from '../ui/controls/Button'
import { formatCount } from '../ui/format/format'

/** Bar over a conversation that was opened from a hit: the next and the previous hit, and the way back to all. */
export function ResultsBar() {
  const stores = useStores()
  const { search } = stores
  const actions = useActions()
  const place = useApp((state) => state.place)
  const hits = useSearch(({ shown }) => shown.hits)
  const opened = useSearch((state) => state.opened)
  const asked = useSearch((state) => state.asked)
  const index = hits.findIndex(({ id }) => id === opened)
  const hit = hits[index]?.hit
  if (hit === undefined || place.type !== 'conversation') return null
  if (place.key !== libraryKeyOf(hit.source, hit.key)) return null
  return (
    <section className="results-bar" aria-label="Search results">
      <Button
        kind="ghost"
        isSmall
        icon={ArrowLeft}
        onClick={() => {
          search.getState().open('hits')
          focusSoon('hits')
        }}
      >
        Back to results
      </Button>
      <span className="small t2 cut grow">
        <span className="number">
          Hit {formatCount(index + 1)} of {formatCount(hits.length)}
        </span>{' '}
        <span className="t3">
          for <span className="mono">{asked}</span>
        </span>
      </span>
      <IconButton
        label="Previous hit"
        keys={['Shift', 'F3']}
        icon={ArrowUp}
        size="medium"
        onClick={() => void stepHit(stores, actions, -1)}
      />
      <IconButton
        label="Next hit"
        keys={['F3']}
        icon={ArrowDown}
        size="medium"
        onClick={() => void stepHit(stores, actions, 1)}
      />
      <IconButton
        label="Close results"
        icon={X}
        size="medium"
        onClick={() => search.getState().setOpened(undefined)}
      />
    </section>
  )
}
