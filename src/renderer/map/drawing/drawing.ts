import type { LabelColor } from '../../../shared/model/conversation/label'
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

/** Hits of a search as they are drawn: what has none is dimmed. */
export interface DrawnHits {
  /** By segment: its number of hits. */
  readonly ofSegment: Int32Array
  /** Lists the messages of a segment with hits, by their position in the scene's map. */
  messagesOf(segment: number): readonly number[]
  /** The hit that was reached last; its message is undefined in folded branches. */
  readonly current: { readonly segment: number; readonly message: number | undefined } | undefined
}

/** Label of an entry as it is drawn. */
export interface DrawnLabel {
  /** Position in the scene's map; undefined where the map has the entry under another name. */
  readonly message: number | undefined
  /** Visible characters alone. */
  readonly word: string
  readonly color: LabelColor
}

/** Hits, heat and labels that are painted on a scene. */
export interface Painting {
  readonly hits: DrawnHits | undefined
  /** By segment: the step of its heat, 0 for none. */
  readonly heat: Uint8Array | undefined
  /** By segment. */
  readonly labels: ReadonlyMap<number, readonly DrawnLabel[]>
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
  readonly painting: Painting
  /** How much the zoom leaves room for: lines alone, knots, or knots and texts. */
  readonly detail: 0 | 1 | 2
  /** The part in view, in px at 100 % and lanes. */
  readonly left: number
  readonly right: number
  readonly topLane: number
  readonly bottomLane: number
}
