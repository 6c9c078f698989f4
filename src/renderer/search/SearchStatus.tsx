import { useSearch, useStores } from '../state/context'
import { type SearchOutcome, searchLimits } from '../state/search-state'
import { Button } from '../ui/Button'
import { count, counted, duration } from '../ui/format'
import { useAfter } from '../ui/hooks'
import { Tooltip } from '../ui/Tooltip'
import { groupCount } from './rows'

const mostHits = Math.max(...searchLimits)

/** What was found, in numbers; its place is kept while nothing is asked. */
export function SearchStatus() {
  const { search } = useStores()
  const phase = useSearch((state) => state.phase)
  const outcome = useSearch((state) => state.outcome)
  const isStale = useSearch((state) => state.isStale)
  const limit = useSearch((state) => state.limit)
  const isSearching = useAfter(phase === 'searching', 120)
  const isLong = useAfter(phase === 'searching', 1000)
  const total = outcome?.total ?? 0
  const shownAtMost = useSearch(({ shown }) => shown.hits.length + shown.waiting.length)
  const hasMore = phase === 'done' && total > shownAtMost
  const next = searchLimits.find((one) => one > limit)
  return (
    <div className="search-status">
      {/* Told once when it is through, not with every hit. */}
      <span className="row-x grow search-numbers">
        {isSearching ? <Going /> : outcome !== undefined && <Outcome {...outcome} />}
      </span>
      <span className="unseen" role="status">
        {phase === 'done' && outcome !== undefined && !isStale && spokenWords(outcome, shownAtMost)}
        {isLong && 'Searching'}
      </span>
      {isSearching && (
        <Button kind="ghost" isSmall onClick={() => search.getState().stop()}>
          Stop
        </Button>
      )}
      {hasMore && next !== undefined && (
        <Button isSmall onClick={() => search.getState().showMore()}>
          Show more
        </Button>
      )}
      {isLong && <Bar />}
    </div>
  )
}

function Outcome(outcome: SearchOutcome) {
  const { total, segments, complete, planned, elapsedMs, notices } = outcome
  const whole = notices.length === 0 ? 'complete' : 'all that can be read'
  const hits = useSearch(({ shown }) => shown.hits)
  const waiting = useSearch(({ shown }) => shown.waiting.length)
  const isStopped = useSearch((state) => state.isStopped)
  const here = hits.length + waiting
  if (total === 0 && complete && !isStopped)
    return (
      <>
        <b className="strong number">No hits</b>
        <Segments {...{ segments, planned }}>{whole}</Segments>
      </>
    )
  return (
    <>
      <span className="number search-found">
        {total > here ? (
          <>
            <b className="strong">First {count(here)}</b> of {complete ? '' : 'at least '}
            {count(total)} shown
            {here >= mostHits && <span className="t3">; ask for less to see the others</span>}
          </>
        ) : (
          <>
            <b className="strong">{counted(total, 'hit')}</b> in{' '}
            {counted(groupCount(hits), 'conversation')}
          </>
        )}
      </span>
      <Segments {...{ segments, planned }}>
        {complete ? whole : isStopped ? 'stopped' : `enough for the newest ${count(here)}`}
      </Segments>
      <span className="number t3">
        {elapsedMs < 1000 ? `${Math.round(elapsedMs)} ms` : duration(elapsedMs)}
      </span>
    </>
  )
}

/** "412 segments, 37 read, complete", and why so many. */
function Segments(
  props: Pick<SearchOutcome, 'segments' | 'planned'> & { readonly children: string },
) {
  const { segments, planned, children } = props
  const { total, read, skipped } = segments
  const why = planned
    ? `${counted(skipped, 'segment')} cannot hold it, or ${skipped === 1 ? 'is' : 'are'} out of what was asked for: not read.`
    : 'The query has nothing that the index could be asked for: three letters or more in a row are needed.'
  return (
    <>
      <Tooltip text={why}>
        <span className="number">
          {counted(total, 'segment')}, {count(read)} read,{' '}
          <span className={children === 'complete' ? 'ok-t label' : 'label'}>{children}</span>
        </span>
      </Tooltip>
      {!planned && <span className="t3">read in full: nothing to plan by</span>}
    </>
  )
}

function Going() {
  const progress = useSearch((state) => state.progress)
  const found = useSearch(({ shown, isStale }) =>
    isStale ? 0 : shown.hits.length + shown.waiting.length,
  )
  return (
    <>
      <span className="number">
        {found === 0 ? 'Searching…' : <b className="strong">{counted(found, 'hit')} so far</b>}
      </span>
      {progress !== undefined && (
        <span className="number">
          {count(progress.read + progress.skipped)} of {counted(progress.total, 'segment')}
        </span>
      )}
    </>
  )
}

function Bar() {
  const progress = useSearch((state) => state.progress)
  const share =
    progress === undefined || progress.total === 0
      ? 0
      : (progress.read + progress.skipped) / progress.total
  return (
    <span className="search-progress" aria-hidden="true">
      <span style={{ transform: `scaleX(${share})` }} />
    </span>
  )
}

function spokenWords({ total, complete }: SearchOutcome, here: number): string {
  if (total === 0) return complete ? 'No hits' : 'No hits so far: the search was stopped'
  const words = `${counted(total, 'hit')}${complete ? '' : ' or more'}`
  return total > here ? `${words}, the first ${count(here)} are shown` : words
}
