import type { CameraView, CanvasSize } from './camera'
import type { MapScene } from './scene'
import type { TextWidths } from './text-widths'
import type { MapTheme } from './theme'

/** Segments that are pointed out on the map. */
export interface Highlights {
  readonly selected: number | undefined
  readonly hovered: number | undefined
  /** The node that is compared with the open path: B. */
  readonly marked: number | undefined
}

/** A canvas that is drawn on, with all that drawing needs. */
export interface Drawing {
  readonly context: CanvasRenderingContext2D
  readonly scene: MapScene
  readonly view: CameraView
  readonly size: CanvasSize
  /** Pixels of the screen for each px of the map's text. */
  readonly ratio: number
  readonly theme: MapTheme
  readonly widths: TextWidths
  readonly highlights: Highlights
  /** How much the zoom leaves room for: lines alone, knots, or knots and texts. */
  readonly detail: 0 | 1 | 2
  /** The part in view, in px at 100 % and lanes. */
  readonly left: number
  readonly right: number
  readonly topLane: number
  readonly bottomLane: number
}
