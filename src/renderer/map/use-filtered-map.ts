import { useMemo } from 'react'
import { entryPositions } from '../../shared/model/map/entry-positions'
import type { FamilyMap } from '../../shared/model/map/family-map'
import {
  countConditions,
  type FilterContext,
  type FilteredMap,
  filterMap,
  unfilteredMap,
} from '../../shared/model/map/filters'
import { pathUpFrom } from '../family-tree/tree-rows'
import { useBranches, useLabels, useMap, useMapSearch } from '../state/context'

/** Returns what the filter shows of a family, and the nodes that it shows in any case: the open path and the straight one. */
export function useFilteredMap(whole: FamilyMap): {
  readonly filtered: FilteredMap
  /** Ids of the nodes of the open path. */
  readonly openPath: ReadonlySet<string>
  readonly kept: ReadonlySet<string>
} {
  const key = useMap((state) => state.key)
  const straightKey = useMap((state) => state.straightKey)
  const asked = useMap((state) => state.filter)
  const hits = useMapSearch((state) => (state.map === whole ? state.hits?.ofMessage : undefined))
  // Without a search nothing is a hit: all is shown.
  const filter = useMemo(
    () => (asked.hits && hits === undefined ? { ...asked, hits: false } : asked),
    [asked, hits],
  )
  const wanted = filter.hits ? hits : undefined
  const hidden = useMap((state) => state.hidden)
  const labels = useLabelledMessages(whole, filter.labelled)
  const openPath = usePathOf(whole, key)
  const straightPath = usePathOf(whole, straightKey)
  const kept = useMemo(() => new Set([...openPath, ...straightPath]), [openPath, straightPath])
  const filtered = useMemo(() => {
    if (countConditions(filter) === 0 && hidden.size === 0) return unfilteredMap(whole)
    const context: FilterContext = {
      kept: new Set([...kept, ...labels.nodes]),
      hidden,
      labelled: labels.messages,
      hits: wanted ?? [],
      nowMs: Date.now(),
    }
    return filterMap(whole, filter, context)
  }, [whole, filter, hidden, kept, labels, wanted])
  return { filtered, openPath, kept }
}

function usePathOf(whole: FamilyMap, key: string | undefined): ReadonlySet<string> {
  return useMemo(() => {
    const leaf = whole.conversations.find((one) => one.key === key)?.leaf ?? -1
    return pathUpFrom(whole.nodes, whole.nodes[leaf]?.id)
  }, [whole, key])
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
