import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { type FacetName, withFacetChoice } from '../../shared/model/query/facets'
import { useFacets, useStores } from '../state/context'
import type { FacetValue, ShownFacet } from '../state/search-state'
import { focusOn, focusTarget } from '../ui/behaviour/focus'
import { isComposing } from '../ui/behaviour/keys'
import { Button } from '../ui/controls/Button'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatCount, formatQuantity } from '../ui/format/format'
import { FailureNote } from '../ui/notes/FailureNote'
import { facetLabels, facetTitles } from './facet-labels'

/** Values of a facet that are shown at first. */
const firstValues = 6

/** Panel of the facets: groups of check boxes with the numbers of hits. A choice is written into the query. */
export function FacetPanel() {
  const stores = useStores()
  const { search } = stores
  const facets = useFacets((state) => state.facets)
  const failure = useFacets((state) => state.failure)

  function ask(text: string): void {
    search.getState().setText(text)
    search.getState().searchNow()
  }

  function choose(facet: FacetName, values: readonly string[]): void {
    const before = search.getState().text
    const after = withFacetChoice(before, facet, values)
    stores.facets.getState().keepChoice(before, after)
    ask(after)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') {
      // Back to the hits; the next Esc closes the search.
      if (focusOn('hits') || focusOn('search')) event.stopPropagation()
    } else if (event.key === 'Backspace') {
      const before = stores.facets.getState().takeBack(search.getState().text)
      if (before !== undefined) ask(before)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')]
      const here = stops.indexOf(document.activeElement as HTMLElement) // any element, or none of them
      stops[here + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
      event.preventDefault()
    }
  }

  const shown = facets.filter(({ values }) => values.length > 0)
  return (
    <section className="facet-panel" aria-label="Filters" data-pane="facets" onKeyDown={onKeyDown}>
      <div className="scroll facet-groups">
        {failure !== undefined && (
          <FailureNote
            title="The hits could not be counted."
            failure={failure}
            onAgain={() => stores.facets.getState().count(search.getState().asked ?? '')}
          />
        )}
        {shown.map((one, index) => (
          <Facet
            key={one.facet}
            of={one}
            isFirst={index === 0}
            onChoose={(values) => choose(one.facet, values)}
          />
        ))}
      </div>
      <FacetFoot />
    </section>
  )
}

function Facet(props: {
  readonly of: ShownFacet
  readonly isFirst: boolean
  readonly onChoose: (values: readonly string[]) => void
}) {
  const { facet, values, others, complete } = props.of
  const [isLong, setLong] = useState(false)
  const labels = useMemo(
    () =>
      facetLabels(
        facet,
        values.map(({ value }) => value),
      ),
    [facet, values],
  )
  const shown = isLong
    ? values
    : values.filter(({ isChosen }, index) => index < firstValues || isChosen)
  const more = values.length - shown.length
  const chosen = values.filter(({ isChosen }) => isChosen).map(({ value }) => value)
  return (
    <fieldset
      className="facet"
      aria-label={`${facetTitles[facet]}, ${complete ? 'all hits counted' : 'counted so far'}`}
    >
      <legend>
        <span className="facet-title">{facetTitles[facet]}</span>
        {!complete && <span className="t3 micro"> so far</span>}
      </legend>
      {shown.map((one, index) => (
        <Value
          key={one.value.toLowerCase()}
          facet={facet}
          of={one}
          label={labels.get(one.value) ?? one.value}
          isTarget={props.isFirst && index === 0}
          onToggle={() =>
            props.onChoose(
              one.isChosen ? chosen.filter((value) => value !== one.value) : [...chosen, one.value],
            )
          }
        />
      ))}
      {(more > 0 || isLong) && (
        <Button isSmall kind="ghost" isExpanded={isLong} onClick={() => setLong(!isLong)}>
          {isLong ? 'Show fewer' : `Show ${formatQuantity(more, 'more', 'more')}`}
        </Button>
      )}
      {isLong && others > 0 && (
        <p className="t3 micro">{formatQuantity(others, 'further value')} not listed</p>
      )}
    </fieldset>
  )
}

function Value(props: {
  readonly facet: FacetName
  readonly of: FacetValue
  readonly label: string
  /** Where F6 leads. */
  readonly isTarget: boolean
  readonly onToggle: () => void
}) {
  const { facet, of, label, isTarget } = props
  const id = useId()
  const { value, count, isChosen } = of
  return (
    <label
      htmlFor={id}
      className={`facet-value ${count === 0 ? 'empty' : ''}`}
      title={label === value ? undefined : visibleText(value)}
    >
      <input
        id={id}
        type="checkbox"
        checked={isChosen}
        aria-label={
          count === undefined
            ? visibleText(label)
            : `${visibleText(label)}, ${formatQuantity(count, 'hit')}`
        }
        onChange={props.onToggle}
        {...(isTarget ? focusTarget('facets') : {})}
      />
      {facet === 'source' && (
        <span aria-hidden="true">
          <SourceMark source={value} />
        </span>
      )}
      <span className="cut grow">{visibleText(label)}</span>
      <span className="number t3">{count === undefined ? '' : formatCount(count)}</span>
    </label>
  )
}

/** Line that says how much of everything is counted. */
function FacetFoot() {
  const phase = useFacets((state) => state.phase)
  const isWhole = useFacets(({ facets }) => facets.every(({ complete }) => complete))
  const words =
    phase === 'counting'
      ? 'Counting…'
      : phase === 'done'
        ? isWhole
          ? 'All hits counted'
          : 'Not all hits counted'
        : ''
  return <p className="facet-foot t3 micro">{words}</p>
}
