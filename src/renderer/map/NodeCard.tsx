import {
  EyeOff,
  FoldHorizontal,
  GitCompare,
  GitCompareArrows,
  ListTree,
  Pencil,
  UnfoldHorizontal,
} from 'lucide-react'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { type FactSums, sumFacts } from '../../shared/model/map/fact-sums'
import type { FamilyMap } from '../../shared/model/map/family-map'
import { formatDollars, formatShortCount } from '../models/model-labels'
import { useMap, useStores } from '../state/context'
import { focusOn } from '../ui/behaviour/focus'
import { Button, IconButton } from '../ui/controls/Button'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatCount, formatQuantity, formatTimeRange, listTime } from '../ui/format/format'
import { endOfSegment } from './drawing/hit'
import type { MapCamera } from './drawing/map-camera'
import type { MapScene } from './drawing/scene'
import type { LaidSegments } from './layout/map-segments'
import { nodesOfSegment } from './node-texts'

/** Pause before the first lines of a node are read, in ms: a pointer passes many. */
const restMs = 120

/** Properties of `NodeCard`. */
interface NodeCardProps {
  readonly id: string
  readonly scene: MapScene
  readonly segments: LaidSegments
  readonly camera: MapCamera
  readonly segment: number
  /** The card of the selected node has buttons; that of a node under the pointer lets the pointer through. */
  readonly isSelected: boolean
  readonly stage: RefObject<HTMLDivElement | null>
  readonly zoom: number
  readonly onOpen: () => void
  readonly onMark: () => void
  /** Compares the open branch with B; undefined where nothing is marked. */
  readonly onCompare: (() => void) | undefined
  /** Undefined where the node does not begin with an own message. */
  readonly onEdit: (() => void) | undefined
  readonly onFold: () => void
  readonly isMarked: boolean
  /** The family without a filter, and where the nodes of the scene are in it: the card is of all of a node. */
  readonly whole: FamilyMap
  readonly origins: readonly number[]
  readonly isCollapsed: boolean
  /** Undefined where nothing comes after the node. */
  readonly onCollapse: (() => void) | undefined
  /** Undefined on the open path. */
  readonly onHide: (() => void) | undefined
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
        <NodeText {...props} all={facts.entries} />
      )}
      <Facts facts={facts} />
      {isSelected && (
        <div className="map-card-acts">
          {shown.kind === 'fold' ? (
            <Button isSmall icon={ListTree} keys={['*']} onClick={props.onFold}>
              Show all
            </Button>
          ) : (
            <>
              <Button isSmall keys={['Enter']} onClick={props.onOpen}>
                Open
              </Button>
              {props.onEdit !== undefined && (
                <Button isSmall kind="ghost" icon={Pencil} onClick={props.onEdit}>
                  Edit
                </Button>
              )}
              <Button
                isSmall
                kind="ghost"
                icon={GitCompare}
                keys={['Space']}
                onClick={props.onMark}
              >
                {props.isMarked ? 'Do not compare' : 'Mark as B'}
              </Button>
              {props.onCompare !== undefined && (
                <Button
                  isSmall
                  kind="primary"
                  icon={GitCompareArrows}
                  keys={['Shift', 'Enter']}
                  onClick={props.onCompare}
                >
                  Compare A with B
                </Button>
              )}
              <span className="grow" />
              {props.onCollapse !== undefined && (
                <IconButton
                  label={
                    props.isCollapsed ? 'Show the branches after it' : 'Fold the branches after it'
                  }
                  keys={['.']}
                  size="medium"
                  icon={props.isCollapsed ? UnfoldHorizontal : FoldHorizontal}
                  onClick={props.onCollapse}
                />
              )}
              {props.onHide !== undefined && (
                <IconButton
                  label="Hide branch"
                  keys={['Del']}
                  size="medium"
                  icon={EyeOff}
                  onClick={() => {
                    props.onHide?.()
                    focusOn('map')
                  }}
                />
              )}
            </>
          )}
        </div>
      )}
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

function NodeText(props: NodeCardProps & { readonly all: number }) {
  const { scene, segment, all } = props
  const { map } = useStores()
  const shown = scene.segments[segment]
  const node = scene.map.nodes[shown?.node ?? -1]
  const preview = useMap(({ previews }) => previews.get(node?.id ?? ''))
  const isRested = useRested(node?.id)
  useEffect(() => {
    if (isRested && node !== undefined) void map.getState().preview(node.id)
  }, [isRested, node, map])
  if (node === undefined || shown === undefined) return null
  const isLeaf = (scene.layout.next[segment] ?? -1) < 0
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
          <span className="t3 small number">{listTime(preview.ms, Date.now())}</span>
        )}
        <span className="t3 small number map-card-kind">
          {shown.kind === 'subagent' ? 'sub-agent, ' : isLeaf ? 'leaf, ' : ''}
          {shown.entries === all ? '' : `${formatCount(shown.entries)} of `}
          {formatQuantity(all, 'entry', 'entries')}
        </span>
      </div>
      <p className="map-card-text">{visibleText(preview?.text || scene.labels[segment] || '')}</p>
    </>
  )
}

function Facts({ facts }: { readonly facts: FactSums }) {
  const { firstMs, lastMs } = facts
  return (
    <dl className="map-card-facts">
      {firstMs !== undefined && lastMs !== undefined && (
        <Fact name="Time">{formatTimeRange(firstMs, lastMs)}</Fact>
      )}
      {facts.models.length > 0 && <Fact name="Models">{visibleText(facts.models.join(', '))}</Fact>}
      {facts.tokens > 0 && (
        <Fact name="Tokens">
          {formatShortCount(facts.input)} in, {formatShortCount(facts.output)} out
        </Fact>
      )}
      {facts.cost !== undefined && <Fact name="Cost">{formatDollars(facts.cost)}</Fact>}
      {facts.calls > 0 && (
        <Fact name="Tools">
          {facts.tools
            .slice(0, 3)
            .map(([name, calls]) => `${visibleText(name)} ${formatCount(calls)}`)
            .join(', ')}
          {facts.tools.length > 3 && `, ${formatQuantity(facts.tools.length - 3, 'more', 'more')}`}
        </Fact>
      )}
      {facts.failures > 0 && (
        <Fact name="Failed">
          <span className="err-t">{formatQuantity(facts.failures, 'tool call')}</span>
        </Fact>
      )}
      {facts.compactions > 0 && (
        <Fact name="Compacted">{formatQuantity(facts.compactions, 'time')}</Fact>
      )}
    </dl>
  )
}

function Fact(props: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
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
    // Below the note under the line, or above its label.
    const gap = 28
    const left = Math.max(8, Math.min(x - gap, room.clientWidth - element.offsetWidth - 8))
    const isBelow = y + gap + element.offsetHeight <= room.clientHeight - 8
    const isAbove = y - gap - element.offsetHeight >= 8
    const top = isBelow || !isAbove ? y + gap : y - gap - element.offsetHeight
    const lowest = Math.max(8, room.clientHeight - element.offsetHeight - 8)
    // A node that was moved out of view takes its card along.
    const isSeen = x > -gap && y > -gap && x < room.clientWidth + gap && y < room.clientHeight + gap
    element.style.visibility = isSeen ? 'visible' : 'hidden'
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(Math.max(8, Math.min(top, lowest)))}px)`
  })
}
