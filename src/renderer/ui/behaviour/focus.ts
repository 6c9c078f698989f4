/** Places that focus can be sent to, in the order of F6. */
export const focusTargets = [
  'filter',
  'library',
  'search',
  'hits',
  'lost',
  'transcript',
  'composer',
  'details',
] as const
export type FocusTarget = (typeof focusTargets)[number]

const attribute = 'data-focus'

/** Marks an element as one that focus can be sent to. */
export function focusTarget(target: FocusTarget): { readonly 'data-focus': FocusTarget } {
  return { [attribute]: target }
}

/** Sends focus to a target; tells whether it is on the page and can take it. */
export function focusOn(target: FocusTarget): boolean {
  const element = find(target)
  element?.focus()
  return element !== null && document.activeElement === element
}

/** Sends focus to a target that is about to be drawn. */
export function focusSoon(target: FocusTarget): void {
  focusWhenDrawn(() => find(target))
}

/** Frames after which what was to be drawn is taken to be gone: two seconds where nothing is slow. */
const mostFrames = 120

/**
 * Sends focus to an element in the first frame in which it is there and can take it: how many frames drawing takes
 * depends on the machine. Whoever goes elsewhere meanwhile, or presses something, keeps the focus.
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

  function look(): void {
    const here = document.activeElement
    const wasMoved = here !== before && here !== null && here !== document.body
    const isGivenUp = frames++ > 0 && (acts.signal.aborted || wasMoved)
    const element = isGivenUp ? undefined : find()
    element?.focus(options)
    const isThere = element != null && document.activeElement === element
    if (isGivenUp || isThere || frames === mostFrames) acts.abort()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

function find(target: FocusTarget): HTMLElement | null {
  const element = document.querySelector<HTMLElement>(`[${attribute}="${target}"]`)
  return element === null || element.closest('[inert]') !== null ? null : element
}

/** Sends focus to the pane after the one that has it, or before it. */
export function focusNextPane(step: 1 | -1): void {
  const panes: readonly string[] = [
    'library',
    'search',
    'lost',
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
