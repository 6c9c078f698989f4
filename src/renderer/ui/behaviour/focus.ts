/** Targets that focus can be sent to. */
export const focusTargets = [
  'filter',
  'library',
  'no-rows',
  'search',
  'facets',
  'hits',
  'preview',
  'lost',
  'map',
  'map-search',
  'compare',
  'statistics',
  'transcript',
  'find',
  'composer',
  'details',
] as const
/** Target that focus can be sent to. */
export type FocusTarget = (typeof focusTargets)[number]

const attribute = 'data-focus'

/** Returns the attribute that makes an element a target of focus. */
export function focusTarget(target: FocusTarget): { readonly 'data-focus': FocusTarget } {
  return { [attribute]: target }
}

/** Sends focus to a target; returns false where it is not on the page or cannot take focus. */
export function focusOn(target: FocusTarget, options: FocusOptions = {}): boolean {
  const element = find(target)
  element?.focus(options)
  return element !== null && document.activeElement === element
}

/** Sends focus to the library's list, else to the act that stands in its place, else to the filter above it; false where it is closed. */
export function focusLibrary(): boolean {
  if (focusOn('library')) return true
  const act = find('no-rows')?.querySelector<HTMLElement>('button')
  act?.focus()
  return (act != null && document.activeElement === act) || focusOn('filter')
}

/** Sends focus as `focusLibrary` does in the next frame, once the list is drawn or gone, unless it is elsewhere by then. */
export function focusLibrarySoon(): void {
  requestAnimationFrame(() => {
    const here = document.activeElement
    if (here === null || here === document.body) focusLibrary()
  })
}

/** Sends focus to a target that is about to be drawn. */
export function focusSoon(target: FocusTarget): void {
  focusWhenDrawn(() => find(target))
}

/** Frames after which the element counts as gone: two seconds at 60 Hz. */
const mostFrames = 120

/**
 * Sends focus to an element in the first frame in which it exists and can take it. Tries 120 frames at most; a key,
 * a press or another move of the focus ends it.
 */
export function focusWhenDrawn(
  find: () => HTMLElement | null | undefined,
  options: FocusOptions = {},
): void {
  const before = document.activeElement
  const acts = new AbortController()
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, () => acts.abort(), { capture: true, signal: acts.signal })
  let frames = 0

  function tryFocus(): void {
    const here = document.activeElement
    const wasMoved = here !== before && here !== null && here !== document.body
    const isGivenUp = frames++ > 0 && (acts.signal.aborted || wasMoved)
    const element = isGivenUp ? undefined : find()
    element?.focus(options)
    const isThere = element != null && document.activeElement === element
    if (isGivenUp || isThere || frames === mostFrames) acts.abort()
    else requestAnimationFrame(tryFocus)
  }
  requestAnimationFrame(tryFocus)
}

function find(target: FocusTarget): HTMLElement | null {
  const element = document.querySelector<HTMLElement>(`[${attribute}="${target}"]`)
  return element === null || element.closest('[inert]') !== null ? null : element
}

/** Sends focus to the next or the previous pane. */
export function focusNextPane(step: 1 | -1): void {
  const panes: readonly string[] = [
    'library',
    'search',
    'facets',
    'preview',
    'lost',
    'map',
    'compare',
    'statistics',
    'transcript',
    'composer',
    'details',
  ]
  const here = document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane')
  const start = panes.indexOf(here ?? '')
  for (let tries = 1; tries <= panes.length; tries++) {
    const index = (Math.max(start, step === 1 ? -1 : 0) + step * tries) % panes.length
    const pane = panes.at(index)
    if (pane !== undefined && focusOn(pane as FocusTarget)) return
  }
}
