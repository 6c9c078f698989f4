import { CornerUpLeft, GitCompare, GitCompareArrows, Pencil } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { FamilyMap, MapNode } from '../../shared/model/map/family-map'
import { Tree } from '../family-tree/Tree'
import { treeRows } from '../family-tree/tree-rows'
import { useActions, useBranches, useMap, useSettings, useStores } from '../state/context'
import { comparedPoints, nodePlace, ownBeginning } from '../state/map-state'
import { focusOn } from '../ui/behaviour/focus'
import { useRem } from '../ui/behaviour/hooks'
import type { MenuEntry } from '../ui/controls/ContextMenu'
import { endOfSegment } from './drawing/hit'
import { mapCamera } from './drawing/map-camera'
import { textWidths } from './drawing/text-widths'
import { FilterBar } from './FilterBar'
import { MapCanvas } from './MapCanvas'
import { Minimap } from './Minimap'
import { mapKeys } from './map-keys'
import { NodeCard } from './NodeCard'
import { nodesOfSegment } from './node-texts'
import { useFilteredMap } from './use-filtered-map'
import { useMapScene } from './use-map-scene'
import { ZoomControls } from './ZoomControls'

/** The map and the tree of a family: one selection, one cursor. */
export function MapOfFamily(props: { readonly map: FamilyMap }) {
  const whole = props.map
  const { filtered, kept } = useFilteredMap(whole)
  const { map } = filtered
  const { map: store } = useStores()
  const { openAt, compareOnMap, editFrom } = useActions()
  const key = useMap((state) => state.key)
  const selected = useMap((state) => state.selected)
  const marked = useMap((state) => state.marked)
  const textZoom = useSettings(({ view }) => view?.preferences.textZoom ?? 1)
  const zoom = useRem(textZoom) / 16
  const cardId = useId()
  useEffect(() => {
    // What came late takes the focus that nothing else has.
    if (document.activeElement === document.body) focusOn('map')
  }, [])
  const stage = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<number>()
  const camera = useMemo(() => mapCamera(), [])
  useEffect(() => () => camera.close(), [camera])
  const widths = useMemo(() => textWidths(getComputedStyle(document.body).fontFamily), [])
  const drawn = useMapScene(map, widths)
  const leaf = map.nodes[map.conversations.find((one) => one.key === key)?.leaf ?? -1]?.id
  const labels = useBranches((state) => (state.key === key ? state.view?.labels : undefined))
  const collapsed = useMap((state) => state.collapsed)
  const rows = useMemo(
    () => treeRows(outsideCollapsed(map.nodes, collapsed, kept), leaf, labels),
    [map, collapsed, kept, leaf, labels],
  )
  const isListed = useMemo(() => new Set(rows.map(({ node }) => node.id)), [rows])
  const cursor = selected !== undefined && isListed.has(selected) ? selected : leaf
  const positions = useMemo(() => new Map(map.nodes.map(({ id }, i) => [id, i])), [map])

  const segmentOf = (node: string | undefined): number | undefined =>
    drawn?.scene.map === map ? drawn.segments.ofNode[positions.get(node ?? '') ?? -1] : undefined
  const here = segmentOf(cursor)
  const highlights = useMemo(
    () => ({ selected: here, hovered, marked: undefined as number | undefined }),
    [here, hovered],
  )
  const markedSegment = segmentOf(marked)
  const shownHighlights = useMemo(
    () => ({ ...highlights, marked: markedSegment }),
    [highlights, markedSegment],
  )

  const scene = drawn?.scene
  const mode = useMap((state) => state.mode)
  const straightKey = useMap((state) => state.straightKey)
  const filter = useMap((state) => state.filter)
  const hidden = useMap((state) => state.hidden)
  // biome-ignore lint/correctness/useExhaustiveDependencies: everything is elsewhere then
  useEffect(() => camera.restart(), [camera, mode, straightKey, filter, hidden])
  const isShown = useRef(false)
  useEffect(() => {
    if (scene === undefined) return
    camera.setExtent(scene.layout, endOfSegment(scene, scene.open))
    // The map is back, with a node selected that may be elsewhere.
    if (!isShown.current && here !== undefined) camera.reveal(endOfSegment(scene, here))
    isShown.current = true
  }, [scene, camera, here])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a node that is moved by another layout is not looked for
  useEffect(() => {
    if (scene !== undefined && here !== undefined) camera.reveal(endOfSegment(scene, here))
  }, [cursor, camera])

  const open = (node: MapNode | undefined) => {
    if (node === undefined || key === undefined) return
    const place = nodePlace(whole, key, node.id)
    if (place !== undefined) void openAt(place.key, { entry: place.entry })
  }
  const parentOf = (segment: number | undefined) =>
    scene?.segments[scene.segments[segment ?? -1]?.parent ?? -1]
  const isOfCollapsed = (segment: number) =>
    scene?.segments[segment]?.kind === 'fold' && collapsed.has(parentOf(segment)?.id ?? '')
  const nodeOf = (segment: number): MapNode | undefined => {
    if (scene === undefined || drawn === undefined) return undefined
    // The tree does not list what is collapsed: the node before it stands for it.
    if (isOfCollapsed(segment)) return scene.map.nodes[parentOf(segment)?.node ?? -1]
    return scene.map.nodes[nodesOfSegment(drawn.segments, segment)[0] ?? -1]
  }
  const toggleFold = (segment: number | undefined) => {
    const parent = parentOf(segment)
    if (parent === undefined || segment === undefined) return
    if (isOfCollapsed(segment)) store.getState().toggleCollapsed(parent.id)
    else store.getState().toggleFold(parent.id)
  }
  const toggleCollapsed = (node: MapNode | undefined) => {
    if (node !== undefined && map.nodes.some(({ parent }) => parent === node.id))
      store.getState().toggleCollapsed(node.id)
  }
  const hideBranch = (node: MapNode | undefined) => {
    if (node !== undefined && !kept.has(node.id)) store.getState().hideBranch(node.id)
  }
  const mark = (node: MapNode | undefined) => node && store.getState().mark(node.id)
  /** Returns how to compare the open conversation with B: with what is marked, else with the node. */
  const comparing = (node: MapNode | undefined) =>
    comparedPoints({ map: whole, key, marked }, node?.id) && (() => compareOnMap(node?.id))
  const editOf = (node: MapNode | undefined) => {
    const place =
      node === undefined || key === undefined ? undefined : ownBeginning(whole, key, node.id)
    return place && (() => void editFrom(place.key, place.entry))
  }
  const menuOf = (node: MapNode): readonly MenuEntry[] => {
    const edit = editOf(node)
    const compareBoth = comparing(node)
    return [
      { label: 'Open', icon: CornerUpLeft, keys: ['Enter'], onChoose: () => open(node) },
      ...(edit === undefined ? [] : [{ label: 'Edit', icon: Pencil, onChoose: edit }]),
      {
        label: node.id === marked ? 'Do not compare' : 'Mark as B',
        icon: GitCompare,
        keys: ['Space'],
        onChoose: () => mark(node),
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
    ]
  }
  const onKey = (event: KeyboardEvent, node: MapNode | undefined): boolean =>
    mapKeys(event, {
      camera,
      mark: () => mark(node),
      compare: () => comparing(node)?.(),
      toggleFold: () => toggleFold(here),
      toggleCollapsed: () => toggleCollapsed(node),
      hideBranch: () => hideBranch(node),
      showFull: () => scene && camera.showFull(endOfSegment(scene, here ?? scene.open)),
    })
  const card = hovered ?? here

  return (
    <>
      <FilterBar whole={whole} filtered={filtered} />
      <div className="map-body">
        <div ref={stage} className="map-stage">
          {scene !== undefined && drawn !== undefined && (
            <>
              <MapCanvas
                scene={scene}
                camera={camera}
                widths={widths}
                highlights={shownHighlights}
                onHover={setHovered}
                onSelect={(segment) => {
                  const node = nodeOf(segment)
                  if (node !== undefined) store.getState().select(node.id)
                  focusOn('map')
                }}
                onOpen={(segment) =>
                  scene.segments[segment]?.kind === 'fold'
                    ? toggleFold(segment)
                    : open(nodeOf(segment))
                }
              />
              <Minimap scene={scene} camera={camera} />
              <ZoomControls
                camera={camera}
                onFull={() => camera.showFull(endOfSegment(scene, here ?? scene.open))}
              />
              {card !== undefined && (
                <NodeCard
                  key={`${scene.segments[card]?.id} ${card === here}`}
                  id={cardId}
                  scene={scene}
                  segments={drawn.segments}
                  camera={camera}
                  segment={card}
                  isSelected={card === here}
                  isMarked={markedSegment === card}
                  stage={stage}
                  zoom={zoom}
                  onOpen={() => open(nodeOf(card))}
                  onMark={() => mark(nodeOf(card))}
                  onCompare={marked === undefined ? undefined : comparing(undefined)}
                  onEdit={editOf(nodeOf(card))}
                  onFold={() => toggleFold(card)}
                  whole={whole}
                  origins={filtered.origins}
                  isCollapsed={collapsed.has(nodeOf(card)?.id ?? '')}
                  onCollapse={
                    map.nodes.some(({ parent }) => parent === nodeOf(card)?.id)
                      ? () => toggleCollapsed(nodeOf(card))
                      : undefined
                  }
                  onHide={
                    kept.has(nodeOf(card)?.id ?? '') ? undefined : () => hideBranch(nodeOf(card))
                  }
                />
              )}
              {whole.nodes.length === 1 && (
                <p className="map-hint t3 small">
                  No branches yet. Press B at a message of the transcript to make one.
                </p>
              )}
            </>
          )}
        </div>
        <section className="map-side" aria-label="Branches">
          {key !== undefined && (
            <Tree
              rows={rows}
              contextKey={key}
              selected={cursor}
              onSelect={(node) => store.getState().select(node.id)}
              onGo={open}
              onKey={onKey}
              badge={(node) =>
                badgeOf(node, leaf, marked) ?? (collapsed.has(node.id) ? collapsedBadge : undefined)
              }
              describedBy={cardId}
              focus="map"
              menuOf={menuOf}
            />
          )}
        </section>
      </div>
    </>
  )
}

/** Nodes without those after a collapsed one; the open path stays. */
function outsideCollapsed(
  nodes: readonly MapNode[],
  collapsed: ReadonlySet<string>,
  kept: ReadonlySet<string>,
): readonly MapNode[] {
  if (collapsed.size === 0) return nodes
  const folded = new Set<string>()
  return nodes.filter(({ id, parent }) => {
    const isUnder = parent !== null && (collapsed.has(parent) || folded.has(parent))
    if (!isUnder || kept.has(id)) return true
    folded.add(id)
    return false
  })
}

const collapsedBadge = {
  shown: (
    <span className="t3" aria-hidden="true">
      …
    </span>
  ),
  said: 'branches folded',
}

/** A and B at the rows that are compared. */
function badgeOf(node: MapNode, leaf: string | undefined, marked: string | undefined) {
  if (marked === undefined || (node.id !== leaf && node.id !== marked)) return undefined
  const letter = node.id === marked ? 'B' : 'A'
  const shown = (
    // The row's name says it; the letter is drawn by the style.
    <span className="map-badge" data-letter={letter} aria-hidden="true" />
  )
  return { shown, said: `compared as ${letter}` }
}
