import {
  between,
  type CameraView,
  type CanvasSize,
  type Extent,
  fittingView,
  isAllInView,
  isInView,
  kept,
  type MapPoint,
  revealing,
  type ZoomAxis,
  zoomed,
} from './camera'

/** View of a camera as it is now. */
export interface CameraState {
  readonly view: CameraView
  readonly size: CanvasSize
  readonly isAllInView: boolean
}

/** Camera over the map: where it looks, and how it gets elsewhere. */
export interface MapCamera {
  get(): CameraState
  /** Calls the listener when the camera looks elsewhere; returns a function that stops it. */
  subscribe(listener: () => void): () => void
  /**
   * The canvas has another size: what is in its middle stays there, and `looked` in view where it was; a map that was
   * all in view is placed anew.
   */
  resize(size: CanvasSize, looked?: MapPoint): void
  /** The map reaches elsewhere. The first time all of it is shown, or where that is too small to read, `start` at 100 %. */
  setExtent(extent: Extent, start: MapPoint): void
  /** Begins anew with the next extent: everything is elsewhere. */
  restart(): void
  pan(dx: number, dy: number): void
  /** Zooms around a point of the canvas, else around its middle. */
  zoom(factor: number, axis?: ZoomAxis, at?: { readonly px: number; readonly py: number }): void
  /** Shows all of the map. */
  fit(): void
  /** Shows the map at 100 %, around a point of it. */
  showFull(at: MapPoint): void
  /** Brings a point into view; nothing moves where it is in view. */
  reveal(point: MapPoint): void
  /** Moves so that a point of the map is in the middle. */
  centre(point: MapPoint): void
  close(): void
}

/** Frames of the browser, or of a test. */
export interface Frames {
  /** Calls `act` in the next frame with its time in ms; returns a function that cancels it. */
  next(act: (nowMs: number) => void): () => void
  /** A person wants nothing to move by itself. */
  isStill(): boolean
}

/** Frames of the browser. */
const browserFrames: Frames = {
  next(act) {
    const id = requestAnimationFrame(act)
    return () => cancelAnimationFrame(id)
  },
  isStill: () => window.matchMedia('(prefers-reduced-motion: reduce)').matches,
}

/** Duration of a way to another view, in ms. */
const wayMs = 180
/** Room around a point that stays in view while the canvas becomes smaller: its knot is whole. */
const roomOfKnot = { side: 24, edge: 24 } as const
/** Below this scale of all in view, texts cannot be read: the map begins at 100 %. */
const leastReadable = 0.75

/** Makes a camera; it looks at nothing until it knows the canvas and the map. */
export function mapCamera(frames: Frames = browserFrames): MapCamera {
  const listeners = new Set<() => void>()
  let extent: Extent = { width: 0, top: 0, bottom: 0 }
  let start: MapPoint | undefined
  let state: CameraState = {
    view: { x: 0, y: 0, kx: 1, ky: 1 },
    size: { width: 0, height: 0 },
    isAllInView: true,
  }
  let cancelWay: (() => void) | undefined
  /** Where a way goes that is not at its end. */
  let target: CameraView | undefined
  let isPlaced = false

  function show(view: CameraView, size = state.size): void {
    state = { view, size, isAllInView: isAllInView(extent, size, view) }
    for (const listener of listeners) listener()
  }

  function goTo(view: CameraView): void {
    stop()
    const to = kept(view, extent, state.size)
    if (frames.isStill()) {
      show(to)
      return
    }
    const from = state.view
    let beganMs: number | undefined
    const step = (nowMs: number) => {
      beganMs ??= nowMs
      const share = Math.min(1, (nowMs - beganMs) / wayMs)
      show(between(from, to, 1 - (1 - share) ** 3))
      if (share < 1) cancelWay = frames.next(step)
      else stop()
    }
    target = to
    cancelWay = frames.next(step)
  }

  function stop(): void {
    cancelWay?.()
    cancelWay = undefined
    target = undefined
  }

  /** The first view, once canvas and map are known. */
  function place(): void {
    if (isPlaced || start === undefined || state.size.width === 0) return
    isPlaced = true
    const all = fittingView(extent, state.size)
    if (Math.min(all.kx, all.ky) >= leastReadable) show(all)
    else show(kept(around(start, 1, 1), extent, state.size))
  }

  const around = (point: MapPoint, kx: number, ky: number): CameraView => ({
    kx,
    ky,
    x: state.size.width / 2 - point.x * kx,
    y: state.size.height / 2 - point.y * ky,
  })

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    resize(size, looked) {
      const { size: before, isAllInView: wasAllInView } = state
      if (size.width === before.width && size.height === before.height) return
      // A way is of the size before: the canvas shows its end at once.
      const view = target ?? state.view
      stop()
      const staysInView = isPlaced && looked !== undefined && isInView(view, looked, before)
      // What was shown as a whole is placed anew.
      if (wasAllInView) isPlaced = false
      const dx = isPlaced ? (size.width - before.width) / 2 : 0
      const dy = isPlaced ? (size.height - before.height) / 2 : 0
      show({ ...view, x: view.x + dx, y: view.y + dy }, size)
      place()
      if (staysInView) show(revealing(state.view, looked, size, roomOfKnot))
    },
    setExtent(next, at) {
      extent = next
      start = at
      if (isPlaced) show(state.view)
      else place()
    },
    restart() {
      stop()
      isPlaced = false
    },
    pan(dx, dy) {
      stop()
      const { view, size } = state
      show(kept({ ...view, x: view.x + dx, y: view.y + dy }, extent, size))
    },
    zoom(factor, axis = 'both', at) {
      stop()
      const { view, size } = state
      const { px, py } = at ?? { px: size.width / 2, py: size.height / 2 }
      show(kept(zoomed(view, factor, { px, py, axis }, extent, size), extent, size))
    },
    fit: () => goTo(fittingView(extent, state.size)),
    showFull: (at) => goTo(around(at, 1, 1)),
    reveal(point) {
      if (!isPlaced) return
      const next = revealing(state.view, point, state.size)
      if (next.x !== state.view.x || next.y !== state.view.y) goTo(next)
    },
    centre(point) {
      stop()
      const { kx, ky } = state.view
      show(kept(around(point, kx, ky), extent, state.size))
    },
    close() {
      stop()
      listeners.clear()
    },
  }
}
