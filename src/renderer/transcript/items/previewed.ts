import { createContext } from 'react'
import type { Entry } from '../../../shared/model/conversation/entry'
import type { PreviewedPart } from '../../../shared/model/hit-preview'
import type { Item } from './items'
import { sourceLinesOf } from './items'

/** Items before the one that has the hit, and behind it. */
const itemsBefore = 2
const itemsBehind = 3

/**
 * Context of turns in a preview, which are read and not changed: the parts that their entries have of their texts. Undefined
 * in a transcript.
 */
export const PreviewedParts = createContext<
  ((entry: Entry) => PreviewedPart | undefined) | undefined
>(undefined)

/** Picks what a preview shows: the item with the hit between its neighbours; without a hit the first items. */
export function previewedItems(
  items: readonly Item[],
  hit: { readonly file: string; readonly offset: number; readonly id?: string } | undefined,
): { readonly items: readonly Item[]; readonly hitKey: string | undefined } {
  const turns = items.filter(({ type }) => type !== 'day')
  if (hit === undefined)
    return { items: turns.slice(0, itemsBefore + itemsBehind), hitKey: undefined }
  const isThere = (item: Item, byId: boolean) =>
    sourceLinesOf(item).some(
      ({ file, offset, id }) =>
        file === hit.file && offset === hit.offset && (!byId || id === hit.id),
    )
  const named = turns.findIndex((item) => isThere(item, true))
  const at = named >= 0 ? named : turns.findIndex((item) => isThere(item, false))
  const from = Math.max(0, at - itemsBefore)
  return { items: turns.slice(from, Math.max(at, 0) + itemsBehind), hitKey: turns[at]?.key }
}
