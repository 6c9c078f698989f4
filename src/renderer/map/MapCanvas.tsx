import { type MouseEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { useSettings } from '../state/context'
import { useRem } from '../ui/behaviour/hooks'
import { drawMap } from './drawing/draw-map'
import type { Highlights, Painting } from './drawing/drawing'
import { endOfSegment, segmentAt } from './drawing/hit'
import type { MapCamera } from './drawing/map-camera'
import type { MapScene } from './drawing/scene'
import type { TextWidths } from './drawing/text-widths'
import { followTheme, type MapTheme, readTheme } from './drawing/theme'
import { useMapPointer } from './use-map-pointer'

/** Properties of `MapCanvas`. */
interface MapCanvasProps {
  readonly scene: MapScene
  readonly camera: MapCamera
  readonly widths: TextWidths
  readonly highlights: Highlights
  readonly painting: Painting
  readonly onHover: (segment: number | undefined) => void
  readonly onSelect: (segment: number) => void
  readonly onOpen: (segment: number) => void
}

/**
 * Canvas of the map: draws what the camera shows, at the resolution of the screen. The wheel moves it, with Ctrl (or a
 * pinch) it zooms, with Alt along the lines alone; a press selects, a double press opens.
 */
export function MapCanvas(props: MapCanvasProps) {
  const { scene, camera } = props
  const textZoom = useSettings(({ view }) => view?.preferences.textZoom ?? 1)
  const zoom = useRem(textZoom) / 16
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useRef<MapTheme>(undefined)
  const frame = useRef<number>(undefined)
  const latest = useRef({ ...props, zoom })
  latest.current = { ...props, zoom }

  const redraw = useRef(() => {
    if (frame.current !== undefined) return
    frame.current = requestAnimationFrame(() => {
      frame.current = undefined
      const element = canvas.current
      if (element !== null) drawCanvas(element, latest.current, theme)
    })
  }).current

  // biome-ignore lint/correctness/useExhaustiveDependencies: everything that is drawn
  useLayoutEffect(redraw, [scene, props.highlights, props.painting, props.widths, zoom])
  useEffect(() => camera.subscribe(redraw), [camera, redraw])
  useLayoutEffect(() => {
    const element = canvas.current
    if (element === null) return
    const measure = () => {
      const { scene: shown, highlights } = latest.current
      const looked =
        highlights.selected === undefined ? undefined : endOfSegment(shown, highlights.selected)
      camera.resize(
        { width: element.clientWidth / zoom, height: element.clientHeight / zoom },
        looked,
      )
      redraw()
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    const endTheme = followTheme(() => {
      theme.current = undefined
      redraw()
    })
    // A window that goes to another screen has another resolution.
    window.addEventListener('resize', redraw)
    return () => {
      observer.disconnect()
      endTheme()
      window.removeEventListener('resize', redraw)
    }
  }, [camera, zoom, redraw])
  useEffect(
    () => () => {
      if (frame.current !== undefined) cancelAnimationFrame(frame.current)
      frame.current = undefined
    },
    [],
  )

  const placeOf = ({
    clientX,
    clientY,
  }: {
    readonly clientX: number
    readonly clientY: number
  }) => {
    const box = canvas.current?.getBoundingClientRect()
    return { px: (clientX - (box?.left ?? 0)) / zoom, py: (clientY - (box?.top ?? 0)) / zoom }
  }
  const hit = (event: { readonly clientX: number; readonly clientY: number }) => {
    const { px, py } = placeOf(event)
    return segmentAt(scene, camera.get().view, px, py)
  }
  const pointer = useMapPointer({ camera, canvas, zoom, placeOf })
  const onPress = (event: MouseEvent) => {
    const segment = pointer.wasMoved() ? undefined : hit(event)
    if (segment !== undefined) props.onSelect(segment)
  }

  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas takes no focus; the tree says what it shows
    <canvas
      ref={canvas}
      className={`map-canvas ${props.highlights.hovered === undefined ? '' : 'over'}`}
      aria-hidden="true"
      {...pointer.handlers}
      onMouseMove={(event) => props.onHover(pointer.isMoving() ? undefined : hit(event))}
      onMouseLeave={() => props.onHover(undefined)}
      onClick={onPress}
      onDoubleClick={(event) => {
        const segment = hit(event)
        if (segment !== undefined) props.onOpen(segment)
      }}
    />
  )
}

function drawCanvas(
  element: HTMLCanvasElement,
  props: MapCanvasProps & { readonly zoom: number },
  theme: { current: MapTheme | undefined },
): void {
  const context = element.getContext('2d', { alpha: false })
  if (context === null) return
  const { scene, camera, widths, highlights, painting, zoom } = props
  const { view, size } = camera.get()
  const ratio = zoom * window.devicePixelRatio
  const width = Math.max(1, Math.round(size.width * ratio))
  const height = Math.max(1, Math.round(size.height * ratio))
  if (element.width !== width) element.width = width
  if (element.height !== height) element.height = height
  theme.current ??= readTheme(element)
  const drawing = { context, scene, view, size, ratio, widths, highlights, painting }
  drawMap({ ...drawing, theme: theme.current })
  // For whoever waits until what was asked for is drawn.
  element.dataset.drawn = `${scene.segments.length} ${view.x} ${view.y} ${view.kx} ${view.ky}`
}
