import type { KeyPlatform, Keystroke } from './keystroke'

const arrows: Readonly<Record<string, string>> = { Left: '←', Right: '→', Up: '↑', Down: '↓' }

const macCaps: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' }

/** Returns the key caps of a keystroke as they are shown: `Ctrl` and `P`; on a Mac `⌘` and `P`. */
export function capsOf(keystroke: Keystroke, platform: KeyPlatform): readonly string[] {
  return keystroke.split('+').map((part) => {
    if (part === 'Plus') return '+'
    return arrows[part] ?? (platform === 'darwin' ? macCaps[part] : undefined) ?? part
  })
}

/** Names of signs that a voice would leave out, or of keys that it would spell. */
const spoken: Readonly<Record<string, string>> = {
  Ctrl: 'Control',
  Esc: 'Escape',
  Left: 'Left arrow',
  Right: 'Right arrow',
  Up: 'Up arrow',
  Down: 'Down arrow',
  PageUp: 'Page up',
  PageDown: 'Page down',
  ',': 'Comma',
  '.': 'Period',
  '-': 'Minus',
  '=': 'Equals',
  '/': 'Slash',
  '\\': 'Backslash',
  ';': 'Semicolon',
  ':': 'Colon',
  "'": 'Apostrophe',
  '"': 'Quotation mark',
  '`': 'Grave accent',
  '[': 'Left bracket',
  ']': 'Right bracket',
  '{': 'Left brace',
  '}': 'Right brace',
  '(': 'Left parenthesis',
  ')': 'Right parenthesis',
  '<': 'Less than',
  '>': 'Greater than',
  '?': 'Question mark',
  '!': 'Exclamation mark',
  '*': 'Asterisk',
  '|': 'Vertical bar',
  _: 'Underscore',
  '~': 'Tilde',
  '^': 'Caret',
  '@': 'At sign',
  '#': 'Number sign',
  $: 'Dollar sign',
  '%': 'Percent sign',
  '&': 'Ampersand',
}

const macSpoken: Readonly<Record<string, string>> = { Ctrl: 'Command', Alt: 'Option' }

/** Returns a keystroke as a screen reader says it: `Control Shift F`, `Alt Left arrow`. */
export function spokenKeys(keystroke: Keystroke, platform: KeyPlatform): string {
  return keystroke
    .split('+')
    .map((part) => (platform === 'darwin' ? macSpoken[part] : undefined) ?? spoken[part] ?? part)
    .join(' ')
}

/** Returns a keystroke for a sentence: `Ctrl+Shift+F`, `⌘⇧F`. */
export function writtenKeys(keystroke: Keystroke, platform: KeyPlatform): string {
  return capsOf(keystroke, platform).join(platform === 'darwin' ? '' : '+')
}

/** Names of keys in `aria-keyshortcuts`, where they are not ours. */
const ariaNames: Readonly<Record<string, string>> = {
  Ctrl: 'Control',
  Esc: 'Escape',
  Left: 'ArrowLeft',
  Right: 'ArrowRight',
  Up: 'ArrowUp',
  Down: 'ArrowDown',
}

/** Returns keystrokes as the attribute `aria-keyshortcuts` has them. */
export function ariaKeys(keystrokes: readonly Keystroke[], platform: KeyPlatform): string {
  const nameOf = (part: string) =>
    platform === 'darwin' && part === 'Ctrl' ? 'Meta' : (ariaNames[part] ?? part)
  return keystrokes.map((each) => each.split('+').map(nameOf).join('+')).join(' ')
}

/** Returns a keystroke as Electron's menus and global shortcuts write it. */
export function acceleratorOf(keystroke: Keystroke): string {
  return keystroke
    .split('+')
    .map((part) => (part === 'Ctrl' ? 'CmdOrCtrl' : part))
    .join('+')
}
