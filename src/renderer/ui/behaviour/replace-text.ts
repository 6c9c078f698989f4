/**
 * Replaces a part of a text field as typing does: its undo takes it back, and its change is heard. The caret is behind the new text
 * then.
 */
export function replaceTyped(
  field: HTMLTextAreaElement,
  start: number,
  end: number,
  text: string,
): void {
  field.focus({ preventScroll: true })
  field.setSelectionRange(start, end)
  if (start === end && text === '') return
  // Nothing else keeps the field's own undo; without it the text is set as a whole.
  const isDone = document.execCommand(text === '' ? 'delete' : 'insertText', false, text)
  if (isDone) return
  field.setRangeText(text, start, end, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
