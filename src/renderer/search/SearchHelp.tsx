import { useMemo } from 'react'
import type { QueryPiece } from '../../shared/model/query/query'
import type { QueryFieldName } from '../../shared/model/query/query-fields'
import { useLibraryState, useSearch, useStores } from '../state/context'
import { queryPieces, withoutPiece } from '../state/search-state'
import { focusOn } from '../ui/behaviour/focus'
import { Button } from '../ui/controls/Button'
import { formatCount, formatQuantity } from '../ui/format/format'

/** Examples of queries, shown while there is no query; each is a button that searches for it. */
export function QueryHelp() {
  const newest = useLibraryState(({ conversations }) => conversations[0])
  const total = useLibraryState((state) => state.total)
  const examples = useMemo(() => examplesOf(newest?.source, newest?.title), [newest])
  return (
    <div className="scroll">
      <div className="words search-words">
        <h2>
          Search {total === 0 ? 'everything' : `all ${formatQuantity(total, 'conversation')}`}
        </h2>
        <p>
          Messages, tool arguments and results, and titles, on every branch. Parts of words match
          too; case is ignored.
        </p>
        <dl className="search-language">
          {examples.map(([query, means]) => (
            <div key={query} className="search-example">
              <dt>
                <Ask query={query} />
              </dt>
              <dd>{means}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}

/** Text in place of hits: what was searched, and broader queries. */
export function NoHits() {
  const outcome = useSearch((state) => state.outcome)
  const asked = useSearch((state) => state.asked ?? '')
  const isBuilding = useSearch(({ index }) => index?.building === true)
  const conversations = useLibraryState((state) => state.conversations)
  const total = useLibraryState((state) => state.total)
  const broader = useMemo(() => broaderQueries(asked), [asked])
  const { entries, isAll } = useMemo(() => {
    const known = conversations.flatMap(({ entries }) => entries ?? [])
    return {
      entries: known.reduce((sum, number) => sum + number, 0),
      isAll: known.length === conversations.length,
    }
  }, [conversations])
  if (outcome === undefined) return <div className="scroll" />
  const { segments, complete } = outcome
  const where =
    entries === 0
      ? formatQuantity(total, 'conversation')
      : `${formatQuantity(total, 'conversation')} with ${isAll ? '' : 'at least '}${formatQuantity(entries, 'entry', 'entries')}`
  return (
    <div className="scroll">
      <div className="words search-words">
        <h2>{complete ? 'No results' : 'No results before the search ended'}</h2>
        <p>
          {where} {complete ? 'searched' : 'to search'}, titles included.{' '}
          {formatCount(segments.read)} of {formatQuantity(segments.total, 'segment')} read
          {segments.skipped > 0 && `, ${formatCount(segments.skipped)} skipped: no match possible`}.
          {isBuilding && ' The index is still being built; search is slower until then.'}
        </p>
        {broader.length > 0 && (
          <>
            <p>Broader searches:</p>
            <div className="words-actions">
              {broader.map((query) => (
                <Ask key={query} query={query} />
              ))}
            </div>
          </>
        )}
      </div>
    </div>
  )
}

function Ask(props: { readonly query: string }) {
  const { search } = useStores()
  return (
    <Button
      isSmall
      className="mono search-ask"
      onClick={() => {
        search.getState().setText(props.query)
        search.getState().searchNow()
        focusOn('search')
      }}
    >
      {props.query}
    </Button>
  )
}

function examplesOf(
  source: string | undefined,
  title: string | undefined,
): readonly (readonly [query: string, means: string])[] {
  const year = new Date().getFullYear()
  const name = title?.split(/[\s-]+/).find((word) => /^[\p{L}\p{N}]{3,}$/u.test(word)) ?? 'import'
  const context = title !== undefined && /^[\w-]+$/.test(title) ? title : 'import-gap'
  const ofFields: Readonly<Record<QueryFieldName, readonly [value: string, means: string]>> = {
    title: [name, 'in conversations with this in their title'],
    tag: ['garden', 'in conversations with this tag'],
    label: ['decision', 'entries with this label'],
    context: [context, 'in one conversation'],
    source: [source ?? 'chibi', 'in one system’s conversations'],
    after: [`${year}-01-01`, 'from that day on; also a month or a year'],
    before: [`${year}`, 'before then'],
    during: [`${year}-03`, 'in that month; also a day or a year'],
    role: ['user', 'messages from people; also agent, system'],
    type: ['tool_result', 'entries of one kind'],
    tool: ['read_file', 'calls and results of one tool'],
    from: ['alice', 'messages from people with this in their name'],
    to: ['alice', 'what was said to someone, or given to a tool'],
    has: ['image', 'entries with one; also attachment, code, link, reasoning, error, reaction'],
    model: ['gpt', 'answers of models with this in their name'],
    provider: ['openai', 'spoken or heard by this service'],
    project: ['garden', 'in project folders with this in their path'],
    reaction: ['👍', 'reactions; the emoji alone works too'],
    case: ['yes', 'with words: in upper and lower case as you write them'],
    words: ['whole', 'with words: no parts of words'],
  }
  return [
    ['clock change', 'both words, in any order'],
    ['"clock change"', 'exactly these words'],
    ['clock -change', 'without the second word'],
    ['clock OR time', 'one of them, or both'],
    ['change (clock OR time)', 'brackets around alternatives'],
    ['/0?2:[0-5]0/', 'a regular expression; /…/i ignores case'],
    ...Object.entries(ofFields).map(
      ([field, [value, means]]) => [`${field}:${value}`, means] as const,
    ),
  ]
}

/** Returns up to six broader queries for one without hits. */
function broaderQueries(text: string): readonly string[] {
  const pieces = queryPieces(text)
  const bare = pieces.filter(({ type, negated }) => type === 'word' && !negated)
  const joins = ({ type }: QueryPiece) => type === 'operator'
  const broader = [
    ...pieces.flatMap((piece) =>
      !joins(piece) && (piece.type === 'field' || piece.negated) ? [withoutPiece(text, piece)] : [],
    ),
    ...pieces.flatMap(({ type, negated, value, start, end }) =>
      type === 'phrase' && !negated && /\s/.test(value.trim())
        ? [`${text.slice(0, start)}${value}${text.slice(end)}`]
        : [],
    ),
    ...(bare.length > 1 ? bare.map(({ value }) => value) : []),
  ]
  return [...new Set(broader)].filter((other) => other !== '' && other !== text).slice(0, 6)
}
