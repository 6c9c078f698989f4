import { useMemo } from 'react'
import { entryPositions } from '../../shared/model/map/entry-positions'
import type { FamilyMap } from '../../shared/model/map/family-map'
import {
  countConditions,
  type FilterContext,
  type FilteredMap,
  filterMap,
} from '../../shared/model/map/filters'
import { pathUpFrom } from '../family-tree/tree-rows'
import { useBranches, useLabels, useMap } from '../state/context'

/** Returns what the filter shows of a family, and the nodes that it shows in any case: the open path and the straight one. */
export function useFilteredMap(whole: FamilyMap): {
  readonly filtered: FilteredMap
  readonly kept: ReadonlySet<string>
} {
  const key = useMap((state) => state.key)
  const straightKey = useMap((state) => state.straightKey)
  const filter = useMap((state) => state.filter)
  const hidden = useMap((state) => state.hidden)
  const labels = useLabelledMessages(whole, filter.labelled)
  const kept = useMemo(() => {
    const leafOf = (wanted: string | undefined) =>
      whole.nodes[whole.conversations.find((one) => one.key === wanted)?.leaf ?? -1]?.id
    return new Set([
      ...pathUpFrom(whole.nodes, leafOf(key)),
      ...pathUpFrom(whole.nodes, leafOf(straightKey)),
    ])
  }, [whole, key, straightKey])
  const filtered = useMemo(() => {
    if (countConditions(filter) === 0 && hidden.size === 0) return unfiltered(whole)
    const context: FilterContext = {
      kept: new Set([...kept, ...labels.nodes]),
      hidden,
      labelled: labels.messages,
      nowMs: Date.now(),
    }
    return filterMap(whole, filter, context)
  }, [whole, filter, hidden, kept, labels])
  return { filtered, kept }
}

const noLabels = { messages: new Set<number>(), nodes: new Set<string>() }

/** Messages with a label; and nodes with a label at an entry that the map has under another name. */
function useLabelledMessages(whole: FamilyMap, isWanted: boolean) {
  const key = useMap((state) => state.key)
  const all = useLabels((state) => state.labels)
  const inFamily = useBranches((state) => (state.key === key ? state.view?.labels : undefined))
  return useMemo(() => {
    if (!isWanted) return noLabels
    const positionOf = entryPositions(whole)
    const messages = new Set<number>()
    const nodes = new Set<string>()
    for (const label of all) {
      const at = positionOf(label.key, label.entry)
      if (at !== undefined) messages.add(at)
    }
    for (const label of inFamily ?? []) {
      const at = positionOf(label.key, label.entry)
      if (at === undefined) nodes.add(label.node)
      else messages.add(at)
    }
    return { messages, nodes }
  }, [whole, isWanted, all, inFamily])
}

function unfiltered(map: FamilyMap): FilteredMap {
  const total = map.facts.ids.length
  return { map, origins: map.nodes.map((_, i) => i), shown: total, total, inHidden: 0 }
}
