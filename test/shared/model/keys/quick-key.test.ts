import { expect, it } from 'vitest'
import { QuickKey, quickKeyRefusal } from '../../../../src/shared/model/keys/quick-key'

it.each(['Ctrl+Alt+K', 'Ctrl+Alt+Space', 'Alt+Shift+N', 'Alt+Space', 'F13', 'Ctrl+Shift+F9'])(
  '%s can open the quick entry from every program',
  (keystroke) => {
    expect(quickKeyRefusal(keystroke, 'linux')).toBeUndefined()
    expect(QuickKey.safeParse(keystroke).success).toBe(true)
  },
)

it.each([
  ['Ctrl+C', 'Ctrl+C would be missing in other programs: two of Ctrl, Alt and Shift are needed.'],
  ['F5', 'F5 would be missing in other programs: two of Ctrl, Alt and Shift are needed.'],
  ['K', 'K would be missing in other programs: two of Ctrl, Alt and Shift are needed.'],
  ['Ctrl+Alt+Delete', 'Ctrl+Alt+Delete is the system’s.'],
  ['Alt+Shift+Tab', 'Alt+Shift+Tab is the system’s.'],
])('%s cannot, also where a page asks for it: %s', (keystroke, words) => {
  expect(quickKeyRefusal(keystroke, 'linux')).toBe(words)
  expect(QuickKey.safeParse(keystroke).success).toBe(false)
})

it.each(['Ctrl+Alt+Q', 'Ctrl+Alt+Shift+S', 'Ctrl+Alt+7', 'Ctrl+Alt+Plus'])(
  '%s is none on Windows, where it types a character by AltGr',
  (keystroke) => {
    expect(quickKeyRefusal(keystroke, 'win32')).toMatch(/ types a character on keyboards/)
    expect(quickKeyRefusal(keystroke, 'linux')).toBeUndefined()
  },
)

it.each(['Ctrl+Alt+Space', 'Ctrl+Alt+F9', 'Ctrl+Shift+K', 'Alt+Shift+N'])(
  '%s can be it on Windows, too',
  (keystroke) => {
    expect(quickKeyRefusal(keystroke, 'win32')).toBeUndefined()
  },
)

it('is none that types a character by Option on a Mac', () => {
  expect(quickKeyRefusal('Alt+Shift+N', 'darwin')).toBe('⌥⇧N types a character.')
  expect(quickKeyRefusal('Ctrl+Alt+N', 'darwin')).toBeUndefined()
})
