import { useId, useMemo } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { sourceLabel } from '../../shared/model/conversation/sources'
import type { FamilyMap } from '../../shared/model/map/family-map'
import { countConditions, type FilteredMap, type MapFilter } from '../../shared/model/map/filters'
import { useMap, useStores } from '../state/context'
import { focusOn } from '../ui/behaviour/focus'
import { Button } from '../ui/controls/Button'
import { formatCount, formatQuantity } from '../ui/format/format'

const dayMs = 86_400_000
const periods: Readonly<Record<string, string>> = {
  [dayMs]: 'Last 24 hours',
  [7 * dayMs]: 'Last 7 days',
  [30 * dayMs]: 'Last 30 days',
  [365 * dayMs]: 'Last year',
}
const toggles = {
  mine: 'Mine only',
  withoutTools: 'Without tools',
  labelled: 'Labelled',
  failed: 'Failed tools',
} as const satisfies Partial<Record<keyof MapFilter, string>>

/** Bar over the map: which entries it shows, and how many of how many. */
export function FilterBar(props: { readonly whole: FamilyMap; readonly filtered: FilteredMap }) {
  const { whole, filtered } = props
  const { map: store } = useStores()
  const filter = useMap((state) => state.filter)
  const set = (conditions: Partial<MapFilter>) => store.getState().setFilter(conditions)
  const sources = useMemo(
    () => Object.fromEntries(whole.nodes.map(({ source }) => [source, sourceLabel(source)])),
    [whole],
  )
  const models = Object.fromEntries(whole.facts.modelNames.map((name) => [name, visibleText(name)]))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls of a form
    <div className="map-filters" role="group" aria-label="Filter">
      {(Object.keys(toggles) as (keyof typeof toggles)[]).map((name) => (
        <button
          key={name}
          type="button"
          className={`button ghost small ${filter[name] ? 'on' : ''}`}
          aria-pressed={filter[name]}
          onClick={() => set({ [name]: !filter[name] })}
        >
          {toggles[name]}
        </button>
      ))}
      <Choice
        name="Model"
        all="All models"
        options={models}
        value={filter.model}
        onChoose={(model) => set({ model })}
      />
      <Choice
        name="Source"
        all="All sources"
        options={sources}
        value={filter.source}
        onChoose={(source) => set({ source })}
      />
      <Choice
        name="Time"
        all="Any time"
        options={periods}
        value={filter.withinMs === undefined ? undefined : `${filter.withinMs}`}
        onChoose={(ms) => set({ withinMs: ms === undefined ? undefined : Number(ms) })}
      />
      <Shown filtered={filtered} />
    </div>
  )
}

/** How many entries are shown; nothing is hidden without it. */
function Shown({ filtered }: { readonly filtered: FilteredMap }) {
  const { map: store } = useStores()
  const filter = useMap((state) => state.filter)
  const hidden = useMap((state) => state.hidden)
  const { shown, total, inHidden } = filtered
  const isFiltered = countConditions(filter) > 0
  const showAll = () => {
    if (isFiltered) store.getState().showAll()
    else store.getState().showHidden()
    // The button goes.
    focusOn('map')
  }
  return (
    <>
      <span className="grow" />
      <span className="t3 small number map-shown" role="status" aria-live="polite">
        {(isFiltered || hidden.size > 0) &&
          `${formatCount(shown)} of ${formatQuantity(total, 'entry', 'entries')} shown`}
        {hidden.size > 0 && `, ${formatCount(inHidden)} in hidden branches`}
      </span>
      {(isFiltered || hidden.size > 0) && (
        <Button isSmall kind="ghost" onClick={showAll}>
          Show all
        </Button>
      )}
    </>
  )
}

/** Choice of one value or all; absent where there is nothing to choose. */
function Choice(props: {
  readonly name: string
  readonly all: string
  readonly options: Readonly<Record<string, string>>
  readonly value: string | undefined
  readonly onChoose: (value: string | undefined) => void
}) {
  const id = useId()
  const { name, all, options, value } = props
  if (Object.keys(options).length < 2 && value === undefined) return null
  return (
    <>
      <label htmlFor={id} className="unseen">
        {name}
      </label>
      <select
        id={id}
        className={`map-choice ${value === undefined ? '' : 'on'}`}
        value={value ?? ''}
        onChange={(event) => props.onChoose(event.target.value || undefined)}
      >
        <option value="">{all}</option>
        {Object.entries(options).map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </select>
    </>
  )
}
