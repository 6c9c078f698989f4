import { useEffect, useRef } from 'react'
import type { FamilyMap } from '../../../shared/model/map/family-map'
import { type MapHits, nextHit } from '../../../shared/model/map/painted-hits'
import { useMapSearch, useStores } from '../../state/context'
import { focusOn } from '../../ui/behaviour/focus'
import { hasCommandModifier } from '../../ui/behaviour/keys'

/**
 * Returns a function that goes to the next or the previous hit, and lets F3 and Esc act on the search while the
 * map is shown. A step that comes before its search has answered is taken then.
 *
 * @param cursor the id of the selected node
 */
export function useHitSteps(
  whole: FamilyMap,
  shown: MapHits | undefined,
  cursor: string | undefined,
): (step: 1 | -1) => void {
  const { app, map, mapSearch } = useStores()
  const isStale = useMapSearch((state) => state.isStale)
  const waiting = useRef<1 | -1>(undefined)

  const go = (step: 1 | -1) => {
    const { current } = mapSearch.getState()
    const isHere = current !== undefined && whole.nodes[current.node]?.id === cursor
    const node = whole.nodes.findIndex(({ id }) => id === cursor)
    const hit = nextHit(
      shown?.list ?? [],
      { hit: isHere ? current : undefined, node: node < 0 ? undefined : node },
      step,
    )
    const id = whole.nodes[hit?.node ?? -1]?.id
    if (hit === undefined || id === undefined) return
    mapSearch.getState().goTo(hit)
    map.getState().expandTo(id)
    map.getState().select(id)
  }
  const step = (by: 1 | -1) => {
    waiting.current = isStale ? by : undefined
    if (!isStale) go(by)
  }
  useEffect(() => {
    if (isStale || waiting.current === undefined) return
    const by = waiting.current
    waiting.current = undefined
    go(by)
  })

  const latest = useRef<typeof step>(undefined)
  latest.current = step
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof Element &&
        event.target.closest('[role="dialog"], [role="menu"], [data-pane]:not([data-pane="map"])')
      // Settings lie over the map.
      if (isElsewhere || app.getState().settings !== undefined) return
      const isStep = event.key === 'F3' && !hasCommandModifier(event)
      if (isStep) latest.current?.(event.shiftKey ? -1 : 1)
      else if (event.key !== 'Escape' || event.repeat || event.isComposing || !leaveSearch()) return
      // Or the window would do what the key means elsewhere.
      event.preventDefault()
      event.stopPropagation()
    }
    /** Esc ends a running search, then clears it; returns false where there is none. */
    const leaveSearch = () => {
      const { text, phase, isStopped, stop, clear } = mapSearch.getState()
      if (text === '') return false
      if (phase === 'searching' && !isStopped) stop()
      else {
        clear()
        focusOn('map')
      }
      return true
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [app, mapSearch])
  return step
}
