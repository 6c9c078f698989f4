import { SearchOrder } from '../../shared/model/search'
import { useSearch, useStores } from '../state/context'
import { type SearchOutcome, searchLimits } from '../state/search-state'
import { useDelayedFlag } from '../ui/behaviour/hooks'
import { Button } from '../ui/controls/Button'
import { ChoiceMenu } from '../ui/controls/ChoiceMenu'
import { Tooltip } from '../ui/controls/Tooltip'
import { formatCount, formatDuration, formatQuantity } from '../ui/format/format'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { conversationCount } from './hit-rows'

const mostHits = Math.max(...searchLimits)

/** Line with the numbers of a search, its progress and its buttons. It keeps its height while there is no query. */
export function SearchStatus() {
  const { search } = useStores()
  const phase = useSearch((state) => state.phase)
  const outcome = useSearch((state) => state.outcome)
  const isStale = useSearch((state) => state.isStale)
  const limit = useSearch((state) => state.limit)
  const isSearching = useDelayedFlag(phase === 'searching', 120)
  const isLong = useDelayedFlag(phase === 'searching', 1000)
  const total = outcome?.total ?? 0
  const shownAtMost = useSearch(({ shown }) => shown.hits.length + shown.waiting.length)
  const hasMore = phase === 'done' && total > shownAtMost
  const next = searchLimits.find((one) => one > limit)
  const order = useSearch((state) => state.shownOrder)
  return (
    <div className="search-status">
      {/* Not a live region: the outcome is read aloud once, not with every hit. */}
      <span className="row-x grow search-numbers">
        {isSearching ? <Going /> : outcome !== undefined && <Outcome {...outcome} />}
      </span>
      <LiveRegion>
        {phase === 'done' &&
          outcome !== undefined &&
          !isStale &&
          spokenWords(outcome, shownAtMost, order)}
        {isLong && 'Searching'}
      </LiveRegion>
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
      <OrderMenu />
      {isLong && <Bar />}
    </div>
  )
}

const shownNames: Readonly<Record<SearchOrder, string>> = {
  newest: 'Newest',
  oldest: 'Oldest',
  best: 'Best',
}

/** Menu with what comes first among the hits. */
function OrderMenu() {
  const { search } = useStores()
  const order = useSearch((state) => state.order)
  return (
    <ChoiceMenu
      className="button ghost small"
      text={
        <>
          <span className="unseen">Order: </span>
          {shownNames[order]} first
        </>
      }
      align="end"
      value={order}
      options={SearchOrder.options.map((value) => ({ value, label: `${shownNames[value]} first` }))}
      onChoose={(value) => search.getState().setOrder(value)}
    />
  )
}

function Outcome(outcome: SearchOutcome) {
  const { total, complete } = outcome
  const hits = useSearch(({ shown }) => shown.hits)
  const waiting = useSearch(({ shown }) => shown.waiting.length)
  const isStopped = useSearch((state) => state.isStopped)
  const here = hits.length + waiting
  const order = useSearch((state) => state.shownOrder)
  const details = detailsOf(outcome, here, isStopped, order)
  return (
    <>
      <Tooltip text={details}>
        <span className="number search-total">
          {total > here ? (
            <>
              <b className="strong">
                {shownNames[order]} {formatCount(here)}
              </b>{' '}
              of {formatCount(total)}
              {!complete && '+'}
              {here >= mostHits && <span className="t3">; narrow the search to see others</span>}
            </>
          ) : total === 0 ? (
            <b className="strong">0 hits</b>
          ) : (
            <>
              <b className="strong">{formatQuantity(total, 'hit')}</b> in{' '}
              {formatQuantity(conversationCount(hits), 'conversation')}
            </>
          )}
        </span>
      </Tooltip>
      <span className="unseen">{details}</span>
      {isStopped && <span>stopped</span>}
    </>
  )
}

/** Returns "412 segments, 37 read, complete, 23 ms." and the reason for what was read or skipped. */
function detailsOf(
  { total: hits, segments, complete, planned, elapsedMs, notices }: SearchOutcome,
  here: number,
  isStopped: boolean,
  order: SearchOrder,
): string {
  const { total, read, skipped } = segments
  const completeness = notices.length === 0 ? 'complete' : 'all that can be read'
  const end = complete
    ? completeness
    : isStopped
      ? 'stopped'
      : order === 'best'
        ? `the best of the first ${formatCount(hits)} found`
        : `only the ${order} ${formatCount(here)}`
  const time = elapsedMs < 1000 ? `${Math.round(elapsedMs)} ms` : formatDuration(elapsedMs)
  const why = planned
    ? `${formatQuantity(skipped, 'segment')} skipped: no match possible.`
    : 'Read in full: the index needs three letters or more in a row.'
  return `${formatQuantity(total, 'segment')}, ${formatCount(read)} read, ${end}, ${time}. ${why}`
}

function Going() {
  const progress = useSearch((state) => state.progress)
  const found = useSearch(({ shown, isStale }) =>
    isStale ? 0 : shown.hits.length + shown.waiting.length,
  )
  return (
    <>
      <span className="number">
        {found === 0 ? (
          'Searching…'
        ) : (
          <b className="strong">{formatQuantity(found, 'hit')} so far</b>
        )}
      </span>
      {progress !== undefined && (
        <span className="number">
          {formatCount(progress.read + progress.skipped)} of{' '}
          {formatQuantity(progress.total, 'segment')}
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

function spokenWords({ total, complete }: SearchOutcome, here: number, order: SearchOrder): string {
  if (total === 0) return complete ? 'No results' : 'No results before the search stopped'
  const words = `${formatQuantity(total, 'hit')}${complete ? '' : ' or more'}`
  return total > here ? `${words}, the ${order} ${formatCount(here)} are shown` : words
}
