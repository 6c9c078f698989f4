// Controls, Unicode's Bidi_Control, and the separators of lines and paragraphs: left as they are they hide or reorder what
// is on the disk ("Trojan Source"). Ranges in place of properties, which need the u flag: long texts are searched for
// them at each drawing.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
const everyControl = new RegExp(controls, 'g')
const shownControls = new RegExp(`(?![\\t\\n])${controls.source}`)
const everyShownControl = new RegExp(shownControls, 'g')

/**
 * Returns true where a text has a control: a character that hides or reorders others. Tab, line feed, separators of lines
 * and marks of direction are among them.
 */
export function hasControls(text: string): boolean {
  return controls.test(text)
}

/** Replaces each control, tab and line feed included: for names, which are one line. */
export function replaceControls(text: string, replacement: string): string {
  return text.replace(everyControl, replacement)
}

/**
 * Makes every control visible but tab and line feed: ␛ for escape, ⟨U+202E⟩ for a right-to-left override. CRLF becomes LF
 * where there is anything to show. O(n).
 */
export function visibleText(text: string): string {
  if (!shownControls.test(text)) return text
  return text.replace(/\r\n/g, '\n').replace(everyShownControl, picture)
}

/** Escapes each control as in code, `\u{202e}`, tab and line feed included: one line, from which the text can be told exactly. */
export function escapeControls(text: string): string {
  return text.replace(everyControl, escapeCharacter)
}

/** Writes a character as its escape in code: `\u{202e}`. */
export function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

function picture(control: string): string {
  const code = control.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`
}
