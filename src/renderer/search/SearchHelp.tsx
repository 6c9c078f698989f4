import { useMemo } from 'react'
import type { QueryFieldName } from '../../shared/model/query/query-fields'
import { useLibraryState, useStores } from '../state/context'
import { focusOn } from '../ui/behaviour/focus'
import { Button } from '../ui/controls/Button'
import { formatQuantity } from '../ui/format/format'
import { KeptSearches } from './kept/KeptSearches'

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
        <KeptSearches />
        <Examples title="Words" of={examples.words} />
        <Examples title="Fields" of={examples.fields} />
        <p className="t3">
          While you type the name of a field, or its value, those that fit are listed below: ↓ and
          Enter take one, Tab the first value, Esc closes the list.
        </p>
      </div>
    </div>
  )
}

function Examples(props: {
  readonly title: string
  readonly of: readonly (readonly [query: string, means: string])[]
}) {
  return (
    <>
      <h3>{props.title}</h3>
      <dl className="search-language">
        {props.of.map(([query, means]) => (
          <div key={query} className="search-example">
            <dt>
              <AskButton query={query} />
            </dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Button that searches for a query. */
export function AskButton(props: { readonly query: string }) {
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
): Readonly<Record<'words' | 'fields', readonly (readonly [query: string, means: string])[]>> {
  const year = new Date().getFullYear()
  const name = title?.split(/[\s-]+/).find((word) => /^[\p{L}\p{N}]{3,}$/u.test(word)) ?? 'import'
  const context = title !== undefined && /^[\w-]+$/.test(title) ? title : 'import-gap'
  const ofFields: Readonly<Record<QueryFieldName, readonly [value: string, means: string]>> = {
    title: [name, 'in conversations with this in their title'],
    tag: ['garden', 'in conversations with this tag'],
    color: ['green', 'in conversations of this color'],
    label: ['decision', 'entries with this label'],
    context: [context, 'in one conversation'],
    source: [source ?? 'chibi', 'in one system’s conversations'],
    after: [`${year}-01-01`, 'from that day on; also a month or a year'],
    before: [`${year}`, 'before then'],
    during: [`${year}-03`, 'in that month; also a day or a year'],
    role: ['user', 'messages from people; also agent, system'],
    type: ['tool_result', 'entries of one kind'],
    tool: ['read_file', 'calls and results of one tool'],
    branch: ['left', 'entries on branches that were left; also current'],
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
  return {
    words: [
      ['clock change', 'both words, in any order'],
      ['"clock change"', 'exactly these words'],
      ['"color:red"', 'a text that looks like a field'],
      ['clock -change', 'without the second word'],
      ['clock OR time', 'one of them, or both'],
      ['change (clock OR time)', 'brackets around alternatives'],
      ['/0?2:[0-5]0/', 'a regular expression; /…/i ignores case'],
    ],
    fields: Object.entries(ofFields).map(
      ([field, [value, means]]) => [`${field}:${value}`, means] as const,
    ),
  }
}
