import { z } from 'zod'

/**
 * Keys that are pressed together, as a person writes them in settings.json: `Ctrl+Shift+F`, `Alt+Left`, `F9`. `Ctrl` is Cmd on a
 * Mac. The order is Ctrl, Alt, Shift, key. A digit or a sign is named by itself, without the Shift that some keyboards
 * need for it: `Ctrl+?`, `Ctrl+Plus`.
 */
export type Keystroke = string

/** Platform that the keys are pressed on. */
export type KeyPlatform = 'linux' | 'darwin' | 'win32'

/** Returns the keys' platform by Node's name of it: all others have the keys of Linux. */
export function keyPlatformOf(name: string): KeyPlatform {
  return name === 'darwin' || name === 'win32' ? name : 'linux'
}

/** Key that is pressed, as the browser's event tells it. */
export interface PressedKey {
  /** What the keyboard's layout makes of the key: `p`, `P`, `з`, `ArrowLeft`. Absent where no keyboard made the event: as a field is filled in. */
  readonly key?: string
  /** The place of the key, by the letter that it has in the USA: `KeyP`. */
  readonly code?: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly isComposing?: boolean
  getModifierState?(modifier: 'AltGraph'): boolean
}

/** Schema of a keystroke in the one way in which Skein writes it. */
export const KeystrokeText = z
  .string()
  .max(40)
  .refine((text) => parseKeystroke(text) === text)

const modifierWords: Readonly<Record<string, 'Ctrl' | 'Alt' | 'Shift'>> = {
  ctrl: 'Ctrl',
  control: 'Ctrl',
  cmd: 'Ctrl',
  command: 'Ctrl',
  cmdorctrl: 'Ctrl',
  commandorcontrol: 'Ctrl',
  alt: 'Alt',
  option: 'Alt',
  shift: 'Shift',
}

/** Names of keys that are no characters, by how people and browsers write them in small letters. */
const keyWords: ReadonlyMap<string, string> = new Map([
  ...['Left', 'Right', 'Up', 'Down'].flatMap((name): [string, string][] => [
    [name.toLowerCase(), name],
    [`arrow${name.toLowerCase()}`, name],
  ]),
  ...['Tab', 'Enter', 'Esc', 'Backspace', 'Delete', 'Insert', 'Home', 'End', 'Space', 'Plus'].map(
    (name): [string, string] => [name.toLowerCase(), name],
  ),
  ...Array.from({ length: 24 }, (_, at): [string, string] => [`f${at + 1}`, `F${at + 1}`]),
  ['←', 'Left'],
  ['→', 'Right'],
  ['↑', 'Up'],
  ['↓', 'Down'],
  ['escape', 'Esc'],
  ['return', 'Enter'],
  ['del', 'Delete'],
  ['ins', 'Insert'],
  ['pageup', 'PageUp'],
  ['pgup', 'PageUp'],
  ['pagedown', 'PageDown'],
  ['pgdn', 'PageDown'],
  [' ', 'Space'],
  ['+', 'Plus'],
  ['minus', '-'],
  ['−', '-'],
  ['comma', ','],
])

/**
 * Reads keys as people write them, in any order and case: `ctrl + shift + f`, `Cmd+F`, `Ctrl P`, `Ctrl++`. Returns undefined for what
 * is no such, and for Shift with a digit or a sign: which sign that makes differs between keyboards.
 */
export function parseKeystroke(text: string): Keystroke | undefined {
  const trimmed = text.trim()
  const isPlus = /(^|[+\s])\+$/.test(trimmed)
  const words = (isPlus ? `${trimmed.slice(0, -1)} Plus` : trimmed)
    .split(/[\s+]+/)
    .filter((word) => word !== '')
  const last = words.pop()
  if (last === undefined) return undefined
  const modifiers = words.map((word) => modifierWords[word.toLowerCase()])
  if (modifiers.includes(undefined) || new Set(modifiers).size < modifiers.length) return undefined
  const key = keyNameOf(last)
  if (key === undefined) return undefined
  const hasShift = modifiers.includes('Shift')
  if (hasShift && !isShiftCounted(key)) return undefined
  return joined(modifiers.includes('Ctrl'), modifiers.includes('Alt'), hasShift, key)
}

/**
 * Returns the keys that an event has pressed; undefined for a modifier alone, for what types a character by AltGr or an input method,
 * and for a key that no command can have, among them the Windows key and Control on a Mac.
 *
 * A key counts by the character that the layout makes of it. Where that is no character of ASCII, as in Cyrillic or on the
 * upper row in France, it counts by its place, so that Ctrl+P is where P is printed beside it.
 */
export function keystrokeOf(event: PressedKey, platform: KeyPlatform): Keystroke | undefined {
  const isMac = platform === 'darwin'
  if (event.key === undefined) return undefined
  if (event.isComposing || event.key === 'Process' || event.key === 'Dead') return undefined
  if (isMac ? event.ctrlKey : event.metaKey) return undefined
  // A character of AltGr is typed; Windows tells AltGr as Ctrl and Alt.
  if (!isMac && event.getModifierState?.('AltGraph') === true) return undefined
  const key = pressedName(event, isMac)
  if (key === undefined) return undefined
  const hasControl = isMac ? event.metaKey : event.ctrlKey
  return joined(hasControl, event.altKey, event.shiftKey && isShiftCounted(key), key)
}

function pressedName(event: PressedKey, isMac: boolean): string | undefined {
  const { key = '', code = '' } = event
  // Alt on a Mac types other characters, which nobody has on the keys.
  if (isMac && event.altKey && placeNames[code] !== undefined) return placeNames[code]
  if (key.length !== 1 || isAscii(key)) return keyNameOf(key)
  // Both letters i of Turkish are that one, wherever a Turkish keyboard has them.
  if (key === 'ı' || key === 'İ') return 'I'
  const isLatin = /\p{Script=Latin}/u.test(key)
  // A letter of its own, such as ö, is no other one; one of the upper row is the digit there.
  if (isLatin && !code.startsWith('Digit')) return undefined
  return placeNames[code]
}

/** What is printed on keys in the USA, by the code of their place. */
const placeNames: Readonly<Record<string, string>> = Object.fromEntries([
  ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => [`Key${letter}`, letter]),
  ...[...'0123456789'].map((digit) => [`Digit${digit}`, digit]),
  ['Comma', ','],
  ['Period', '.'],
  ['Slash', '/'],
  ['Semicolon', ';'],
  ['Quote', "'"],
  ['BracketLeft', '['],
  ['BracketRight', ']'],
  ['Backslash', '\\'],
  ['Backquote', '`'],
  ['Minus', '-'],
  ['Equal', '='],
])

function keyNameOf(word: string): string | undefined {
  const known = keyWords.get(word.toLowerCase())
  if (known !== undefined) return known
  return word.length === 1 && isAscii(word) ? word.toUpperCase() : undefined
}

function isAscii(character: string): boolean {
  return /^[!-~]$/.test(character)
}

/** Letters and named keys are the same key with Shift; a digit or a sign is another one. */
function isShiftCounted(key: string): boolean {
  return /^[A-Z]$/.test(key) || (key.length > 1 && key !== 'Plus')
}

function joined(ctrl: boolean, alt: boolean, shift: boolean, key: string): Keystroke {
  return [
    ...(ctrl ? ['Ctrl'] : []),
    ...(alt ? ['Alt'] : []),
    ...(shift ? ['Shift'] : []),
    key,
  ].join('+')
}
