import { useEffect, useMemo, useRef, useState } from 'react'
import type { FilteredMap, MapFilter } from '../../shared/model/map/filters'
import type { MapLayout } from '../../shared/model/map/layout-shape'
import type { PaintedHits } from '../../shared/model/map/painted-hits'
import { useMap, useMapSearch } from '../state/context'
import type { MapMode } from '../state/map-state'
import { textStyles } from './drawing/draw-labels'
import { type MapScene, makeScene } from './drawing/scene'
import type { TextWidths } from './drawing/text-widths'
import { type MapLayouts, mapLayouts, startLayoutWorker } from './layout/layouts'
import { type LaidSegments, laidSegments, layoutInput } from './layout/map-segments'

/** A laid-out family: the scene to draw, and the segments that it was made of. */
interface LaidMap {
  readonly segments: LaidSegments
  readonly layout: MapLayout
  readonly filtered: FilteredMap
}

/** Choices that a layout keeps its places for: with another of them all is laid out afresh. */
interface Basis {
  readonly straightKey: string | undefined
  readonly mode: MapMode
  readonly unfolded: ReadonlySet<string>
  readonly collapsed: ReadonlySet<string>
  readonly hidden: ReadonlySet<string>
  readonly filter: MapFilter
  /** With hits alone on the map, another search has another map. */
  readonly hits: PaintedHits | undefined
}

/** Lays out the open family off the main thread, and again when it changes; undefined before the first layout. */
export function useMapScene(
  filtered: FilteredMap,
  widths: TextWidths,
):
  | {
      readonly scene: MapScene
      readonly segments: LaidSegments
      /** The map that the scene was made of. */
      readonly filtered: FilteredMap
    }
  | undefined {
  const { map } = filtered
  const key = useMap((state) => state.key)
  const straightKey = useMap((state) => state.straightKey)
  const mode = useMap((state) => state.mode)
  const unfolded = useMap((state) => state.unfolded)
  const collapsed = useMap((state) => state.collapsed)
  const hidden = useMap((state) => state.hidden)
  const filter = useMap((state) => state.filter)
  const hits = useMapSearch((state) => (filter.hits ? state.hits : undefined))
  const layouts = useRef<MapLayouts>(undefined)
  const basis = useRef<Basis>(undefined)
  const [laid, setLaid] = useState<LaidMap>()
  const segments = useMemo(
    () => laidSegments(map, { key, straightKey }, { unfolded, collapsed }),
    [map, key, straightKey, unfolded, collapsed],
  )

  useEffect(() => {
    layouts.current ??= mapLayouts(startLayoutWorker)
    const now = { straightKey, mode, unfolded, collapsed, hidden, filter, hits }
    const isFresh = basis.current === undefined || !keepsPlaces(basis.current, now)
    basis.current = now
    let isOver = false
    const input = layoutInput(map, segments, mode, (label) =>
      widths.widthOf(label, textStyles.open),
    )
    void layouts.current.layOut(input, isFresh).then(
      (layout) => {
        if (layout !== undefined && !isOver) setLaid({ segments, layout, filtered })
      },
      (error: unknown) => {
        if (isOver) return
        // The boundary around the map says it.
        setLaid(() => {
          throw error
        })
      },
    )
    return () => {
      isOver = true
    }
  }, [
    filtered,
    map,
    segments,
    straightKey,
    mode,
    unfolded,
    collapsed,
    hidden,
    filter,
    hits,
    widths,
  ])
  useEffect(
    () => () => {
      layouts.current?.close()
      layouts.current = undefined
      basis.current = undefined
    },
    [],
  )

  return useMemo(() => {
    if (laid === undefined) return undefined
    const { segments: own, layout, filtered: drawn } = laid
    const scene = makeScene({
      map: drawn.map,
      segments: own.list,
      layout,
      colours: own.colours,
      labels: own.labels,
      open: own.open,
    })
    return { scene, segments: own, filtered: drawn }
  }, [laid])
}

/** Folding again leaves gaps that nobody wants; everything else keeps what it can. */
function keepsPlaces(before: Basis, now: Basis): boolean {
  return (
    before.straightKey === now.straightKey &&
    before.mode === now.mode &&
    before.hidden === now.hidden &&
    before.filter === now.filter &&
    before.hits === now.hits &&
    [...now.collapsed].every((node) => before.collapsed.has(node)) &&
    [...before.unfolded].every((segment) => now.unfolded.has(segment))
  )
}
