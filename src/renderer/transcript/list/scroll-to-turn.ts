/** Duration of the scroll; the same as `--dur-3`. */
const scrollMs = 220
/** Frames in a row without movement: by then rows above are measured, and folds are laid out. */
const stillFrames = 3
/** Limits after which it ends though rows still grow; both must pass, since a slow machine needs the frames. */
const longestMs = 2000
const mostFrames = 120

/** Scroll to a turn that is in progress. */
export interface TurnScroll {
  stop(): void
}

/** Options of a scroll to a turn; positions in pixels. */
export interface TurnScrollOptions {
  readonly scroller: HTMLElement
  /** The turn, once it is on the page. */
  readonly turn: () => HTMLElement | null
  /** Estimated top of the turn in the scroller, before it is on the page. */
  readonly estimatedTop: () => number | undefined
  /** Top of the first highlight in the turn, on the screen. */
  readonly matchTop: (turn: HTMLElement) => number | undefined
  readonly at: 'third' | number
  /** What in the turn is brought to a place of its own instead, where it is there: its top on the screen, and below the scroller's. */
  readonly within: (turn: HTMLElement) => { readonly top: number; readonly at: number } | undefined
  /** Nothing moves where the highlight is in view already. */
  readonly isLazy: boolean
  /** The focus stays where it is. */
  readonly keepsFocus: boolean
  readonly isJump: boolean
  readonly onArrive: () => void
}

/**
 * Scrolls to a turn until it rests where it is wanted, and focuses it unless something in it has the focus, or it must not.
 *
 * Heights become known only on the way, so each frame measures again. Scrolling by hand ends it.
 */
export function scrollToTurn(options: TurnScrollOptions): TurnScroll {
  const { scroller, at } = options
  const isStill = options.isJump || window.matchMedia('(prefers-reduced-motion: reduce)').matches
  const durationMs = isStill ? 0 : scrollMs
  let startedAtMs: number | undefined
  let from = scroller.scrollTop
  let frame = 0
  let still = 0
  let frames = 0
  let hasFocus = false

  function goal(): number | undefined {
    const turn = options.turn()
    const most = scroller.scrollHeight - scroller.clientHeight
    const placed = at === 'third' ? scroller.clientHeight / 3 : at
    const within = (top: number, wanted = placed) =>
      Math.max(0, Math.min(most, Math.round(top - wanted)))
    if (turn === null) {
      const top = options.estimatedTop()
      return top === undefined ? undefined : within(top)
    }
    const edge = scroller.getBoundingClientRect().top - scroller.scrollTop
    const read = options.within(turn)
    if (read !== undefined) return within(read.top - edge, read.at)
    const turnTop = turn.getBoundingClientRect().top - edge
    const match = at === 'third' ? options.matchTop(turn) : undefined
    if (options.isLazy && match !== undefined && isInView(match, scroller))
      return scroller.scrollTop
    // Where the first match is far below the head, the match is shown.
    const isFarDown = match !== undefined && match - edge - turnTop > scroller.clientHeight / 3
    return within(isFarDown && match !== undefined ? match - edge : turnTop)
  }

  function finish(): void {
    stop()
    options.onArrive()
  }

  function step(nowMs: number): void {
    startedAtMs ??= nowMs
    frames++
    const target = goal()
    if (target === undefined) {
      finish()
      return
    }
    const elapsedMs = nowMs - startedAtMs
    const part = durationMs === 0 ? 1 : Math.min(1, elapsedMs / durationMs)
    const before = scroller.scrollTop
    scroller.scrollTop = Math.round(from + (target - from) * (1 - (1 - part) ** 3))
    const turn = options.turn()
    if (turn !== null && !hasFocus && !options.keepsFocus) {
      hasFocus = true
      // An edit that was opened in it keeps the focus.
      if (!turn.contains(document.activeElement)) turn.focus({ preventScroll: true })
    }
    still = part === 1 && turn !== null && Math.abs(scroller.scrollTop - before) < 1 ? still + 1 : 0
    const isTooLong = elapsedMs > longestMs && frames > mostFrames
    if (still >= stillFrames || isTooLong) finish()
    else frame = requestAnimationFrame(step)
  }

  function stop(): void {
    cancelAnimationFrame(frame)
    for (const type of handActs) scroller.removeEventListener(type, finish)
  }

  for (const type of handActs) scroller.addEventListener(type, finish, { passive: true })
  const first = goal()
  if (first !== undefined && first !== scroller.scrollTop) {
    const distance = first - from
    // A far target is not scrolled to all the way: the last screenful shows the direction.
    if (durationMs === 0) from = first
    else if (Math.abs(distance) > 2 * scroller.clientHeight)
      from = first - Math.sign(distance) * scroller.clientHeight
    scroller.scrollTop = from
  }
  frame = requestAnimationFrame(step)
  return { stop }
}

/** Room below the top and above the bottom in which a match does not count as in view, in pixels. */
const edgePixels = 48

function isInView(top: number, scroller: HTMLElement): boolean {
  const box = scroller.getBoundingClientRect()
  return top >= box.top + edgePixels / 2 && top <= box.bottom - edgePixels
}

const handActs = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const
