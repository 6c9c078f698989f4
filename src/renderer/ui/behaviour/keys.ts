/** Whether a key was pressed alone, outside of a field, and by hand (not by an input method). */
export function isPlainKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || isComposing(event)) return false
  return !isField(event.target)
}

/** Whether the key belongs to an input method that is composing; some tell it by the code 229 alone. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229
}

/** Whether an element takes text. */
function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input, textarea, select, [contenteditable="true"]')
  )
}
