import { z } from 'zod'
import { writtenKeys } from './key-words'
import { type KeyPlatform, type Keystroke, KeystrokeText } from './keystroke'

/**
 * Returns why a keystroke cannot be the one that works in every program, as a sentence; undefined where it can. It needs two of Ctrl, Alt and
 * Shift, or is Alt+Space or one of F13 to F24: whatever else would be missing in other programs.
 */
export function quickKeyRefusal(keystroke: Keystroke, platform: KeyPlatform): string | undefined {
  const shown = writtenKeys(keystroke, platform)
  const parts = keystroke.split('+')
  const key = parts.at(-1) ?? ''
  if (/^(?:Tab|Enter|Esc|Delete|Backspace|Insert)$/.test(key)) return `${shown} is the system’s.`
  if (/^F(?:1[3-9]|2[0-4])$/.test(keystroke) || keystroke === 'Alt+Space') return undefined
  if (platform === 'darwin' && /^Alt\+Shift\+(?:.|Plus)$/.test(keystroke))
    return `${shown} types a character.`
  // There AltGr is Ctrl and Alt: the character would be missing in every program.
  if (platform === 'win32' && /^Ctrl\+Alt\+(?:Shift\+)?(?:.|Plus)$/.test(keystroke))
    return `${shown} types a character on keyboards that have AltGr.`
  if (parts.length >= 3) return undefined
  return `${shown} would be missing in other programs: two of Ctrl, Alt and Shift are needed.`
}

/** Keystroke that opens the quick entry from every program; empty for none. Main checks it by the platform as well. */
export const QuickKey = z.union([
  z.literal(''),
  KeystrokeText.refine((keystroke) => quickKeyRefusal(keystroke, 'linux') === undefined),
])

/**
 * State of that key: `taken` where the system gave it to another program, another Skein among them, and `wayland` where programs cannot have
 * one.
 */
export const QuickKeyState = z.enum(['off', 'on', 'taken', 'wayland'])
export type QuickKeyState = z.infer<typeof QuickKeyState>
