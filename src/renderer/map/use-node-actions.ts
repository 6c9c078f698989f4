import { CornerUpLeft, GitCompare, GitCompareArrows, Pencil } from 'lucide-react'
import type { FamilyMap, MapNode } from '../../shared/model/map/family-map'
import type { PaintedHit } from '../../shared/model/map/painted-hits'
import { soughtTexts } from '../../shared/model/query/sought-texts'
import { useNodeMenu } from '../family-tree/use-node-menu'
import { useActions, useBranches, useMap, useMapSearch, useStores } from '../state/context'
import { comparedPoints, hitPlace, nodePlace, ownBeginning } from '../state/map-state'
import type { MenuEntry } from '../ui/controls/ContextMenu'

/** Actions on nodes of the map. */
export interface NodeActions {
  /** Opens a conversation at the node's beginning, or at a hit in it. */
  open(node: MapNode | undefined, hit?: PaintedHit | undefined): void
  mark(node: MapNode | undefined): void
  /** Returns how to compare the open conversation with B: with what is marked, else with the node. */
  comparing(node: MapNode | undefined): (() => void) | undefined
  /** Returns how to edit the own message with which a node begins. */
  editing(node: MapNode | undefined): (() => void) | undefined
  toggleCollapsed(node: MapNode | undefined): void
  hideBranch(node: MapNode | undefined): void
  hasBranches(node: MapNode | undefined): boolean
  menuOf(node: MapNode): readonly MenuEntry[]
}

/**
 * Returns the actions on nodes.
 *
 * @param map what the filter shows of the family
 * @param kept ids of nodes that cannot be hidden
 */
export function useNodeActions(
  whole: FamilyMap,
  map: FamilyMap,
  kept: ReadonlySet<string>,
): NodeActions {
  const { map: store } = useStores()
  const { openAt, compareOnMap, editFrom } = useActions()
  const key = useMap((state) => state.key)
  const marked = useMap((state) => state.marked)
  const text = useMapSearch((state) => state.text)
  const labels = useBranches((state) => (state.key === key ? state.view?.labels : undefined))
  const nodeMenu = useNodeMenu(key, { path: whole.path, labels })

  const actions: NodeActions = {
    open(node, hit) {
      if (node === undefined || key === undefined) return
      if (hit !== undefined) {
        const { key: holder, entry } = hitPlace(whole, key, hit)
        void openAt(holder, { entry }, { marked: soughtTexts(text) })
        return
      }
      const place = nodePlace(whole, key, node.id)
      if (place !== undefined) void openAt(place.key, { entry: place.entry })
    },
    mark(node) {
      if (node !== undefined) store.getState().mark(node.id)
    },
    comparing: (node) =>
      comparedPoints({ map: whole, key, marked }, node?.id) && (() => compareOnMap(node?.id)),
    editing(node) {
      const place =
        node === undefined || key === undefined ? undefined : ownBeginning(whole, key, node.id)
      return place && (() => void editFrom(place.key, place.entry))
    },
    toggleCollapsed(node) {
      if (node !== undefined && actions.hasBranches(node)) store.getState().toggleCollapsed(node.id)
    },
    hideBranch(node) {
      if (node !== undefined && !kept.has(node.id)) store.getState().hideBranch(node.id)
    },
    hasBranches: (node) => map.nodes.some(({ parent }) => parent === node?.id),
    menuOf(node) {
      const edit = actions.editing(node)
      const compareBoth = actions.comparing(node)
      return [
        { label: 'Open', icon: CornerUpLeft, keys: ['Enter'], onChoose: () => actions.open(node) },
        ...(edit === undefined ? [] : [{ label: 'Edit', icon: Pencil, onChoose: edit }]),
        {
          label: node.id === marked ? 'Do not compare' : 'Mark as B',
          icon: GitCompare,
          keys: ['Space'],
          onChoose: () => actions.mark(node),
        },
        ...(compareBoth === undefined
          ? []
          : [
              {
                label: 'Compare A with B',
                icon: GitCompareArrows,
                keys: ['Shift', 'Enter'],
                onChoose: compareBoth,
              },
            ]),
        ...nodeMenu(node),
      ]
    },
  }
  return actions
}
