/** Sizes of the map at 100 %, in px. */
export const mapSizes = {
  /** From lane to lane. */
  pitch: 48,
  /** Room that a line takes to bend out of its fork. */
  bend: 28,
  /** Lengths of segments are multiples of it, so that one entry more seldom changes one. */
  step: 30,
  /** Most room that is kept free for a label. */
  label: 176,
} as const

/** Segments as the layout takes them, by position: parents before children, siblings by birth. */
export interface LayoutInput {
  readonly ids: readonly string[]
  /** See `Segment.end`. */
  readonly ends: readonly string[]
  readonly parents: Int32Array
  readonly entries: Float64Array
  /** Widths of the labels in px. */
  readonly labels: Float32Array
  /** 1 for sub-agents: they never go straight on from another's segment. */
  readonly aside: Uint8Array
  /** The last segment of the path that runs straight through lane 0. */
  readonly open: number
  /** For a layout by time: when each segment's first and last entry were written, in Unix ms; NaN where nobody knows. */
  readonly times?: { readonly first: Float64Array; readonly last: Float64Array } | undefined
}

/** Places of segments, as flat arrays that a worker can hand over. x in px at 100 %; lanes above the open path are negative. */
export interface MapLayout {
  /** Where a segment leaves its parent, and where its last entry is. */
  readonly x0: Float32Array
  readonly x1: Float32Array
  /** Where its first entry is; by entries the same as `x0`. */
  readonly born: Float32Array
  readonly lane: Int32Array
  /** The child that goes straight on in the same lane; -1 where none does. */
  readonly next: Int32Array
  /** Furthest right that a segment can grow to while nothing else moves. */
  readonly room: Float32Array
  readonly width: number
  readonly top: number
  readonly bottom: number
  /** By time: where times are, from left to right; empty by entries. */
  readonly axis: readonly AxisPoint[]
  /** Segments and cells that were visited: what the layout cost. */
  readonly steps: number
}

/** A time of the map, and where it is. */
export interface AxisPoint {
  /** Unix ms. */
  readonly ms: number
  readonly x: number
}

/** Places of an earlier layout, with which the next one moves nothing that need not move. */
export interface LayoutMemory {
  /** By the last entry: where segments end. The part behind a new fork keeps its end. */
  readonly ends: ReadonlyMap<string, number>
  /** By id: lanes. The part before a new fork keeps its id. */
  readonly lanes: ReadonlyMap<string, number>
  /** By id, of the last segments of branches: where they end, and the room that is kept for them. */
  readonly leaves: ReadonlyMap<string, { readonly x1: number; readonly room: number }>
  /** Ids of the segments that go straight on from their parent. */
  readonly straight: ReadonlySet<string>
  /** By time in Unix ms. */
  readonly axis: ReadonlyMap<number, number>
}
