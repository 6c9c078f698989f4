import { useMemo } from 'react'
import { sumFacts } from '../../../shared/model/map/fact-sums'
import type { FamilyMap } from '../../../shared/model/map/family-map'
import type { FilteredMap } from '../../../shared/model/map/filters'
import { heatValue } from '../../../shared/model/map/heat'
import type { MapHits } from '../../../shared/model/map/painted-hits'
import { useMap } from '../../state/context'
import { heatNames, heatText } from './heat-labels'

/** Hits and heat of a node, as its row of the tree shows them. */
interface PaintedFacts {
  readonly hits: number
  /** Hits in branches after it that the tree does not list. */
  readonly foldedHits: number
  readonly heat: { readonly shown: string; readonly said: string } | undefined
}

/**
 * Returns a function from the id of a shown node to its hits and its heat.
 *
 * @param isListed ids of the nodes that the tree lists
 */
export function useRowFacts(
  whole: FamilyMap,
  { map, origins }: FilteredMap,
  shown: MapHits | undefined,
  isListed: ReadonlySet<string>,
): (node: string) => PaintedFacts {
  const kind = useMap((state) => state.heat)
  const positions = useMemo(() => new Map(map.nodes.map(({ id }, i) => [id, i])), [map])
  const folded = useMemo(() => {
    const hits = new Map<string, number>()
    const rows = new Map<string, string>()
    map.nodes.forEach(({ id, parent }, node) => {
      // The row that stands for it: its own, else that of the node before.
      const row = isListed.has(id) ? id : rows.get(parent ?? '')
      if (row === undefined) return
      rows.set(id, row)
      if (row !== id) hits.set(row, (hits.get(row) ?? 0) + (shown?.ofNode[node] ?? 0))
    })
    return hits
  }, [map, shown, isListed])
  return (node) => {
    const at = positions.get(node) ?? -1
    const origin = origins[at]
    // Of the rows that are seen alone: of thousands of nodes it takes a while.
    const value =
      kind === undefined || origin === undefined
        ? Number.NaN
        : heatValue(sumFacts(whole.facts, [origin]), kind)
    // A zero beside the number of entries would be taken for one of them.
    const isKnown = kind !== undefined && !Number.isNaN(value) && value !== 0
    const text = isKnown ? heatText(kind, value, Date.now()) : ''
    return {
      hits: shown?.ofNode[at] ?? 0,
      foldedHits: folded.get(node) ?? 0,
      heat: isKnown ? { shown: text, said: `${heatNames[kind]} ${text}` } : undefined,
    }
  }
}
