import { useMemo } from 'react'
import type { FamilyMap } from '../../../shared/model/map/family-map'
import type { FilteredMap } from '../../../shared/model/map/filters'
import { heatOf } from '../../../shared/model/map/heat'
import type { MapHits } from '../../../shared/model/map/painted-hits'
import { useMap } from '../../state/context'
import { heatNames, heatText } from './heat-labels'

/** Hits and heat of a node, as its row of the tree shows them. */
interface PaintedFacts {
  readonly hits: number
  readonly heat: { readonly shown: string; readonly said: string } | undefined
}

/** Returns a function from the id of a shown node to its hits and its heat. */
export function useRowFacts(
  whole: FamilyMap,
  { map, origins }: FilteredMap,
  shown: MapHits | undefined,
): (node: string) => PaintedFacts {
  const kind = useMap((state) => state.heat)
  const positions = useMemo(() => new Map(map.nodes.map(({ id }, i) => [id, i])), [map])
  const values = useMemo(() => {
    if (kind === undefined) return undefined
    const stretches = origins.map((node) => [node])
    return heatOf(whole.facts, stretches, kind, Date.now()).values
  }, [whole, origins, kind])
  return (node) => {
    const at = positions.get(node) ?? -1
    const value = values?.[at] ?? Number.NaN
    const isKnown = kind !== undefined && !Number.isNaN(value)
    const text = isKnown ? heatText(kind, value, Date.now()) : ''
    return {
      hits: shown?.ofNode[at] ?? 0,
      heat: isKnown ? { shown: text, said: `${heatNames[kind]} ${text}` } : undefined,
    }
  }
}
