import { ArrowDown, ArrowUp, Search, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { MapHits } from '../../../shared/model/map/painted-hits'
import { useMap, useMapSearch, useStores } from '../../state/context'
import { focusOn, focusTarget } from '../../ui/behaviour/focus'
import { useDelayedFlag } from '../../ui/behaviour/hooks'
import { hasCommandModifier, isComposing } from '../../ui/behaviour/keys'
import { Button, IconButton } from '../../ui/controls/Button'
import { Icon } from '../../ui/controls/Icon'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { LiveRegion } from '../../ui/notes/LiveRegion'

/** Field of the search on the map, with the number of hits and the steps between them. */
export function MapSearch(props: {
  readonly shown: MapHits | undefined
  readonly onStep: (step: 1 | -1) => void
}) {
  const { shown, onStep } = props
  const { map, mapSearch } = useStores()
  const text = useMapSearch((state) => state.text)
  const isHitsOnly = useMap(({ filter }) => filter.hits)
  const hasText = text.trim() !== ''
  const hasHits = shown !== undefined && shown.list.length > 0

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Enter') {
      event.preventDefault()
      mapSearch.getState().searchNow()
      onStep(event.shiftKey ? -1 : 1)
    } else if (event.key === 'ArrowDown' && !hasCommandModifier(event)) {
      event.preventDefault()
      focusOn('map')
    }
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: the older runtime has no <search>
    <div className="map-searching" role="search">
      <div className="field map-search">
        <Icon of={Search} />
        <input
          type="search"
          aria-label="Search this family"
          placeholder="Search this family"
          value={text}
          maxLength={10_000}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => mapSearch.getState().setText(event.target.value)}
          onKeyDown={onKeyDown}
          {...focusTarget('map-search')}
        />
        {text !== '' && (
          <IconButton
            label="Clear the search"
            keys={['Esc']}
            icon={X}
            size="medium"
            onClick={() => {
              mapSearch.getState().clear()
              focusOn('map-search')
            }}
          />
        )}
      </div>
      {hasText && (
        <>
          <IconButton
            label="Previous hit"
            keys={['Shift', 'F3']}
            icon={ArrowUp}
            size="medium"
            isDisabled={!hasHits}
            onClick={() => onStep(-1)}
          />
          <IconButton
            label="Next hit"
            keys={['F3']}
            icon={ArrowDown}
            size="medium"
            isDisabled={!hasHits}
            onClick={() => onStep(1)}
          />
        </>
      )}
      <MapSearchStatus shown={shown} />
      {hasText && (
        <Button
          kind="ghost"
          isSmall
          isPressed={isHitsOnly}
          onClick={() => map.getState().setFilter({ hits: !isHitsOnly })}
        >
          Hits only
        </Button>
      )}
    </div>
  )
}

/** Line with the number of hits, or what the search does; nothing without a text. */
function MapSearchStatus({ shown }: { readonly shown: MapHits | undefined }) {
  const { mapSearch } = useStores()
  const hasText = useMapSearch(({ text }) => text.trim() !== '')
  const phase = useMapSearch((state) => state.phase)
  const isStale = useMapSearch((state) => state.isStale)
  const isStopped = useMapSearch((state) => state.isStopped)
  const failure = useMapSearch((state) => state.failure)
  const outcome = useMapSearch((state) => state.outcome)
  const current = useMapSearch((state) => state.current)
  const isSlow = useDelayedFlag(phase === 'searching', 300)
  const at = current === undefined ? -1 : (shown?.list.indexOf(current) ?? -1)
  const words =
    failure !== undefined
      ? `Not searched: ${failure.message}`
      : isSlow
        ? searchingText(isStale ? undefined : shown)
        : shown === undefined || isStale
          ? ''
          : foundText(shown, at)
  const notes = [
    ...(isStopped && phase === 'done' ? ['stopped'] : []),
    ...(outcome?.notices ?? []),
    ...(outcome?.hints ?? []),
  ]
  return (
    <>
      {hasText && (
        <span className={`small number map-found ${failure === undefined ? 't2' : 'err-t'}`}>
          {words}
          {phase === 'done' && notes.length > 0 && (
            <span className="t3" title={notes.join('\n')}>{` (${notes[0]})`}</span>
          )}
        </span>
      )}
      {hasText && isSlow && phase === 'searching' && (
        <Button kind="ghost" isSmall onClick={() => mapSearch.getState().stop()}>
          Stop
        </Button>
      )}
      {failure !== undefined && (
        <Button kind="ghost" isSmall onClick={() => mapSearch.getState().searchAgain()}>
          Try again
        </Button>
      )}
      <LiveRegion>
        {hasText && phase !== 'idle' && [words, ...(phase === 'done' ? notes : [])].join(', ')}
      </LiveRegion>
    </>
  )
}

function searchingText(shown: MapHits | undefined): string {
  return shown === undefined ? 'Searching…' : `${formatQuantity(shown.total, 'hit')} so far`
}

/** Returns "2 of 13 hits, 4 in branches you left, 3 not shown". */
function foundText({ list, total, inLeftBranches, notShown }: MapHits, at: number): string {
  if (total === 0) return 'No hits'
  const place = at < 0 || list.length === 0 ? '' : `${formatCount(at + 1)} of `
  return [
    `${place}${formatQuantity(total, 'hit')}`,
    ...(inLeftBranches === 0 ? [] : [`${formatCount(inLeftBranches)} in branches you left`]),
    ...(notShown === 0 ? [] : [`${formatCount(notShown)} not shown`]),
  ].join(', ')
}
