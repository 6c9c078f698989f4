import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef } from 'react'
import type { QueryPiece } from '../../shared/model/query/query'
import { useSearch, useStores } from '../state/context'
import { queryPieces } from '../state/search-state'
import { focusOn, focusTarget } from '../ui/behaviour/focus'
import { hasCommandModifier, isComposing } from '../ui/behaviour/keys'
import { IconButton } from '../ui/controls/Button'
import { Icon } from '../ui/controls/Icon'
import { SaveSearchButton } from './kept/SaveSearchButton'
import { CompletionList } from './query/CompletionList'
import { QuerySwitches } from './query/QuerySwitches'
import { useCompletionBox } from './query/use-completion-box'

/** Field for the query: complete fields are tinted, fields and their values are completed, and buttons turn on case and whole words. */
export function QueryField() {
  const { search, searches, facets } = useStores()
  const text = useSearch((state) => state.text)
  const input = useRef<HTMLInputElement>(null)
  const back = useRef<HTMLDivElement>(null)
  const box = useCompletionBox(input)

  // The tints scroll with a long query.
  const follow = () => {
    if (back.current !== null) back.current.scrollLeft = input.current?.scrollLeft ?? 0
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text moves what is scrolled
  useLayoutEffect(follow, [text])

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (isComposing(event.nativeEvent) || box.onKey(event)) return
    if (event.key === 'Backspace') {
      const { selectionStart, value } = event.currentTarget
      const before = selectionStart === value.length ? facets.getState().takeBack(value) : undefined
      if (before === undefined) return
      event.preventDefault()
      search.getState().setText(before)
      search.getState().searchNow()
    }
    if (event.key === 'Enter') {
      search.getState().searchNow()
      searches.getState().note(text)
    }
    const isDown = event.key === 'ArrowDown' && !hasCommandModifier(event)
    if (event.key !== 'Enter' && !isDown) return
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
          role="combobox"
          aria-label="Search conversations"
          aria-expanded={box.completions !== undefined}
          aria-controls={box.completions === undefined ? undefined : box.id}
          aria-autocomplete="list"
          aria-activedescendant={box.activeId}
          placeholder="Words, “phrase”, -not, title: from: model: project: after:"
          value={text}
          maxLength={10_000}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            search.getState().setText(event.target.value)
            box.noteTyped(event.target.value)
          }}
          onScroll={follow}
          onSelect={() => {
            follow()
            box.noteCaret()
          }}
          onBlur={box.hide}
          onKeyDown={onKeyDown}
          {...focusTarget('search')}
        />
      </div>
      <QuerySwitches />
      <SaveSearchButton />
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
      {box.completions !== undefined && (
        <CompletionList
          id={box.id}
          completions={box.completions}
          active={box.active}
          onChoose={box.take}
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
