import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef } from 'react'
import type { QueryPiece } from '../../shared/model/query/query'
import { useSearch, useStores } from '../state/context'
import { queryPieces } from '../state/search-state'
import { focusOn, focusTarget } from '../ui/behaviour/focus'
import { isComposing } from '../ui/behaviour/keys'
import { IconButton } from '../ui/controls/Button'
import { Icon } from '../ui/controls/Icon'

/** Field for the query, in which complete fields are tinted. */
export function QueryField() {
  const { search, facets } = useStores()
  const text = useSearch((state) => state.text)
  const input = useRef<HTMLInputElement>(null)
  const back = useRef<HTMLDivElement>(null)

  // The tints scroll with a long query.
  const follow = () => {
    if (back.current !== null) back.current.scrollLeft = input.current?.scrollLeft ?? 0
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text moves what is scrolled
  useLayoutEffect(follow, [text])

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Backspace') {
      const { selectionStart, value } = event.currentTarget
      const before = selectionStart === value.length ? facets.getState().takeBack(value) : undefined
      if (before === undefined) return
      event.preventDefault()
      search.getState().setText(before)
      search.getState().searchNow()
    }
    if (event.key === 'Enter') search.getState().searchNow()
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const { shown, isStale, selected } = search.getState()
    const isHere = shown.hits.some(({ id }) => id === selected)
    if (isStale || !focusOn('hits')) return
    if (!isHere) search.getState().select(shown.hits[0]?.id)
  }

  return (
    <div className="field query">
      <Icon of={Search} />
      <div className="query-text">
        <div ref={back} className="query-tints" aria-hidden="true">
          <Tints text={text} />
        </div>
        <input
          ref={input}
          type="search"
          aria-label="Search conversations"
          placeholder="Words, “phrase”, -not, title: from: model: project: after:"
          value={text}
          maxLength={10_000}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => search.getState().setText(event.target.value)}
          onScroll={follow}
          onSelect={follow}
          onKeyDown={onKeyDown}
          {...focusTarget('search')}
        />
      </div>
      {text !== '' && (
        <IconButton
          label="Clear the search"
          icon={X}
          size="medium"
          onClick={() => {
            search.getState().setText('')
            focusOn('search')
          }}
        />
      )}
    </div>
  )
}

/** True for what is not looked for as it is written. */
function isSpecial({ type }: QueryPiece): boolean {
  return type === 'field' || type === 'regex' || type === 'operator'
}

/** A second, invisible copy of the query that draws the tints behind its fields. */
function Tints(props: { readonly text: string }) {
  const { text } = props
  const pieces = useMemo(() => queryPieces(text), [text])
  let at = 0
  return (
    <>
      {pieces.map((piece) => {
        const before = text.slice(at, piece.start)
        at = piece.end
        const tint = piece.negated ? 'not' : isSpecial(piece) ? 'field-piece' : ''
        return (
          <span key={piece.start}>
            {before}
            <span className={tint}>{text.slice(piece.start, piece.end)}</span>
          </span>
        )
      })}
      {text.slice(at)}
    </>
  )
}
