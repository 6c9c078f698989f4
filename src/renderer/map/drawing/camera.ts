import { type MapLayout, mapSizes } from '../../../shared/model/map/layout-shape'

/** Place and scale of the map in its canvas: canvas = map × (kx, ky) + (x, y), in px. */
export interface CameraView {
  readonly x: number
  readonly y: number
  readonly kx: number
  readonly ky: number
}

/** Size of the canvas in px of the map's text, which follow the text zoom. */
export interface CanvasSize {
  readonly width: number
  readonly height: number
}

/** Extent of a layout: how far it reaches to the right, and its lanes. */
export type Extent = Pick<MapLayout, 'width' | 'top' | 'bottom'>

/** Way of a zoom: along the lines, across the lanes, or both. */
export type ZoomAxis = 'both' | 'x' | 'y'

/** Room around the map when all of it is in view: at its right end there are labels and badges. */
const margin = { left: 48, right: 96, top: 44, bottom: 36 } as const
/** Largest scales: beyond them lines grow, and texts do not. */
const largest = { x: 6, y: 2.5 } as const

/** Returns the scales at which all of a map is in view, at most 100 %. */
function fittingScales(extent: Extent, size: CanvasSize): { kx: number; ky: number } {
  const high = (extent.bottom - extent.top) * mapSizes.pitch
  return {
    kx: Math.min(
      1,
      Math.max(40, size.width - margin.left - margin.right) / Math.max(1, extent.width),
    ),
    ky: Math.min(1, Math.max(40, size.height - margin.top - margin.bottom) / Math.max(1, high)),
  }
}

/** Returns the view of all of a map, in the middle. */
export function fittingView(extent: Extent, size: CanvasSize): CameraView {
  const { kx, ky } = fittingScales(extent, size)
  const middle = ((extent.top + extent.bottom) / 2) * mapSizes.pitch * ky
  const across = (size.height + margin.top - margin.bottom) / 2
  const free = size.width - margin.left - margin.right - extent.width * kx
  return { kx, ky, x: margin.left + Math.max(0, free / 2), y: across - middle }
}

/** Returns true where all of the map is in view. */
export function isAllInView(extent: Extent, size: CanvasSize, view: CameraView): boolean {
  const { pitch } = mapSizes
  return (
    view.x >= 0 &&
    view.x + extent.width * view.kx <= size.width &&
    view.y + (extent.top - 0.5) * pitch * view.ky >= 0 &&
    view.y + (extent.bottom + 0.5) * pitch * view.ky <= size.height
  )
}

/**
 * Zooms by a factor; the point at (px, py) stays where it is. Between all in view and 100 % each axis goes at its own
 * pace, so that a long map does not become a hair.
 */
export function zoomed(
  view: CameraView,
  factor: number,
  at: { readonly px: number; readonly py: number; readonly axis: ZoomAxis },
  extent: Extent,
  size: CanvasSize,
): CameraView {
  const fit = fittingScales(extent, size)
  const least = Math.min(fit.kx, fit.ky)
  const pace = (own: number) => (least === 1 ? 1 : Math.log(own) / Math.log(least))
  const isNear = view.kx >= 1 && view.ky >= 1 && factor > 1
  const powerX = at.axis === 'y' ? 0 : at.axis === 'x' || isNear ? 1 : pace(fit.kx)
  const powerY = at.axis === 'x' ? 0 : at.axis === 'y' || isNear ? 1 : pace(fit.ky)
  const kx = within(view.kx * factor ** powerX, fit.kx, largest.x)
  const ky = within(view.ky * factor ** powerY, fit.ky, largest.y)
  return {
    kx,
    ky,
    x: at.px - (at.px - view.x) * (kx / view.kx),
    y: at.py - (at.py - view.y) * (ky / view.ky),
  }
}

/** Keeps some of the map in view, however far it is moved. */
export function kept(view: CameraView, extent: Extent, size: CanvasSize): CameraView {
  const { pitch } = mapSizes
  const right = extent.width * view.kx
  const top = extent.top * pitch * view.ky
  const bottom = extent.bottom * pitch * view.ky
  return {
    ...view,
    x: within(
      view.x,
      Math.min(80, size.width / 3) - right,
      size.width - Math.min(80, size.width / 3),
    ),
    y: within(view.y, 48 - bottom, size.height - 48 - top),
  }
}

/** Point of the map, in px at 100 %. */
export interface MapPoint {
  readonly x: number
  readonly y: number
}

/** Returns true where a point of the map is on the canvas. */
export function isInView(view: CameraView, point: MapPoint, size: CanvasSize): boolean {
  const px = point.x * view.kx + view.x
  const py = point.y * view.ky + view.y
  return px >= 0 && px <= size.width && py >= 0 && py <= size.height
}

/** Moves the view so that a point is in it, with room around it; as it is where it is in view already. */
export function revealing(
  view: CameraView,
  point: MapPoint,
  size: CanvasSize,
  room = { side: 120, edge: 64 },
): CameraView {
  const px = point.x * view.kx + view.x
  const py = point.y * view.ky + view.y
  const side = Math.min(room.side, size.width / 4)
  const edge = Math.min(room.edge, size.height / 4)
  return {
    ...view,
    x: view.x + within(px, side, size.width - side) - px,
    y: view.y + within(py, edge, size.height - edge) - py,
  }
}

/** Returns a view between two, for a share from 0 to 1. */
export function between(from: CameraView, to: CameraView, share: number): CameraView {
  const mix = (a: number, b: number) => a + (b - a) * share
  return {
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    kx: mix(from.kx, to.kx),
    ky: mix(from.ky, to.ky),
  }
}

function within(value: number, least: number, most: number): number {
  return Math.max(Math.min(value, Math.max(least, most)), Math.min(least, most))
}
