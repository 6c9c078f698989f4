import { useMemo } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { useLibraryState, useNothing, useSearch } from '../state/context'
import { queryPieces } from '../state/search-state'
import { formatCount, formatQuantity } from '../ui/format/format'
import { AskButton } from './SearchHelp'

/** Text in place of hits: what was searched, which part of the query leaves nothing, and words that are there. */
export function NoHits() {
  const outcome = useSearch((state) => state.outcome)
  const isBuilding = useSearch(({ index }) => index?.building === true)
  const conversations = useLibraryState((state) => state.conversations)
  const total = useLibraryState((state) => state.total)
  const { entries, isAll } = useMemo(() => {
    const known = conversations.flatMap(({ entries }) => entries ?? [])
    return {
      entries: known.reduce((sum, number) => sum + number, 0),
      isAll: known.length === conversations.length,
    }
  }, [conversations])
  const hasPattern = useSearch(({ asked = '' }) =>
    queryPieces(asked).some(({ type, negated }) => type === 'regex' && !negated),
  )
  if (outcome === undefined) return <div className="scroll" />
  const { segments, complete, notices } = outcome
  const isProof = complete && notices.length === 0
  const where =
    entries === 0
      ? formatQuantity(total, 'conversation')
      : `${formatQuantity(total, 'conversation')} with ${isAll ? '' : 'at least '}${formatQuantity(entries, 'entry', 'entries')}`
  return (
    <div className="scroll">
      <div className="words search-words">
        <h2>{complete ? 'No results' : 'No results before the search ended'}</h2>
        <p>
          {isProof
            ? `Nothing in ${formatQuantity(segments.total, 'segment')}, all of them searched: `
            : `${formatQuantity(segments.total, 'segment')}: `}
          {formatCount(segments.read)} read
          {segments.skipped > 0 && `, ${formatCount(segments.skipped)} skipped, no match possible`}.
          That is {where}
          {hasPattern
            ? '. A pattern matches no titles; with an i behind it, it matches in any case.'
            : ', titles included.'}
          {isBuilding && ' The index is still being built; search is slower until then.'}
        </p>
        <Nearby />
        <Phrases />
      </div>
    </div>
  )
}

/** Queries next to it that find something. */
function Nearby() {
  const found = useNothing((state) => state.found)
  const isLooking = useNothing((state) => state.query !== undefined && state.found === undefined)
  if (isLooking) return <p className="t3">Looking for what is near…</p>
  if (found === undefined) return null
  const { near, without } = found
  return (
    <>
      {near.length > 0 && (
        <>
          <h3>What is there</h3>
          <ul className="near-queries">
            {near.map(({ word, instead, query }) => (
              <li key={`${word} ${instead}`}>
                <AskButton query={query} />
                <span className="t2">
                  with <b>{visibleText(instead)}</b> for {visibleText(word)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {without.length > 0 && (
        <>
          <h3>Without one part</h3>
          <ul className="near-queries">
            {without.map(({ part, query, hits, hasMore }) => (
              <li key={query}>
                <AskButton query={query} />
                <span className="t2">
                  {formatQuantity(hits, 'hit')}
                  {hasMore && ' or more'} without <span className="mono">{visibleText(part)}</span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** The words of a phrase, in any order. */
function Phrases() {
  const asked = useSearch((state) => state.asked ?? '')
  const looser = useMemo(() => withoutQuotes(asked), [asked])
  if (looser.length === 0) return null
  return (
    <>
      <h3>The same words in any order</h3>
      <div className="words-actions">
        {looser.map((query) => (
          <AskButton key={query} query={query} />
        ))}
      </div>
    </>
  )
}

function withoutQuotes(text: string): readonly string[] {
  const looser = queryPieces(text).flatMap(({ type, negated, value, start, end }) =>
    type === 'phrase' && !negated && /\s/.test(value.trim())
      ? [`${text.slice(0, start)}${value}${text.slice(end)}`]
      : [],
  )
  return [...new Set(looser)].filter((other) => other !== text).slice(0, 3)
}
