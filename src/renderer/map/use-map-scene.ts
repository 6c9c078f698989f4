import { useEffect, useMemo, useRef, useState } from 'react'
import type { FamilyMap } from '../../shared/model/map/family-map'
import type { MapFilter } from '../../shared/model/map/filters'
import type { MapLayout } from '../../shared/model/map/layout-shape'
import { useMap } from '../state/context'
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
  readonly map: FamilyMap
}

/** Choices that a layout keeps its places for: with another of them all is laid out afresh. */
interface Basis {
  readonly straightKey: string | undefined
  readonly mode: MapMode
  readonly unfolded: ReadonlySet<string>
  readonly collapsed: ReadonlySet<string>
  readonly hidden: ReadonlySet<string>
  readonly filter: MapFilter
}

/** Lays out the open family off the main thread, and again when it changes; undefined before the first layout. */
export function useMapScene(
  map: FamilyMap,
  widths: TextWidths,
): { readonly scene: MapScene; readonly segments: LaidSegments } | undefined {
  const key = useMap((state) => state.key)
  const straightKey = useMap((state) => state.straightKey)
  const mode = useMap((state) => state.mode)
  const unfolded = useMap((state) => state.unfolded)
  const collapsed = useMap((state) => state.collapsed)
  const hidden = useMap((state) => state.hidden)
  const filter = useMap((state) => state.filter)
  const layouts = useRef<MapLayouts>(undefined)
  const basis = useRef<Basis>(undefined)
  const [laid, setLaid] = useState<LaidMap>()
  const segments = useMemo(
    () => laidSegments(map, { key, straightKey }, { unfolded, collapsed }),
    [map, key, straightKey, unfolded, collapsed],
  )

  useEffect(() => {
    layouts.current ??= mapLayouts(startLayoutWorker)
    const now = { straightKey, mode, unfolded, collapsed, hidden, filter }
    const isFresh = basis.current === undefined || !keepsPlaces(basis.current, now)
    basis.current = now
    let isOver = false
    const input = layoutInput(map, segments, mode, (label) =>
      widths.widthOf(label, textStyles.open),
    )
    void layouts.current.layOut(input, isFresh).then((layout) => {
      if (layout !== undefined && !isOver) setLaid({ segments, layout, map })
    })
    return () => {
      isOver = true
    }
  }, [map, segments, straightKey, mode, unfolded, collapsed, hidden, filter, widths])
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
    const { segments: own, layout, map: drawn } = laid
    const scene = makeScene({
      map: drawn,
      segments: own.list,
      layout,
      colours: own.colours,
      labels: own.labels,
      open: own.open,
    })
    return { scene, segments: own }
  }, [laid])
}

/** Folding again leaves gaps that nobody wants; everything else keeps what it can. */
function keepsPlaces(before: Basis, now: Basis): boolean {
  return (
    before.straightKey === now.straightKey &&
    before.mode === now.mode &&
    before.hidden === now.hidden &&
    before.filter === now.filter &&
    [...now.collapsed].every((node) => before.collapsed.has(node)) &&
    [...before.unfolded].every((segment) => now.unfolded.has(segment))
  )
}
