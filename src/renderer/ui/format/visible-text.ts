// Controls but tab and line feed, and the characters that turn the direction of text: left as they are they hide or
// reorder what is on the disk ("Trojan Source").
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/**
 * Makes control characters of a text visible: ␛ for escape, ⟨U+202E⟩ for a right-to-left override. CR LF becomes LF.
 */
export function visibleText(text: string): string {
  unseen.lastIndex = 0
  if (!unseen.test(text)) return text
  return text.replace(/\r\n/g, '\n').replace(unseen, visible)
}

function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`
}
