import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { FamilyMap, MapNode } from '../../shared/model/map/family-map'
import { Tree } from '../family-tree/Tree'
import { treeRows } from '../family-tree/tree-rows'
import { useActions, useBranches, useMap, useSettings, useStores } from '../state/context'
import { nodePlace } from '../state/map-state'
import { focusOn } from '../ui/behaviour/focus'
import { useRem } from '../ui/behaviour/hooks'
import { endOfSegment } from './drawing/hit'
import { mapCamera } from './drawing/map-camera'
import { textWidths } from './drawing/text-widths'
import { MapCanvas } from './MapCanvas'
import { Minimap } from './Minimap'
import { mapKeys } from './map-keys'
import { NodeCard } from './NodeCard'
import { nodesOfSegment } from './node-texts'
import { useMapScene } from './use-map-scene'
import { ZoomControls } from './ZoomControls'

/** The map and the tree of a family: one selection, one cursor. */
export function MapOfFamily(props: { readonly map: FamilyMap }) {
  const { map } = props
  const { map: store } = useStores()
  const { openAt } = useActions()
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
  const rows = useMemo(() => treeRows(map.nodes, leaf, labels), [map, leaf, labels])
  const cursor = selected ?? leaf
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: everything is elsewhere then
  useEffect(() => camera.restart(), [camera, mode, straightKey])
  useEffect(() => {
    if (scene !== undefined) camera.setExtent(scene.layout, endOfSegment(scene, scene.open))
  }, [scene, camera])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a node that is moved by another layout is not looked for
  useEffect(() => {
    if (scene !== undefined && here !== undefined) camera.reveal(endOfSegment(scene, here))
  }, [cursor, camera])

  const open = (node: MapNode | undefined) => {
    if (node === undefined || key === undefined) return
    const place = nodePlace(map, key, node.id)
    if (place !== undefined) void openAt(place.key, { entry: place.entry })
  }
  const nodeOf = (segment: number): MapNode | undefined =>
    drawn === undefined ? undefined : map.nodes[nodesOfSegment(drawn.segments, segment)[0] ?? -1]
  const toggleFold = (segment: number | undefined) => {
    const parent = scene?.segments[scene.segments[segment ?? -1]?.parent ?? -1]
    if (parent !== undefined) store.getState().toggleFold(parent.id)
  }
  const mark = (node: MapNode | undefined) => node && store.getState().mark(node.id)
  const onKey = (event: KeyboardEvent, node: MapNode | undefined): boolean =>
    mapKeys(event, {
      camera,
      mark: () => mark(node),
      toggleFold: () => toggleFold(here),
      showFull: () => scene && camera.showFull(endOfSegment(scene, here ?? scene.open)),
    })
  const card = hovered ?? here

  return (
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
                onFold={() => toggleFold(card)}
              />
            )}
            {rows.length === 1 && (
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
            badge={(node) => badgeOf(node, leaf, marked)}
            describedBy={cardId}
            focus="map"
          />
        )}
      </section>
    </div>
  )
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
