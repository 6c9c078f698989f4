import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { FamilyMap, MapNode } from '../../shared/model/map/family-map'
import { Tree } from '../family-tree/Tree'
import { treeRows } from '../family-tree/tree-rows'
import { useBranches, useMap, useMapSearch, useSettings, useStores } from '../state/context'
import { focusOn } from '../ui/behaviour/focus'
import { useRem } from '../ui/behaviour/hooks'
import { endOfSegment } from './drawing/hit'
import { textWidths } from './drawing/text-widths'
import { FilterBar } from './FilterBar'
import { nodesOfSegment } from './layout/map-segments'
import { MapCanvas } from './MapCanvas'
import { Minimap } from './Minimap'
import { mapKeys } from './map-keys'
import { NodeCard } from './NodeCard'
import { hitsOfSegment } from './painting/drawn-hits'
import { HeatLegend } from './painting/HeatLegend'
import { useHitSteps } from './painting/use-hit-steps'
import { usePainting, useShownHits } from './painting/use-painting'
import { useRowFacts } from './painting/use-row-facts'
import { rowBadge } from './row-badges'
import { pointOfHit, useCameraMoves, useMapCamera } from './use-camera-moves'
import { useFilteredMap } from './use-filtered-map'
import { useMapScene } from './use-map-scene'
import { useNodeActions } from './use-node-actions'
import { ZoomControls } from './ZoomControls'

/** The map and the tree of a family: one selection, one cursor. */
export function MapOfFamily(props: { readonly map: FamilyMap }) {
  const whole = props.map
  const { filtered, openPath, kept } = useFilteredMap(whole)
  const { map } = filtered
  const { map: store } = useStores()
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
  const camera = useMapCamera()
  const widths = useMemo(() => textWidths(getComputedStyle(document.body).fontFamily), [])
  const drawn = useMapScene(filtered, widths)
  const scene = drawn?.scene
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
    drawn?.filtered === filtered
      ? drawn.segments.ofNode[positions.get(node ?? '') ?? -1]
      : undefined
  const here = segmentOf(cursor)
  const markedSegment = segmentOf(marked)
  const highlights = useMemo(
    () => ({ selected: here, hovered, marked: markedSegment }),
    [here, hovered, markedSegment],
  )

  const shown = useShownHits(whole, filtered, openPath)
  const step = useHitSteps(whole, shown, cursor)
  const current = useMapSearch((state) => state.current)
  const { painting, heat, hits } = usePainting(whole, drawn, openPath)
  const spot = painting.hits?.current
  useCameraMoves(camera, scene, { cursor, here, hit: spot })
  const factsOf = useRowFacts(whole, filtered, shown, isListed)

  const actions = useNodeActions(whole, map, kept)
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
  const selectSegment = (segment: number) => {
    const node = nodeOf(segment)
    if (node !== undefined) store.getState().select(node.id)
    focusOn('map')
  }
  const toggleFold = (segment: number | undefined) => {
    const parent = parentOf(segment)
    if (parent === undefined || segment === undefined) return
    if (isOfCollapsed(segment)) store.getState().toggleCollapsed(parent.id)
    else store.getState().toggleFold(parent.id)
  }
  /** Opens a node: at the hit that was reached last, where that is in it. */
  const open = (node: MapNode | undefined) => {
    const isHere = current !== undefined && whole.nodes[current.node]?.id === node?.id
    actions.open(node, isHere ? current : undefined)
  }
  const showFull = () =>
    scene !== undefined && camera.showFull(endOfSegment(scene, here ?? scene.open))
  const onKey = (event: KeyboardEvent, node: MapNode | undefined): boolean =>
    mapKeys(event, {
      camera,
      mark: () => actions.mark(node),
      compare: () => actions.comparing(node)?.(),
      toggleFold: () => toggleFold(here),
      toggleCollapsed: () => actions.toggleCollapsed(node),
      hideBranch: () => actions.hideBranch(node),
      showFull,
    })
  const card = hovered ?? here

  return (
    <>
      <FilterBar whole={whole} filtered={filtered} hits={shown} onStep={step} />
      <div className="map-body">
        <div ref={stage} className="map-stage">
          {scene !== undefined && drawn !== undefined && (
            <>
              <MapCanvas
                scene={scene}
                camera={camera}
                widths={widths}
                highlights={highlights}
                painting={painting}
                onHover={setHovered}
                onSelect={selectSegment}
                onOpen={(segment) =>
                  scene.segments[segment]?.kind === 'fold'
                    ? toggleFold(segment)
                    : open(nodeOf(segment))
                }
              />
              <Minimap scene={scene} camera={camera} hits={painting.hits} />
              <ZoomControls camera={camera} onFull={showFull} />
              {heat !== undefined && (
                <HeatLegend
                  heat={heat}
                  onGo={(segment) => {
                    selectSegment(segment)
                    camera.showFull(endOfSegment(scene, segment))
                  }}
                />
              )}
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
                  hits={hits && hitsOfSegment(hits, drawn.filtered, drawn.segments, card)}
                  hitPoint={spot?.segment === card ? pointOfHit(scene, spot) : undefined}
                  labels={painting.labels.get(card)}
                  onOpen={() => open(nodeOf(card))}
                  onMark={() => actions.mark(nodeOf(card))}
                  onCompare={marked === undefined ? undefined : actions.comparing(undefined)}
                  onEdit={actions.editing(nodeOf(card))}
                  onFold={() => toggleFold(card)}
                  whole={whole}
                  origins={drawn.filtered.origins}
                  isCollapsed={collapsed.has(nodeOf(card)?.id ?? '')}
                  onCollapse={
                    actions.hasBranches(nodeOf(card))
                      ? () => actions.toggleCollapsed(nodeOf(card))
                      : undefined
                  }
                  onHide={
                    kept.has(nodeOf(card)?.id ?? '')
                      ? undefined
                      : () => actions.hideBranch(nodeOf(card))
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
                rowBadge(node, {
                  ...factsOf(node.id),
                  leaf,
                  marked,
                  isCollapsed: collapsed.has(node.id),
                })
              }
              describedBy={cardId}
              focus="map"
              menuOf={actions.menuOf}
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
