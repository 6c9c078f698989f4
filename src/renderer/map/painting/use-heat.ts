import { useMemo } from 'react'
import type { FamilyMap } from '../../../shared/model/map/family-map'
import type { FilteredMap } from '../../../shared/model/map/filters'
import { type Heat, heatOf } from '../../../shared/model/map/heat'
import { useMap } from '../../state/context'
import { type LaidSegments, nodesBySegment } from '../layout/map-segments'

/** Returns the heat of segments that was chosen, of all entries of their nodes; undefined where none was. */
export function useHeat(
  whole: FamilyMap,
  filtered: FilteredMap | undefined,
  segments: LaidSegments | undefined,
): Heat | undefined {
  const kind = useMap((state) => state.heat)
  return useMemo(() => {
    if (kind === undefined || filtered === undefined || segments === undefined) return undefined
    const stretches = nodesBySegment(segments).map((nodes) =>
      nodes.flatMap((node) => filtered.origins[node] ?? []),
    )
    return heatOf(whole.facts, stretches, kind, Date.now())
  }, [whole, filtered, segments, kind])
}
