import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import type { MapCamera } from './drawing/map-camera'

/** Distance that a press may move and still is one, in px. */
const pressSlack = 4
/** A notch of a wheel, in px, and how much it zooms. */
const wheelZoom = 1.0018
/** Height of a line, for wheels that count lines. */
const linePx = 16

/** Pointer of the map's canvas. */
interface MapPointer {
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void
    readonly onPointerMove: (event: PointerEvent) => void
    readonly onPointerUp: (event: PointerEvent) => void
    readonly onPointerCancel: (event: PointerEvent) => void
  }
  /** The map is being dragged. */
  isMoving(): boolean
  /** The last press dragged the map. */
  wasMoved(): boolean
}

/** Moves and zooms the map by mouse, wheel, trackpad and fingers: one finger drags, two pinch. */
export function useMapPointer(map: {
  readonly camera: MapCamera
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** Pixels of the window for each px of the map's text. */
  readonly zoom: number
  readonly placeOf: (event: { clientX: number; clientY: number }) => { px: number; py: number }
}): MapPointer {
  const { camera, canvas, zoom } = map
  const pointers = useRef(new Map<number, { px: number; py: number }>())
  const begun = useRef<{ px: number; py: number }>(undefined)
  const moved = useRef(false)
  const latest = useRef(map)
  latest.current = map

  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    // React's own listener is passive: it cannot keep the page from scrolling or zooming.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const unit = (event.deltaMode === 1 ? linePx : 1) / zoom
      const [dx, dy] =
        event.shiftKey && event.deltaX === 0
          ? [event.deltaY * unit, 0]
          : [event.deltaX * unit, event.deltaY * unit]
      if (!event.ctrlKey && !event.altKey) return camera.pan(-dx, -dy)
      // A pinch comes as a wheel with Ctrl and small steps.
      const step = event.ctrlKey && Math.abs(event.deltaY) < 40 ? 5 : 1
      const factor = wheelZoom ** (-dy * step)
      const axis = event.altKey ? (event.shiftKey ? 'y' : 'x') : 'both'
      camera.zoom(factor, axis, latest.current.placeOf(event))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [camera, canvas, zoom])

  function end(event: PointerEvent): void {
    pointers.current.delete(event.pointerId)
    if (pointers.current.size === 0) begun.current = undefined
  }

  return {
    isMoving: () => begun.current !== undefined && moved.current,
    wasMoved: () => moved.current,
    handlers: {
      onPointerDown(event) {
        if (event.button !== 0 && event.pointerType === 'mouse') return
        const place = map.placeOf(event)
        if (pointers.current.size === 0) {
          begun.current = place
          moved.current = false
        }
        pointers.current.set(event.pointerId, place)
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove(event) {
        const before = pointers.current.get(event.pointerId)
        if (before === undefined || begun.current === undefined) return
        const now = map.placeOf(event)
        const far = Math.hypot(now.px - begun.current.px, now.py - begun.current.py)
        if (!moved.current && far < pressSlack) return
        moved.current = true
        const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
        pointers.current.set(event.pointerId, now)
        if (other === undefined) return camera.pan(now.px - before.px, now.py - before.py)
        const wide = (a: typeof now) => Math.max(8, Math.hypot(a.px - other.px, a.py - other.py))
        const middle = { px: (now.px + other.px) / 2, py: (now.py + other.py) / 2 }
        camera.pan((now.px - before.px) / 2, (now.py - before.py) / 2)
        camera.zoom(wide(now) / wide(before), 'both', middle)
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  }
}
