import { useMemo } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { entryPositions } from '../../../shared/model/map/entry-positions'
import type { FamilyMap } from '../../../shared/model/map/family-map'
import type { FilteredMap } from '../../../shared/model/map/filters'
import type { Heat } from '../../../shared/model/map/heat'
import { hitsOnFilteredMap, type MapHits } from '../../../shared/model/map/painted-hits'
import { useBranches, useLabels, useMap, useMapSearch } from '../../state/context'
import type { DrawnLabel, Painting } from '../drawing/drawing'
import type { LaidSegments } from '../layout/map-segments'
import { drawnHits, spotOfHit } from './drawn-hits'
import { useHeat } from './use-heat'

/** A map as it is laid out now: a later filter may have another one. */
interface DrawnMap {
  readonly filtered: FilteredMap
  readonly segments: LaidSegments
}

/** Returns the hits that a filtered map shows; undefined where nothing is searched, or its hits are of another map. */
export function useShownHits(
  whole: FamilyMap,
  filtered: FilteredMap | undefined,
  openPath: ReadonlySet<string>,
): MapHits | undefined {
  const map = useMapSearch((state) => state.map)
  const hits = useMapSearch((state) => state.hits)
  return useMemo(() => {
    if (hits === undefined || filtered === undefined || map !== whole) return undefined
    return hitsOnFilteredMap(whole, filtered, hits, openPath)
  }, [whole, map, filtered, hits, openPath])
}

/** Returns what is painted on the segments of a map: hits, heat, labels of entries; and the heat with its extremes. */
export function usePainting(
  whole: FamilyMap,
  drawn: DrawnMap | undefined,
  openPath: ReadonlySet<string>,
): {
  readonly painting: Painting
  readonly heat: Heat | undefined
  readonly hits: MapHits | undefined
} {
  const { filtered, segments } = drawn ?? {}
  const hits = useShownHits(whole, filtered, openPath)
  const current = useMapSearch((state) => state.current)
  const heat = useHeat(whole, filtered, segments)
  const labels = useDrawnLabels(filtered, segments)
  const painting = useMemo((): Painting => {
    const isDrawn = hits !== undefined && filtered !== undefined && segments !== undefined
    const spot = current && isDrawn ? spotOfHit(current, filtered, segments) : undefined
    return {
      hits: isDrawn ? drawnHits(hits, filtered, segments, spot) : undefined,
      heat: heat?.steps,
      labels,
    }
  }, [hits, filtered, segments, current, heat, labels])
  return { painting, heat, hits }
}

const noLabels: ReadonlyMap<number, readonly DrawnLabel[]> = new Map()

/** Labels of the family's entries by segment: given in Skein in any of its conversations. */
function useDrawnLabels(
  filtered: FilteredMap | undefined,
  segments: LaidSegments | undefined,
): Painting['labels'] {
  const key = useMap((state) => state.key)
  const given = useLabels((state) => state.labels)
  const ofFamily = useBranches((state) => (state.key === key ? state.view?.labels : undefined))
  return useMemo(() => {
    if (filtered === undefined || segments === undefined) return noLabels
    if (given.length === 0 && ofFamily === undefined) return noLabels
    const { nodes, facts } = filtered.map
    const positionOf = entryPositions(filtered.map)
    const positions = new Map(nodes.map(({ id }, node) => [id, node]))
    const found = new Map<number, DrawnLabel[]>()
    const seen = new Set<number>()
    const add = (node: number, label: DrawnLabel) => {
      const segment = segments.ofNode[node]
      if (segment === undefined || segments.list[segment]?.kind === 'fold') return
      found.set(segment, [...(found.get(segment) ?? []), label])
    }
    for (const { key: holder, entry, word, color } of given) {
      const message = positionOf(holder, entry)
      if (message === undefined || seen.has(message)) continue
      seen.add(message)
      add(nodeOfMessage(facts.starts, message), { message, word: visibleText(word), color })
    }
    for (const { key: holder, entry, node, word, color } of ofFamily ?? []) {
      const message = positionOf(holder, entry)
      // Those that the map has under another name are at the end of their node.
      if (message === undefined && positions.has(node))
        add(positions.get(node) ?? 0, { message, word: visibleText(word), color })
    }
    for (const labels of found.values())
      labels.sort((a, b) => (a.message ?? Infinity) - (b.message ?? Infinity))
    return found
  }, [filtered, segments, given, ofFamily])
}

/** The last node that begins at a message or before it. */
function nodeOfMessage(starts: readonly number[], message: number): number {
  let low = 0
  let high = starts.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= message) low = middle
    else high = middle - 1
  }
  return low
}
