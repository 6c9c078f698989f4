import type { ReactNode } from 'react'
import type { MapNode } from '../../shared/model/map/family-map'
import { formatCount, formatQuantity } from '../ui/format/format'

/** Facts that a row of the tree shows at its end. */
export interface RowFacts {
  /** The node where the open conversation is: A, once another is marked. */
  readonly leaf: string | undefined
  readonly marked: string | undefined
  readonly isCollapsed: boolean
  readonly hits: number
  /** Hits in the branches that are folded after it. */
  readonly foldedHits: number
  /** The value of the heat, with what it is of. */
  readonly heat: { readonly shown: string; readonly said: string } | undefined
}

/** Returns what the map adds to a row of the tree, and the words for it. */
export function rowBadge(
  node: MapNode,
  { leaf, marked, isCollapsed, hits, foldedHits, heat }: RowFacts,
): { readonly shown: ReactNode; readonly said: string } | undefined {
  const letter =
    marked === undefined || (node.id !== leaf && node.id !== marked)
      ? undefined
      : node.id === marked
        ? 'B'
        : 'A'
  const said = [
    ...(hits === 0 ? [] : [formatQuantity(hits, 'hit')]),
    ...(heat === undefined ? [] : [heat.said]),
    ...(letter === undefined ? [] : [`compared as ${letter}`]),
    ...(isCollapsed ? [foldedText(foldedHits)] : []),
  ]
  if (said.length === 0) return undefined
  // The row's name says it.
  const shown = (
    <span className="map-row-badges" aria-hidden="true">
      {isCollapsed && <span className="t3">…</span>}
      {isCollapsed && foldedHits > 0 && (
        <span className="map-hits number">+{formatCount(foldedHits)}</span>
      )}
      {heat !== undefined && <span className="t3 number">{heat.shown}</span>}
      {hits > 0 && <span className="map-hits number">{formatCount(hits)}</span>}
      {letter !== undefined && <span className="map-badge" data-letter={letter} />}
    </span>
  )
  return { shown, said: said.join(', ') }
}

function foldedText(hits: number): string {
  return hits === 0 ? 'branches folded' : `branches folded with ${formatQuantity(hits, 'hit')}`
}
