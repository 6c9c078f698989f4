import { useMemo } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { sourceLabel } from '../../shared/model/conversation/sources'
import type { FamilyMap } from '../../shared/model/map/family-map'
import { countConditions, type FilteredMap, type MapFilter } from '../../shared/model/map/filters'
import type { MapHits } from '../../shared/model/map/painted-hits'
import { useMap, useStores } from '../state/context'
import { focusOn } from '../ui/behaviour/focus'
import { Button } from '../ui/controls/Button'
import { FilterMenu } from '../ui/controls/FilterMenu'
import { formatCount, formatQuantity } from '../ui/format/format'
import { MapSearch } from './painting/MapSearch'

const dayMs = 86_400_000
const periods: ReadonlyMap<string, string> = new Map([
  [`${dayMs}`, 'Last 24 hours'],
  [`${7 * dayMs}`, 'Last 7 days'],
  [`${30 * dayMs}`, 'Last 30 days'],
  [`${365 * dayMs}`, 'Last year'],
])
const toggles = {
  mine: 'Mine only',
  withoutTools: 'Without tools',
  labelled: 'Labelled',
  failed: 'Failed tools',
} as const satisfies Partial<Record<keyof MapFilter, string>>

/** Bar over the map: what is searched in it, which entries it shows, and how many of how many. */
export function FilterBar(props: {
  readonly whole: FamilyMap
  readonly filtered: FilteredMap
  /** Hits of the search; undefined without one. */
  readonly hits: MapHits | undefined
  readonly onStep: (step: 1 | -1) => void
}) {
  const { whole, filtered } = props
  const { map: store } = useStores()
  const filter = useMap((state) => state.filter)
  const set = (conditions: Partial<MapFilter>) => store.getState().setFilter(conditions)
  const sources = useMemo(() => [...new Set(whole.nodes.map(({ source }) => source))], [whole])
  return (
    <div className="map-filters">
      <MapSearch shown={props.hits} onStep={props.onStep} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls of a form */}
      <div className="map-filter-group" role="group" aria-label="Filter">
        {(Object.keys(toggles) as (keyof typeof toggles)[]).map((name) => (
          <Button
            key={name}
            kind="ghost"
            isSmall
            isPressed={filter[name]}
            onClick={() => set({ [name]: !filter[name] })}
          >
            {toggles[name]}
          </Button>
        ))}
        <FilterMenu
          name="Model"
          all="All models"
          options={optionsOf(whole.facts.modelNames, visibleText)}
          nameOf={visibleText}
          value={filter.model}
          onChoose={(model) => set({ model })}
        />
        <FilterMenu
          name="Source"
          all="All sources"
          options={optionsOf(sources, sourceLabel)}
          nameOf={sourceLabel}
          value={filter.source}
          onChoose={(source) => set({ source })}
        />
        <FilterMenu
          name="Time"
          all="Any time"
          options={optionsOf([...periods.keys()], periodName)}
          nameOf={periodName}
          value={filter.withinMs === undefined ? undefined : `${filter.withinMs}`}
          onChoose={(ms) => set({ withinMs: ms === undefined ? undefined : Number(ms) })}
        />
        <Shown filtered={filtered} />
      </div>
    </div>
  )
}

function periodName(ms: string): string {
  return periods.get(ms) ?? ''
}

function optionsOf(values: readonly string[], nameOf: (value: string) => string) {
  return values.map((value) => ({ value, label: nameOf(value) }))
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
