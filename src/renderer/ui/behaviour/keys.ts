/** Returns true for a key without Ctrl, Alt or Meta, outside of fields and not of an input method. */
export function isPlainKey(event: KeyboardEvent): boolean {
  if (hasCommandModifier(event) || isComposing(event)) return false
  return !isField(event.target)
}

/**
 * Returns true for a key with Ctrl, Alt or Meta: a command may have it, so that what the key does alone, or with Shift, in one part of
 * the window does not happen as well.
 */
export function hasCommandModifier(event: {
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
}): boolean {
  return event.ctrlKey || event.altKey || event.metaKey
}

/** Returns true for a key that is pressed with no modifier at all. */
export function isKeyAlone(
  event: Parameters<typeof hasCommandModifier>[0] & {
    readonly key: string
    readonly shiftKey: boolean
  },
  key: string,
): boolean {
  return event.key === key && !event.shiftKey && !hasCommandModifier(event)
}

/** Returns true for a key of a composing input method; some report only the code 229. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229
}

/** Returns true for an element that takes text. */
function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input, textarea, select, [contenteditable="true"]')
  )
}

/** Attribute of a field that takes every key for what it records. */
export const recordsKeys = { 'data-records-keys': '' } as const

/** Returns true for a key in a field that records keys: no command runs by it. */
export function isRecordingKeys(event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.closest('[data-records-keys]') !== null
}
