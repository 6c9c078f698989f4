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
  const element = document.querySelector<HTMLElement>(`[${attribute}="${target}"]`)
  if (element === null || element.closest('[inert]') !== null) return false
  element.focus()
  return document.activeElement === element
}

/** Sends focus to a target that is about to be drawn. */
export function focusSoon(target: FocusTarget): void {
  requestAnimationFrame(() => {
    if (!focusOn(target)) requestAnimationFrame(() => focusOn(target))
  })
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
