/** Blocks of a text, one behind the other, that are not drawn yet: the numbers of the first and of the one behind the last. */
export interface UndrawnBlocks {
  readonly from: number
  readonly to: number
}

/** Returns the stretches of blocks between those that are not drawn, in order. */
export function stretchesBetween(
  undrawn: readonly UndrawnBlocks[],
  count: number,
): readonly { readonly from: number; readonly to: number }[] {
  const ends = [...undrawn, { from: count, to: count }]
  return ends
    .map(({ from }, at) => ({ from: ends[at - 1]?.to ?? 0, to: from }))
    .filter(({ from, to }) => from < to)
}

/** Undrawn blocks on the screen, in pixels below the top of what is seen, with the estimated height of each in any unit. */
export interface UndrawnStretch extends UndrawnBlocks {
  readonly top: number
  readonly bottom: number
  readonly heights: readonly number[]
}

/** Gathers the blocks that are not drawn into stretches, in order. */
export function undrawnOf(drawn: readonly boolean[]): readonly UndrawnBlocks[] {
  const found: UndrawnBlocks[] = []
  for (let from = drawn.indexOf(false); from >= 0; ) {
    const next = drawn.indexOf(true, from)
    const to = next < 0 ? drawn.length : next
    found.push({ from, to })
    from = drawn.indexOf(false, to)
  }
  return found
}

/**
 * Finds the blocks of a stretch that a reader would see: one at least. Undefined where it is out of view.
 *
 * @param height pixels of what is seen
 * @param shareBeyond part of that height that is drawn beyond its edges
 */
export function pieceInView(
  stretch: UndrawnStretch,
  height: number,
  shareBeyond: number,
): UndrawnBlocks | undefined {
  if (stretch.bottom <= 0 || stretch.top >= height) return undefined
  const side = sideOf(stretch, height)
  const beyond = shareBeyond * height
  const bottoms = bottomsOf(stretch)
  const first = bottoms.findIndex((bottom) => bottom > -beyond)
  const behind = bottoms.findIndex((bottom) => bottom >= height + beyond)
  return {
    from: side === 'below' ? stretch.from : stretch.from + Math.max(0, first),
    to: side === 'above' || behind < 0 ? stretch.to : stretch.from + behind + 1,
  }
}

/**
 * Finds the next blocks of a stretch out of view, at its end that is nearer to what is seen.
 *
 * @param sizeOf tells how much work a block is
 * @param most work for one piece; a block that is more comes alone
 */
export function pieceOutOfView(
  stretch: UndrawnStretch,
  height: number,
  sizeOf: (block: number) => number,
  most: number,
): UndrawnBlocks {
  let { from, to } = stretch
  let size = 0
  if (sideOf(stretch, height) === 'above') {
    from = to
    do {
      from--
      size += sizeOf(from)
    } while (from > stretch.from && size + sizeOf(from - 1) <= most)
  } else {
    to = from
    do {
      size += sizeOf(to)
      to++
    } while (to < stretch.to && size + sizeOf(to) <= most)
  }
  return { from, to }
}

/** Returns the pixels between a stretch and what is seen. */
export function distanceFromView({ top, bottom }: UndrawnStretch, height: number): number {
  return Math.max(0, top - height, -bottom)
}

/**
 * Tells where a stretch is for a reader: below something that is seen, or else above something; `around` where nothing else is in
 * view.
 */
function sideOf({ top, bottom }: UndrawnStretch, height: number): 'above' | 'below' | 'around' {
  if (top >= 0) return 'below'
  return bottom <= height ? 'above' : 'around'
}

/** Returns the bottom of each block, were the stretch as high as its blocks are estimated to be. */
function bottomsOf({ top, bottom, heights }: UndrawnStretch): readonly number[] {
  const whole = heights.reduce((sum, height) => sum + height, 0)
  const scale = whole === 0 ? 0 : (bottom - top) / whole
  let at = top
  return heights.map((height) => {
    at += height * scale
    return at
  })
}
