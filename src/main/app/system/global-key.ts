import { globalShortcut } from 'electron'
import { acceleratorOf } from '../../../shared/model/keys/key-words'
import type { Keystroke } from '../../../shared/model/keys/keystroke'
import type { QuickKeyState } from '../../../shared/model/keys/quick-key'

/** Key that works in every program, one at the most. */
export interface GlobalKey {
  /** Takes another key in place of the one before; an empty one is none. Call it when the app is ready. */
  set(keystroke: Keystroke): QuickKeyState
  state(): QuickKeyState
}

/** Makes the key; none is taken yet. @param pressed called whenever it is pressed, whatever program is in front */
export function openGlobalKey(
  environment: Readonly<Record<string, string | undefined>>,
  pressed: () => void,
): GlobalKey {
  let taken = ''
  let state: QuickKeyState = 'off'

  function given(keystroke: Keystroke): QuickKeyState {
    if (keystroke === '') return 'off'
    // There a program gets keys of its own windows alone, whatever it asks for.
    if (isWayland(environment)) return 'wayland'
    try {
      return globalShortcut.register(acceleratorOf(keystroke), pressed) ? 'on' : 'taken'
    } catch {
      return 'taken' // A key that this system cannot give.
    }
  }

  return {
    set(keystroke) {
      if (taken !== '') globalShortcut.unregister(acceleratorOf(taken))
      state = given(keystroke)
      taken = state === 'on' ? keystroke : ''
      return state
    },
    state: () => state,
  }
}

function isWayland(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment.XDG_SESSION_TYPE === 'wayland' || Boolean(environment.WAYLAND_DISPLAY)
}
