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
import type { PaintedHit } from '../../shared/model/map/painted-hits'
import { useMap, useMapSearch, useStores } from '../state/context'
import { LabelPill } from '../ui/controls/LabelPill'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatQuantity, listTime } from '../ui/format/format'
import { CardActions, type CardActs } from './CardActions'
import { CardFacts, entriesText } from './CardFacts'
import type { MapPoint } from './drawing/camera'
import { cardPlace } from './drawing/card-place'
import type { DrawnLabel } from './drawing/drawing'
import { endOfSegment } from './drawing/hit'
import type { MapCamera } from './drawing/map-camera'
import type { MapScene } from './drawing/scene'
import { type LaidSegments, nodesOfSegment } from './layout/map-segments'
import { HitText } from './painting/HitText'

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
  /** Hits of the search under the segment, in order; the card shows the one that was reached, else the first. */
  readonly hits: readonly PaintedHit[] | undefined
  /** Where the hit is that was reached last, in px at 100 %: the card stands there. */
  readonly hitPoint: MapPoint | undefined
  /** Labels of entries of the node. */
  readonly labels: readonly DrawnLabel[] | undefined
}

/** Card of a node, beside its end: who said what and when, and what it took. */
export function NodeCard(props: NodeCardProps) {
  const { scene, segments, segment, isSelected } = props
  const card = useRef<HTMLDivElement>(null)
  usePlace(card, props)
  const hit = useShownHit(props.hits)
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
        <NodeText {...props} isShort={hit !== undefined} />
      )}
      {hit !== undefined && <HitText {...hit} />}
      {props.labels !== undefined && <CardLabels labels={props.labels} />}
      <CardFacts facts={facts} kind={entriesText(scene, segment, facts.entries)} />
      {isSelected && <CardActions {...props} isFold={shown.kind === 'fold'} />}
    </div>
  )
}

/** Most labels of a card. */
const mostLabels = 4

function CardLabels({ labels }: { readonly labels: readonly DrawnLabel[] }) {
  return (
    <p className="map-card-labels">
      <span className="unseen">labelled</span>
      {labels.slice(0, mostLabels).map((label, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two entries may have the same label
        <LabelPill key={i} label={label} />
      ))}
      {labels.length > mostLabels && (
        <span className="t3 small number">
          {formatQuantity(labels.length - mostLabels, 'more', 'more')}
        </span>
      )}
    </p>
  )
}

/** The hit that was reached last where it is here, else the first; undefined without hits. */
function useShownHit(hits: readonly PaintedHit[] | undefined) {
  const current = useMapSearch((state) => state.current)
  if (hits === undefined || hits.length === 0) return undefined
  const place = Math.max(0, current === undefined ? 0 : hits.indexOf(current))
  const hit = hits[place]
  return hit && { hit, place: place + 1, count: hits.length }
}

function FoldText({ scene, segment }: { readonly scene: MapScene; readonly segment: number }) {
  const shown = scene.segments[segment]
  return (
    <p className="map-card-text">
      {formatQuantity(shown?.folded ?? 0, 'branch is', 'branches are')} folded here.
    </p>
  )
}

function NodeText(props: NodeCardProps & { readonly isShort: boolean }) {
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
      <p className={`map-card-text ${props.isShort ? 'short' : ''}`}>
        {visibleText(preview?.text || scene.labels[segment] || '')}
      </p>
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
    const end = props.hitPoint ?? endOfSegment(scene, segment)
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
