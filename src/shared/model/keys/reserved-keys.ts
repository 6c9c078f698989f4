import { fixedKeys } from './fixed-keys'
import { writtenKeys } from './key-words'
import type { KeyPlatform, Keystroke } from './keystroke'

/** What keys do everywhere where text is edited. */
const textKeys: Readonly<Record<Keystroke, string>> = {
  'Ctrl+A': 'selects all',
  'Ctrl+C': 'copies',
  'Ctrl+V': 'pastes',
  'Ctrl+Shift+V': 'pastes without form',
  'Ctrl+X': 'cuts',
  'Ctrl+Z': 'undoes what was typed',
  'Ctrl+Shift+Z': 'does again what was undone',
  'Ctrl+Y': 'does again what was undone',
}

/** Keys of the window and of the menus, whose names are the system's. */
const windowKeys: Readonly<Record<Keystroke, string>> = {
  'Ctrl+Q': 'quits Skein',
  'Ctrl+W': 'closes the window',
  'Ctrl+M': 'minimizes the window',
  'Ctrl+Shift+I': 'opens the tools of developers',
  F10: 'goes to the menu bar',
  F11: 'fills the screen',
}

const keysByPlatform: Readonly<Record<KeyPlatform, Readonly<Record<Keystroke, string>>>> = {
  darwin: {
    'Ctrl+H': 'hides Skein',
    'Ctrl+Alt+H': 'hides the others',
    'Ctrl+`': 'goes to the next window',
    'Ctrl+Alt+Shift+V': 'pastes without form',
    'Ctrl+Alt+I': 'opens the tools of developers',
  },
  linux: menuKeys(),
  win32: menuKeys(),
}

/** Letters with Alt open the menus of the menu bar. */
function menuKeys(): Readonly<Record<Keystroke, string>> {
  const menus = { F: 'File', E: 'Edit', V: 'View', G: 'Go', W: 'Window' }
  return {
    'Alt+F4': 'closes the window',
    ...Object.fromEntries(
      Object.entries(menus).map(([letter, menu]) => [`Alt+${letter}`, `opens the menu ${menu}`]),
    ),
  }
}

/** Keys that move, choose or remove, with whatever modifier but Alt. */
const movingKeys = /^(?:Ctrl\+)?(?:Shift\+)?(?:Left|Right|Up|Down|Home|End|PageUp|PageDown)$/
/** Characters and moving keys with Option alone: on a Mac it types other characters, and moves by words and paragraphs. */
const optionKeys = /^Alt\+(?:Shift\+)?(?:.|Plus|(Left|Right|Up|Down|Home|End|PageUp|PageDown))$/
const editingKeys = /(?:^|\+)(?:Tab|Enter|Esc|Space|Backspace|Delete|Insert)$/

const meanings: ReadonlyMap<Keystroke, string> = new Map(
  Object.entries(fixedKeys)
    .flatMap(([part, rows]) =>
      rows.flatMap(({ name, keys, also = [] }) =>
        [...keys, ...also].map((key): [Keystroke, string] => [
          key,
          `has a meaning of its own: ${part}, “${name}”`,
        ]),
      ),
    )
    // The first meaning of a key is the one that is told.
    .reverse(),
)

/**
 * Returns why no command can have a keystroke, as a sentence: it edits text, is the system's, or means something in a part of the window.
 * Undefined where one can.
 */
export function refusalOf(keystroke: Keystroke, platform: KeyPlatform): string | undefined {
  const reason = reasonAgainst(keystroke, platform)
  return reason === undefined ? undefined : `${writtenKeys(keystroke, platform)} ${reason}.`
}

function reasonAgainst(keystroke: Keystroke, platform: KeyPlatform): string | undefined {
  const does = textKeys[keystroke] ?? windowKeys[keystroke] ?? keysByPlatform[platform][keystroke]
  if (does !== undefined) return does
  if (editingKeys.test(keystroke)) return 'is for fields, lists and dialogs'
  if (movingKeys.test(keystroke)) return 'moves in texts and lists'
  const option = platform === 'darwin' ? optionKeys.exec(keystroke) : null
  if (option !== null)
    return option[1] === undefined ? 'types a character' : 'moves in texts and lists'
  const own = meanings.get(keystroke)
  if (own !== undefined && !isPlain(keystroke)) return own
  if (isPlain(keystroke)) return 'types text; a command needs Ctrl, Alt or a function key'
  return undefined
}

/** A key that types: without Ctrl and Alt, and no function key. */
function isPlain(keystroke: Keystroke): boolean {
  return !/^(?:Ctrl|Alt)\+/.test(keystroke) && !/^(?:Shift\+)?F\d+$/.test(keystroke)
}
