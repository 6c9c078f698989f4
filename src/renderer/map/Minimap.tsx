import { type PointerEvent, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { mapSizes } from '../../shared/model/map/layout-shape'
import type { MapPoint } from './drawing/camera'
import { strokePath } from './drawing/draw-lines'
import type { DrawnHits } from './drawing/drawing'
import type { MapCamera } from './drawing/map-camera'
import type { MapScene } from './drawing/scene'
import { followTheme, readTheme } from './drawing/theme'

/** Size of the small picture, in px. */
const width = 208
const height = 88
const margin = 6

/**
 * Small picture of all of the map, with a frame around what is in view; a press or a drag goes there. It is away while
 * everything is in view. Keys move the map itself, so it is no stop of the focus.
 */
export function Minimap(props: {
  readonly scene: MapScene
  readonly camera: MapCamera
  readonly hits: DrawnHits | undefined
}) {
  const { scene, camera, hits } = props
  const { view, size, isAllInView } = useSyncExternalStore(camera.subscribe, camera.get)
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const scale = scaleOf(scene)

  useEffect(() => {
    const element = canvas.current
    if (isAllInView || element === null) return
    drawSmall(element, scene, hits)
    return followTheme(() => drawSmall(element, scene, hits))
  }, [scene, hits, isAllInView])
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const left = margin + (-view.x / view.kx) * scale.kx
    const top = margin + (-view.y / view.ky - scene.layout.top * mapSizes.pitch) * scale.ky
    const right = left + (size.width / view.kx) * scale.kx
    const bottom = top + (size.height / view.ky) * scale.ky
    const clamp = (at: number, most: number) => Math.max(1, Math.min(most - 1, at))
    element.style.left = `${clamp(left, width)}px`
    element.style.top = `${clamp(top, height)}px`
    element.style.width = `${Math.max(4, clamp(right, width) - clamp(left, width))}px`
    element.style.height = `${Math.max(4, clamp(bottom, height) - clamp(top, height))}px`
  })
  if (isAllInView) return null

  const go = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect()
    const point: MapPoint = {
      x: (((clientX - box.left) / box.width) * width - margin) / scale.kx,
      y:
        (((clientY - box.top) / box.height) * height - margin) / scale.ky +
        scene.layout.top * mapSizes.pitch,
    }
    camera.centre(point)
  }
  return (
    <div
      className="minimap"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        go(event)
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event)}
    >
      <canvas ref={canvas} style={{ width, height }} />
      <div ref={frame} className="minimap-frame" />
    </div>
  )
}

function scaleOf({ layout }: MapScene) {
  const high = (layout.bottom - layout.top) * mapSizes.pitch
  return {
    kx: (width - 2 * margin) / Math.max(1, layout.width),
    ky: (height - 2 * margin) / Math.max(mapSizes.pitch, high),
  }
}

function drawSmall(element: HTMLCanvasElement, scene: MapScene, hits: DrawnHits | undefined): void {
  const context = element.getContext('2d')
  if (context === null) return
  const ratio = window.devicePixelRatio
  element.width = Math.round(width * ratio)
  element.height = Math.round(height * ratio)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  const theme = readTheme(element)
  const { layout, segments, colours, last } = scene
  const { kx, ky } = scaleOf(scene)
  const xAt = (x: number) => margin + x * kx
  const yOf = (segment: number) =>
    margin + ((layout.lane[segment] ?? 0) - layout.top) * mapSizes.pitch * ky
  const lines = theme.lanes.map(() => new Path2D())
  for (const first of scene.branches) {
    const line = lines[colours[first] ?? 0]
    const parent = Math.max(0, segments[first]?.parent ?? 0)
    const x = xAt(layout.x0[first] ?? 0)
    line?.moveTo(x, yOf(parent))
    line?.lineTo(x, yOf(first))
    line?.lineTo(xAt(layout.x1[last[first] ?? first] ?? 0), yOf(first))
  }
  for (const colour of [0, 6, 5, 4, 3, 2, 1]) {
    context.strokeStyle = theme.lanes[colour] ?? ''
    context.lineWidth = colour === 1 ? 1.5 : 1
    const path = lines[colour]
    if (path !== undefined) context.stroke(path)
  }
  if (hits === undefined) return
  const marks = new Path2D()
  hits.ofSegment.forEach((count, segment) => {
    if (count > 0) marks.rect(xAt(layout.x1[segment] ?? 0) - 1.5, yOf(segment) - 1.5, 3, 3)
  })
  strokePath(context, marks, theme.onMark, 1.5)
  context.fillStyle = theme.mark
  context.fill(marks)
}
