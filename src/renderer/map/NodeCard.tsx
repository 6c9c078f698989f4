import {
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { sumFacts } from '../../shared/model/map/fact-sums'
import type { FamilyMap } from '../../shared/model/map/family-map'
import { useMap, useStores } from '../state/context'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatQuantity, listTime } from '../ui/format/format'
import { CardActions, type CardActs } from './CardActions'
import { CardFacts, entriesText } from './CardFacts'
import { cardPlace } from './drawing/card-place'
import { endOfSegment } from './drawing/hit'
import type { MapCamera } from './drawing/map-camera'
import type { MapScene } from './drawing/scene'
import type { LaidSegments } from './layout/map-segments'
import { nodesOfSegment } from './node-texts'

/** Pause before the first lines of a node are read, in ms: a pointer passes many. */
const restMs = 120
/** Farthest outside of the map that the end of a node is and still has its card, in pixels. */
const outside = 28

/** Properties of `NodeCard`. */
interface NodeCardProps extends CardActs {
  readonly id: string
  readonly scene: MapScene
  readonly segments: LaidSegments
  readonly camera: MapCamera
  readonly segment: number
  /** The card of the selected node has buttons; that of a node under the pointer lets the pointer through. */
  readonly isSelected: boolean
  readonly stage: RefObject<HTMLDivElement | null>
  readonly zoom: number
  /** The family without a filter, and where the nodes of the scene are in it: the card is of all of a node. */
  readonly whole: FamilyMap
  readonly origins: readonly number[]
}

/** Card of a node, beside its end: who said what and when, and what it took. */
export function NodeCard(props: NodeCardProps) {
  const { scene, segments, segment, isSelected } = props
  const card = useRef<HTMLDivElement>(null)
  usePlace(card, props)
  const shown = scene.segments[segment]
  if (shown === undefined || shown.kind === 'roots') return null
  const nodes = nodesOfSegment(segments, segment).map((node) => props.origins[node] ?? node)
  const facts = sumFacts(props.whole.facts, nodes)
  return (
    <div
      ref={card}
      id={props.id}
      className={`map-card ${isSelected ? 'selected' : ''}`}
      data-node={shown.id}
    >
      {shown.kind === 'fold' ? (
        <FoldText scene={scene} segment={segment} />
      ) : (
        <NodeText {...props} />
      )}
      <CardFacts facts={facts} kind={entriesText(scene, segment, facts.entries)} />
      {isSelected && <CardActions {...props} isFold={shown.kind === 'fold'} />}
    </div>
  )
}

function FoldText({ scene, segment }: { readonly scene: MapScene; readonly segment: number }) {
  const shown = scene.segments[segment]
  return (
    <p className="map-card-text">
      {formatQuantity(shown?.folded ?? 0, 'branch is', 'branches are')} folded here.
    </p>
  )
}

function NodeText(props: NodeCardProps) {
  const { scene, segment } = props
  const { map } = useStores()
  const shown = scene.segments[segment]
  const node = scene.map.nodes[shown?.node ?? -1]
  const preview = useMap(({ previews }) => previews.get(node?.id ?? ''))
  const isRested = useRested(node?.id)
  useEffect(() => {
    if (isRested && node !== undefined) void map.getState().preview(node.id)
  }, [isRested, node, map])
  if (node === undefined || shown === undefined) return null
  const who =
    preview === undefined || preview.who === 'user'
      ? 'You'
      : preview.who === 'agent'
        ? (preview.model ?? 'Model')
        : 'System'
  return (
    <>
      <div className="map-card-head">
        <SourceMark source={node.source} />
        <b className="strong cut">{visibleText(who)}</b>
        {preview?.ms !== undefined && (
          <span className="t3 small number map-card-time">{listTime(preview.ms, Date.now())}</span>
        )}
      </div>
      <p className="map-card-text">{visibleText(preview?.text || scene.labels[segment] || '')}</p>
    </>
  )
}

/** True once the node has been the same for a moment. */
function useRested(node: string | undefined): boolean {
  const [rested, setRested] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setRested(node), restMs)
    return () => clearTimeout(timer)
  }, [node])
  return rested === node
}

/** Puts the card beside the end of its node, inside of the stage, and moves it with the camera. */
function usePlace(card: RefObject<HTMLDivElement | null>, props: NodeCardProps): void {
  const { scene, camera, segment, stage, zoom } = props
  const { view } = useSyncExternalStore(camera.subscribe, camera.get)
  useLayoutEffect(() => {
    const element = card.current
    const room = stage.current
    if (element === null || room === null) return
    const end = endOfSegment(scene, segment)
    const x = (end.x * view.kx + view.x) * zoom
    const y = (end.y * view.ky + view.y) * zoom
    const { left, top } = cardPlace(
      { x, y },
      { width: element.offsetWidth, height: element.offsetHeight },
      { width: room.clientWidth, height: room.clientHeight },
    )
    // A node that was moved out of view takes its card along.
    const isSeen =
      x > -outside &&
      y > -outside &&
      x < room.clientWidth + outside &&
      y < room.clientHeight + outside
    element.style.visibility = isSeen ? 'visible' : 'hidden'
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`
  })
}
